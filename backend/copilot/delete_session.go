package copilot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// sessionID is what the Copilot CLI calls its sessions, and their files by.
var sessionID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// DeleteSessionFiles removes what the Copilot CLI keeps of a session in home: its folder,
// or the file of an old version. home may be "", which is the CLI's default. No
// process may hold the session. Nothing else is ever removed: an id is used only
// if it is one of the CLI's, and no link is followed.
func DeleteSessionFiles(home, id string) error {
	if !sessionID.MatchString(id) {
		return nil // of another agent: nobody knows where that keeps it
	}
	dir := filepath.Join(homeOr(home), "session-state")
	if info, err := os.Lstat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil || !info.IsDir() {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, name := range []string{id, id + ".jsonl"} {
		// Of a link, the link itself goes.
		if e := root.RemoveAll(name); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
