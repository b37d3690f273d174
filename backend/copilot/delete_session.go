package copilot

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// sessionID matches the session IDs of the Copilot CLI, which it also uses as file names.
var sessionID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// IsSessionID reports whether id has the form of the Copilot CLI's session IDs. Such an ID is also a valid file name.
func IsSessionID(id string) bool { return sessionID.MatchString(id) }

// DeleteSessionFiles deletes the Copilot CLI's files for a session in home: the session's folder, or its file if
// an old version of the CLI created it. If home is "", the CLI's default home is used. No process may be using the
// session. Nothing else is ever deleted: links aren't followed, and nothing happens if id isn't a CLI session ID.
func DeleteSessionFiles(home, id string) error {
	if !sessionID.MatchString(id) {
		return nil // another agent's session, whose location is unknown
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
		// A link itself is removed, not its target.
		if e := root.RemoveAll(name); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
