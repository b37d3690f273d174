package sessionfiles

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// OpenLog opens the log of a session in home for reading. If home is "", the CLI's default home is used. Links that
// lead out of the folder of all sessions aren't followed. The error is ErrNoSession if there is no such log, or a file
// system error.
func OpenLog(home, id string) (*os.File, error) {
	if !sessionID.MatchString(id) {
		return nil, fmt.Errorf("%w: %q", ErrNoSession, id)
	}
	root, err := os.OpenRoot(filepath.Join(HomeDir(home), "session-state"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrNoSession, err)
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, err := root.OpenFile(path.Join(id, sessionLog), os.O_RDONLY|openFlags, 0)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%w: %w", ErrNoSession, err)
	}
	if err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, errors.Join(fmt.Errorf("%w: the log isn't a file", ErrNoSession), err, file.Close())
	}
	return file, nil
}
