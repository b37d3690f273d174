package session

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/request"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// summaryBuilder collects the data for a turn's summary. It is guarded by the session's mutex.
type summaryBuilder struct {
	calls     []*toolItem // in order of their start
	message   strings.Builder
	messageOf string // ID of the item with the message
}

// addMessage adds a chunk of the message with the given item ID. Only the last message is retained.
func (w *summaryBuilder) addMessage(itemID, text string) {
	if w.messageOf != itemID {
		w.messageOf = itemID
		w.message.Reset()
	}
	w.message.WriteString(text)
}

// Summary returns the summary of the turn that has ended, and discards the data collected for it.
func (s *Session) Summary() backend.TurnSummary {
	s.mu.Lock()
	defer s.mu.Unlock()
	work := backend.TurnSummary{Message: s.summary.message.String()}
	for _, t := range s.summary.calls {
		tool := t.item.Tool
		switch {
		case tool.Decision == backend.DecisionRejected || tool.Decision == backend.DecisionClosed:
		case tool.Kind == backend.ToolExecute && len(t.commands) > 0:
			work.Commands = append(work.Commands, backend.CommandRun{Command: excerpt.FirstLine(t.commands[0], MaxCommand), ExitCode: tool.ExitCode})
		case tool.Status == backend.ToolCompleted:
			for _, change := range t.changes() {
				work.Files = s.addChange(work.Files, change)
			}
		}
	}
	s.summary = summaryBuilder{}
	return work
}

// addChange adds a file change to the list files, or merges it into the change of the same file in the list. Paths in
// the session's folder become relative to it.
func (s *Session) addChange(files []backend.FileChange, change backend.FileChange) []backend.FileChange {
	if path, err := filepath.Rel(s.Folder, change.Path); err == nil && filepath.IsLocal(path) {
		change.Path = path
	}
	i := slices.IndexFunc(files, func(f backend.FileChange) bool { return f.Path == change.Path })
	if i < 0 {
		return append(files, change)
	}
	files[i].Added += change.Added
	files[i].Removed += change.Removed
	return files
}

// changes returns the file changes made by a call, based on its diffs. A diff that VoxPilot added for a request
// (slotChange) counts only if it is the only diff of its file. For a mutating call without diffs, changes
// returns the files that the call names, without line counts.
func (t *toolItem) changes() (files []backend.FileChange) {
	shown := map[string][]string{} // keys of diffs by file
	for key, sl := range t.slots {
		if sl.content.Type == backend.ContentDiff {
			shown[sl.content.Path] = append(shown[sl.content.Path], key)
		}
	}
	for path, keys := range shown {
		file := backend.FileChange{Path: path}
		for _, key := range keys {
			if !strings.HasPrefix(key, slotChange) || len(keys) == 1 {
				file.Added += t.slots[key].content.Added
				file.Removed += t.slots[key].content.Removed
			}
		}
		files = append(files, file)
	}
	slices.SortFunc(files, func(a, b backend.FileChange) int { return strings.Compare(a.Path, b.Path) })
	tool := t.item.Tool
	if len(files) > 0 || !request.Mutates(tool.Kind) {
		return files
	}
	for _, path := range []string{tool.Path, tool.To} {
		if path != "" {
			files = append(files, backend.FileChange{Path: path})
		}
	}
	return files
}

// MaxCommand is the maximum size in bytes of a command in a backend.Process or a backend.CommandRun.
const MaxCommand = 300
