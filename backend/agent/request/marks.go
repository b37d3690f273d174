package request

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/danger"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// maxCounted is the maximum number of files and folders that filesIn visits to count the files that a command would
// delete.
const maxCounted = 5000

// Marks returns marks for the potentially harmful parts of commands that would run in the given folder.
func Marks(folder string, commands []string) []backend.Mark {
	if len(commands) == 0 {
		return nil
	}
	home, _ := os.UserHomeDir()
	marks := danger.Find(folder, home, strings.ToValidUTF8(strings.Join(commands, "\n"), "\uFFFD"))
	moves := strings.Contains(strings.Join(commands, "\n"), "cd ") // then relative names may refer to another folder
	for i, m := range marks {
		if m.Kind == backend.MarkDelete && !moves {
			marks[i].Files = filesIn(folder, m.Of)
		}
	}
	return marks
}

// filesIn returns the number of files in the named files and folders. It returns 0 if a name contains a special
// character of the shell, such as a wildcard, or leads outside the folder, if a folder can't be read, or if more than
// maxCounted files and folders would have to be visited.
func filesIn(folder string, names []string) (n int) {
	tree, err := workspace.OpenTree(folder)
	if err != nil {
		return 0
	}
	defer tree.Close()
	looked := 0
	for _, name := range names {
		name = filepath.ToSlash(filepath.Clean(name))
		if !fs.ValidPath(name) || strings.ContainsAny(name, "*?[$`{") {
			return 0
		}
		err := fs.WalkDir(tree.FS(), name, func(_ string, entry fs.DirEntry, err error) error {
			if looked++; err != nil || looked > maxCounted {
				return fs.ErrInvalid
			}
			if !entry.IsDir() {
				n++
			}
			return nil
		})
		if err != nil {
			return 0
		}
	}
	return n
}
