package sessionfiles

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
)

// sessionID matches the session IDs of the Copilot CLI, which it also uses as file names.
var sessionID = regexp.MustCompile(`^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`)

// IsID reports whether id has the form of the Copilot CLI's session IDs. Such an ID is also a valid file name.
func IsID(id string) bool { return sessionID.MatchString(id) }

// Delete deletes the Copilot CLI's files for a session in home: the session's folder, or its file if an old version of
// the CLI created it. An incomplete copy with that ID is deleted as well. If home is "", the CLI's default home is
// used. No process may be using the session. Nothing else is ever deleted: links aren't followed, and nothing happens
// if id isn't a CLI session ID.
func Delete(home, id string) error {
	if !sessionID.MatchString(id) {
		return nil // another agent's session, whose location is unknown
	}
	dir := filepath.Join(HomeDir(home), "session-state")
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
	for _, name := range []string{id, id + ".jsonl", copyTemp + id} {
		// A link itself is removed, not its target.
		if e := root.RemoveAll(name); e != nil && !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	return err
}
