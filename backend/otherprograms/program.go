// Package otherprograms finds and reads the conversations that other programs store on this computer: Claude Code,
// Codex CLI, opencode, and Copilot Chat in Visual Studio Code. A conversation is read into the rows of a chat, which
// then continues in Copilot with its whole history.
//
// The programs define the formats and change them between versions, so records of unknown kinds are skipped and
// counted. Files are assumed to be hostile. Links out of a program's folder aren't followed, anything but a regular
// file is ignored, and one record needs at most maxRecord bytes of memory. Nothing is ever written to a program's
// folder.
package otherprograms

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Conversation is a conversation of another program.
type Conversation struct {
	backend.OtherConversation
	root string // folder of the program
	file string // slash-separated path of the conversation's file below root, or "" if it is in a database
}

// Program finds and reads the conversations of one program. Its methods are safe for concurrent use.
type Program interface {
	// List returns the conversations without reading them as a whole. If it returns an error, the list may be incomplete.
	List(ctx context.Context) ([]Conversation, error)
	// Read reads a conversation and adds its entries to the sink, in order. It returns errors of the sink, of ctx and
	// of the file system.
	Read(ctx context.Context, c Conversation, to Sink) error
}

// Names holds the programs' names as shown to the user.
var Names = map[backend.OtherProgram]string{
	backend.ProgramClaudeCode: "Claude Code",
	backend.ProgramCodex:      "Codex CLI",
	backend.ProgramOpencode:   "opencode",
	backend.ProgramVSCode:     "VS Code",
}

// Programs returns the programs with the folders that they use for the user with the given home directory. getenv
// returns the value of an environment variable, like os.Getenv.
func Programs(home string, getenv func(string) string) map[backend.OtherProgram]Program {
	data := cmp.Or(getenv("XDG_DATA_HOME"), filepath.Join(home, ".local", "share"))
	return map[backend.OtherProgram]Program{
		backend.ProgramClaudeCode: newClaude(filepath.Join(cmp.Or(getenv("CLAUDE_CONFIG_DIR"), filepath.Join(home, ".claude")), "projects")),
		backend.ProgramCodex:      newCodex(filepath.Join(cmp.Or(getenv("CODEX_HOME"), filepath.Join(home, ".codex")), "sessions")),
		backend.ProgramOpencode:   &opencode{dir: filepath.Join(data, "opencode")},
		backend.ProgramVSCode:     &vscode{dirs: vscodeDirs(home, getenv)},
	}
}

// maxTitle is the maximum length of a conversation's title in bytes.
const maxTitle = 200

// titleOf returns the first line of a text, such as the user's first message, as a title.
func titleOf(prompt string) string { return excerpt.FirstLine(strings.TrimSpace(prompt), maxTitle) }

// complete fills in the fields that are determined in the same way for all programs, and sorts the conversations,
// newest first.
func complete(list []Conversation) []Conversation {
	folders := map[string]bool{}
	for i := range list {
		c := &list[i]
		c.Title = strings.ToValidUTF8(c.Title, "\uFFFD")
		if !filepath.IsAbs(c.Folder) || strings.ContainsRune(c.Folder, 0) {
			c.Folder = ""
			continue
		}
		c.Folder = filepath.Clean(c.Folder)
		folders[c.Folder] = true
	}
	gone := missing(slices.Collect(maps.Keys(folders)))
	for i := range list {
		list[i].FolderMissing = gone[list[i].Folder]
	}
	slices.SortStableFunc(list, func(a, b Conversation) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// statTime is the time limit for checking whether folders exist. The check can take very long on a network drive.
const statTime = 2 * time.Second

// missing returns a map in which a folder is true if it doesn't exist. Folders that can't be checked within statTime
// count as existing.
func missing(folders []string) map[string]bool {
	var mu sync.Mutex
	gone, done := map[string]bool{}, make(chan struct{})
	go func() {
		defer close(done)
		for _, folder := range folders {
			info, err := os.Stat(folder)
			mu.Lock()
			gone[folder] = err != nil || !info.IsDir()
			mu.Unlock()
		}
	}()
	late := time.NewTimer(statTime)
	defer late.Stop()
	select {
	case <-done:
	case <-late.C:
	}
	mu.Lock()
	defer mu.Unlock()
	return maps.Clone(gone)
}

// heads caches the descriptions of conversations by the paths of their files. A description is valid while the size and
// the modification time of the file are unchanged.
type heads struct {
	mu     sync.Mutex
	byPath map[string]head
}

type head struct {
	size, time int64
	is         bool // the file contains a conversation
	c          Conversation
}

// of returns the description of the file. It calls describe if the cache has no valid one. It returns false if the file
// contains no conversation or can't be opened.
func (h *heads) of(root *os.Root, dir, name string, info fs.FileInfo, describe func(*os.File, *Conversation) bool) (Conversation, bool) {
	key := filepath.Join(dir, name)
	h.mu.Lock()
	known, is := h.byPath[key]
	h.mu.Unlock()
	if is && known.size == info.Size() && known.time == info.ModTime().UnixNano() {
		return known.c, known.is
	}
	file, size, err := openFile(root, name)
	if err != nil {
		return Conversation{}, false
	}
	defer file.Close()
	c := Conversation{root: dir, file: name}
	c.Size, c.UpdatedAt = size, backend.Millis(info.ModTime().UnixMilli())
	is = describe(file, &c)
	c.Title, c.Folder = strings.Clone(c.Title), strings.Clone(c.Folder) // their records must not stay in memory
	known = head{size: info.Size(), time: info.ModTime().UnixNano(), is: is, c: c}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.byPath == nil {
		h.byPath = map[string]head{}
	}
	h.byPath[key] = known
	return known.c, known.is
}

// openRoot opens the folder of a program. It returns nil without an error if the program has none.
func openRoot(dir string) (*os.Root, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return root, err
}
