package undo

import (
	"cmp"
	"context"
	"path/filepath"
	"time"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/danger"
	"github.com/voxpilot/voxpilot/backend/guard"
	"github.com/voxpilot/voxpilot/backend/store"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// asyncCommand is a command that an agent was about to start in the background. The user may have rejected it.
type asyncCommand struct {
	Command string         `json:"command"` // first line
	At      backend.Millis `json:"at"`
}

func (c asyncCommand) recordedAt() backend.Millis { return c.At }

// maxAsync is the maximum size in bytes of the file with a chat's asyncCommands. If it is larger, the older half of
// them is removed.
const maxAsync = 1 << 20

// asyncFile returns the path of the file that contains a chat's asyncCommands.
func (m *Manager) asyncFile(chatID string) string {
	return filepath.Join(m.cfg.Dir, "snapshots", chatID, "background.jsonl")
}

// noteAsync records a command that the CLI's shell tool is about to start in the background. It ignores other calls.
// The tool's arguments aren't in the transcript, and the command's text doesn't show that it keeps running.
func (m *Manager) noteAsync(chatID string, call guard.Call) {
	command, ok := call.ShellCommand()
	args := gjson.ParseBytes(call.Args)
	if !ok || args.Get("mode").String() != "async" && !args.Get("detach").Bool() {
		return
	}
	if err := addLine(m, m.asyncFile(chatID), asyncCommand{firstLine(command), backend.Now()}, maxAsync); err != nil {
		m.cfg.Log.Warn("couldn't record a background command", "chat", chatID, "err", err)
	}
}

// firstLine returns the first line of a command in the form in which the transcript stores it.
func firstLine(command string) string { return excerpt.FirstLine(command, maxLine) }

// maxLine is the maximum size in bytes of a command in the transcript (store.Command).
const maxLine = 300

// commandsOf returns the commands of the plan's turns, newest first, and the stored full commands of the chat by item
// ID.
func (m *Manager) commandsOf(ctx context.Context, p *plan) (commands []store.Command, full map[string]string, err error) {
	if commands, err = m.cfg.Store.Commands(ctx, p.chat.ID, p.during(), maxCommands); err != nil {
		return nil, nil, err
	}
	full, err = m.cfg.Store.FullCommands(ctx, p.chat.ID)
	return commands, full, err
}

// during returns the period of the plan's turns.
func (p *plan) during() store.Period {
	if p.since {
		return store.Period{From: p.turn.StartedAt}
	}
	return store.Period{From: p.turn.StartedAt, To: p.turn.EndedAt}
}

// keepsRunning returns a function that reports whether a command of the plan's turns may have kept running after its
// tool call had ended.
func (m *Manager) keepsRunning(p *plan, full map[string]string) func(c store.Command) bool {
	m.filesMu.Lock()
	recorded := readLines[asyncCommand](m, m.asyncFile(p.chat.ID))
	m.filesMu.Unlock()
	async, during := map[string]bool{}, p.during()
	for _, c := range recorded {
		if during.Has(c.At) {
			async[c.Command] = true
		}
	}
	return func(c store.Command) bool {
		text := cmp.Or(full[c.ItemID], c.Command)
		return async[firstLine(text)] || danger.EffectsOf(p.chat.Folder, "", text).Background
	}
}

// keepRunning reports whether any command of the plan's turns may have kept running. It returns false for a redo, and
// if the commands can't be read.
func (m *Manager) keepRunning(ctx context.Context, p *plan) bool {
	commands, full, err := m.commandsOf(ctx, p)
	if p.redo || err != nil {
		return false
	}
	isRunning := m.keepsRunning(p, full)
	for _, c := range commands {
		if isRunning(c) {
			return true
		}
	}
	return false
}

// userTime is the minimum duration of a command during which the user can be expected to edit files. Tests change it.
var userTime = 3 * time.Second

// maxMeanwhile is the maximum number of files in doubts.Meanwhile.
const maxMeanwhile = 10_000

// meanwhile returns the files that changed during commands that took at least userTime. The command or the user may
// have changed such a file. Files that an edit tool changed last aren't among them.
func (j *judgment) meanwhile(calls []toolCall) (paths []string) {
	seen := map[string]bool{}
	for _, c := range j.changes {
		from, to := c.At, c.latest()
		if c.At.IsZero() { // the file was removed at an unknown time
			from, to = c.from, c.to
		}
		byCommand := false
		for _, call := range calls {
			if !call.touches(from, to) {
				continue
			}
			if call.isEdit && call.files[c.Path] {
				byCommand = false
				break
			}
			byCommand = byCommand || !call.isEdit && call.to.Sub(call.from) >= userTime
		}
		if byCommand && !seen[c.Path] && len(paths) < maxMeanwhile {
			seen[c.Path] = true
			paths = append(paths, c.Path)
		}
	}
	return paths
}
