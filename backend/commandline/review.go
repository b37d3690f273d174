package commandline

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/platform/instance"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

const reviewUsage = `Open the uncommitted changes of a folder in VoxPilot's review.

  voxpilot review           review this folder
  voxpilot review FOLDER    review FOLDER

The folder must be in a Git repository. The review belongs to the newest chat in
the folder, or in a folder above it in the same repository. If there is no such
chat, VoxPilot creates one without sending anything.

Exit status: 0 if the review is open, 1 if it couldn't be opened, and 2 for an
invalid command line.
`

// runReview runs `voxpilot review` in the running VoxPilot, or starts one if none is running.
func runReview(args []string, out, errs io.Writer) (code int) {
	r, help, err := parseReview(args)
	switch {
	case err != nil:
		_, _ = fmt.Fprintf(errs, "voxpilot review: %v.\n\n%s", err, reviewUsage)
		return 2
	case help:
		_, _ = fmt.Fprint(out, reviewUsage)
		return 0
	}
	r.Dir, _ = os.Getwd() // if unknown, a folder must be absolute
	r.Token = startToken()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	giveForeground()
	err = runOrStart(ctx, environment.DataDir(), r, func(instance.Response) {})
	return report(ctx, err, errs, func(error) int { return 1 })
}

// parseReview returns the request for the arguments of `voxpilot review`. help is true if the user asked for help
// instead.
func parseReview(args []string) (r instance.Request, help bool, err error) {
	r.Verb = instance.Review
	only, given := false, false
	for _, arg := range args {
		switch {
		case !only && arg == "--":
			only = true
		case !only && (arg == "--help" || arg == "-h" || arg == "-help"):
			return r, true, nil
		case !only && strings.HasPrefix(arg, "-"):
			return r, false, fmt.Errorf("unknown option %s", arg)
		case given:
			return r, false, errors.New("review opens one folder at a time")
		default:
			r.Folder, given = arg, true
		}
	}
	if given && r.Folder == "" {
		return r, false, errors.New("the folder argument is empty")
	}
	return r, false, nil
}

// review handles `voxpilot review`: it opens the review of a folder's uncommitted changes in the window. If the
// folder has code that the user hasn't trusted, the window asks about it first.
func (s *Server) review(ctx context.Context, r instance.Request) error {
	e, err := s.api.EngineIn(engine.OpenTime)
	if err != nil {
		return err
	}
	folder, err := workspace.Resolve(folderOf(r, r.Dir))
	if err != nil {
		return err
	}
	at := workspace.FindRepository(folder)
	if at.Dir == "" || at.Root == at.Dir {
		return backend.Invalid("%s isn't in a Git repository, so there are no uncommitted changes to review.", folder)
	}
	chat, ok := chatIn(s.chats(), folder, at.Root)
	if !ok {
		if chat, err = s.newChat(e, folder); err != nil {
			return err
		}
	}
	if !chat.Sandbox.Masked { // otherwise, the user has decided to open the folder without running its code
		if _, err := e.Trust.Check(ctx, e.StarterOf(chat)); err != nil {
			s.api.Log.Warn("couldn't check the folder of a review", "chat", chat.ID, "err", err)
		}
	}
	s.desktop.AllowActivation(r.Token)
	s.desktop.Navigate(backend.Navigation{For: backend.NavigateReview, ChatID: chat.ID, Source: "working"})
	return nil
}

// newChat creates a chat in a folder without sending a message. The chat has the agent that new chats have by
// default.
func (s *Server) newChat(e *engine.Engine, folder string) (backend.Chat, error) {
	b := e.DefaultModel()
	chat, err := s.api.CreateChat(folder, cmp.Or(b.QuickAgent(), backend.ProviderCopilot))
	if err == nil && b.OrchestratorID != "" {
		err = s.api.SetOrchestrator(chat.ID, b.OrchestratorID)
	}
	return chat, err
}

// chats returns the chats that are neither deleted nor archived, newest first.
func (s *Server) chats() (chats []backend.Chat) {
	s.api.Overview.View(func(now overview.State) { chats = overview.Open(now) })
	return chats
}

// chatIn returns the newest chat in the folder or, if there is none, in the nearest folder above it, up to
// root. chats must be sorted, newest first. ok is false if no such folder has a chat.
func chatIn(chats []backend.Chat, folder, root string) (chat backend.Chat, ok bool) {
	known := map[string]os.FileInfo{}
	info := func(path string) os.FileInfo {
		if _, ok := known[path]; !ok {
			known[path], _ = os.Stat(path) // nil if the folder no longer exists
		}
		return known[path]
	}
	for at := folder; ; at = filepath.Dir(at) {
		for _, chat := range chats {
			if chat.Folder == at || info(chat.Folder) != nil && os.SameFile(info(chat.Folder), info(at)) {
				return chat, true
			}
		}
		if at == root || at == filepath.Dir(at) {
			return backend.Chat{}, false
		}
	}
}
