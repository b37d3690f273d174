package review

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// gitFiles are the files in git's folder that change with a commit, a checkout or a change to the index.
var gitFiles = []string{"HEAD", "index", filepath.Join("logs", "HEAD"), filepath.Join("reftable", "tables.list")}

// Disk returns a state that changes with the files in the chat's folder, the index and the checked-out commit. In a
// repository, files that git ignores don't count, and Disk reads no contents: the state is a hash of the times, sizes
// and modes of git's files and of the files that differ from the index. In another folder, it is the ID of a snapshot.
func (m *Manager) Disk(ctx context.Context, chatID string) (backend.ReviewDisk, error) {
	chat, err := m.cfg.Chat(chatID)
	if err != nil {
		return backend.ReviewDisk{}, err
	}
	r := m.repositoryOf(chat.Folder)
	if r == nil {
		id, err := m.record(ctx, chat)
		return backend.ReviewDisk{State: id}, err
	}
	state, err := r.state(ctx)
	return backend.ReviewDisk{State: state}, err
}

func (r *repository) state(ctx context.Context) (string, error) {
	var changes []rawChange
	var untracked []string
	var errs [2]error
	var reads sync.WaitGroup
	reads.Go(func() {
		var options []string
		if options, errs[0] = r.filtersOff(ctx); errs[0] == nil {
			changes, errs[0] = r.changes(ctx, options, "diff-files")
		}
	})
	reads.Go(func() { untracked, _, errs[1] = r.untracked(ctx) })
	reads.Wait()
	for _, err := range errs {
		if err != nil {
			return "", err
		}
	}
	sum := sha256.New()
	for _, name := range gitFiles {
		addTime(sum, filepath.Join(r.at.Dir, name))
	}
	for _, c := range changes {
		fmt.Fprintln(sum, c)
		addTime(sum, filepath.Join(r.folder, filepath.FromSlash(c.path)))
	}
	for _, path := range untracked {
		addTime(sum, filepath.Join(r.folder, filepath.FromSlash(path)))
	}
	return hex.EncodeToString(sum.Sum(nil)[:10]), nil
}

// addTime writes the path, time, size and mode of a file to w. It writes nothing if the file doesn't exist.
func addTime(w io.Writer, path string) {
	if info, err := os.Lstat(path); err == nil {
		fmt.Fprintln(w, path, info.ModTime().UnixNano(), info.Size(), info.Mode())
	}
}
