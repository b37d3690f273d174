package repository_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/repository"
)

// childCommit commits all files in a folder and prints the output of the job. It never returns.
func childCommit(folder string) {
	m := repository.New(repository.Config{
		LoginPath: func() string { return os.Getenv("PATH") }, Env: os.Environ, Log: slog.New(slog.DiscardHandler),
		Chat:    func(id string) (backend.Chat, error) { return backend.Chat{ID: id, Folder: folder}, nil },
		Trusted: func(context.Context, backend.Chat) bool { return true },
		Publish: func(events ...backend.Event) {
			for _, e := range events {
				if e.ReviewJob != nil && e.ReviewJob.Output+e.ReviewJob.Message.String() != "" {
					fmt.Println(e.ReviewJob.Output, e.ReviewJob.Message)
				}
			}
		},
	})
	if _, err := m.Commit(context.Background(), "chat", backend.ReviewCommitRequest{Message: "m", Files: backend.CommitAll}); err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	select {}
}
