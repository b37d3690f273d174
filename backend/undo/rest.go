package undo

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/danger"
	"github.com/voxpilot/voxpilot/backend/snapshot"
)

// Limits for the list of effects that an undo doesn't revert.
const (
	maxCommands = 5000 // number of the turns' latest commands, and of other calls, that are searched
	maxRest     = 50   // number of rows about commands and other calls
	maxFiles    = 20   // number of files with the same reason
)

// ownTools is the prefix of the titles of all calls to VoxPilot's own tools.
const ownTools = "voxpilot"

// notUndone returns the effects that an undo doesn't revert, such as those of commands and other tool calls in the
// plan's turns.
func (m *Manager) notUndone(ctx context.Context, p *plan) (rest []backend.UndoRest, err error) {
	during := p.during()
	commands, full, err := m.commandsOf(ctx, p)
	if err != nil {
		return nil, err
	}
	isRunning := m.keepsRunning(p, full)
	slices.Reverse(commands)
	home, _ := os.UserHomeDir() // "" if it is unknown
	ran := false
	for _, c := range commands {
		if c.Status == backend.ToolCancelled {
			continue
		}
		ran = true
		for _, reason := range lasting(p.chat.Folder, home, cmp.Or(full[c.ItemID], c.Command)) {
			rest = append(rest, backend.UndoRest{What: c.Command, IsCommand: true, Reason: reason})
		}
		if isRunning(c) {
			rest = append(rest, backend.UndoRest{What: c.Command, IsCommand: true, Reason: backend.Say("This command may have kept running. Undo doesn't revert the changes it makes after the turn.")})
		}
	}
	rest = append(m.withoutRepositories(p), rest...)
	calls, err := m.cfg.Store.OtherCalls(ctx, p.chat.ID, during, maxCommands)
	if err != nil {
		return nil, err
	}
	slices.Reverse(calls)
	for _, c := range calls {
		if !strings.HasPrefix(c.Title, ownTools) {
			rest = append(rest, backend.UndoRest{What: c.Title, Reason: backend.Say("This tool may have changed something that VoxPilot can't undo.")})
		}
	}
	rest = limited(rest, maxRest, func(n int) backend.Message {
		return backend.Count(n, "1 more command or tool call can't be undone.", "%d more commands or tool calls can't be undone.")
	})
	if len(commands) == maxCommands || len(calls) == maxCommands {
		rest = append(rest, backend.UndoRest{Reason: backend.Say("VoxPilot checked only the latest %d commands and tool calls.", maxCommands)})
	}
	edits, err := m.cfg.Store.FileEdits(ctx, p.chat.ID, "")
	var outside []backend.UndoRest
	seen := map[string]bool{}
	for _, e := range edits {
		if !during.Has(e.At) || seen[e.Path] {
			continue
		}
		seen[e.Path] = true
		if _, inside := inFolder(p.chat.Folder, e.Path); !inside {
			outside = append(outside, backend.UndoRest{What: e.Path, Reason: backend.Say("This file isn't in the chat's folder.")})
		}
	}
	rest = append(rest, limited(outside, maxFiles, func(n int) backend.Message {
		return backend.Count(n, "1 more file isn't in the chat's folder.", "%d more files aren't in the chat's folder.")
	})...)
	if ran && err == nil {
		var has bool
		if has, err = p.st.HasIgnored(p.Now); has {
			rest = append(rest, backend.UndoRest{Reason: backend.Say("VoxPilot doesn't keep copies of files that Git ignores. If a command changed such files, they stay as they are.")})
		}
	}
	return rest, err
}

// limited returns rows without duplicates, and only those about the first commands, calls or files, up to the limit. If
// there are more, it calls the function more with their number, and adds the message as the last row.
func limited(all []backend.UndoRest, limit int, more func(n int) backend.Message) (rows []backend.UndoRest) {
	seen, names, others := map[backend.UndoRest]bool{}, map[string]bool{}, map[string]bool{}
	for _, r := range all {
		switch {
		case seen[r]:
		case names[r.What] || len(names) < limit:
			names[r.What] = true
			rows = append(rows, r)
		default:
			others[r.What] = true
		}
		seen[r] = true
	}
	if len(others) > 0 {
		rows = append(rows, backend.UndoRest{Reason: more(len(others))})
	}
	return rows
}

// unrecorded returns the rows for files that weren't recorded, grouped by reason.
func unrecorded(items []snapshot.Item) (rows []backend.UndoRest) {
	var reasons []snapshot.Reason
	byReason := map[snapshot.Reason][]backend.UndoRest{}
	for _, it := range items {
		if byReason[it.Reason] == nil {
			reasons = append(reasons, it.Reason)
		}
		byReason[it.Reason] = append(byReason[it.Reason], backend.UndoRest{What: it.Path, Reason: leftReason(it.Reason)})
	}
	for _, reason := range reasons {
		rows = append(rows, limited(byReason[reason], maxFiles, func(n int) backend.Message {
			if reason == snapshot.Ignored {
				return backend.Count(n, "VoxPilot kept no copy of 1 more file that Git ignores.", "VoxPilot kept no copies of %d more files that Git ignores.")
			}
			return backend.Count(n, "VoxPilot kept no copy of 1 more file for the same reason.", "VoxPilot kept no copies of %d more files for the same reason.")
		})...)
	}
	return rows
}

// lasting returns the reasons why an undo doesn't revert all effects of a command that ran in the given folder.
func lasting(folder, home, command string) (reasons []backend.Message) {
	e := danger.EffectsOf(folder, home, command)
	if e.Remote {
		reasons = append(reasons, backend.Say("VoxPilot can't remove data sent to other computers."))
	}
	if e.Outside {
		reasons = append(reasons, backend.Say("Files outside the chat's folder stay as they are."))
	}
	if e.Repository {
		reasons = append(reasons, backend.Say("Git's commits, branches and index stay as they are."))
	}
	return reasons
}

// leftReason returns the reason why a file can't be restored.
func leftReason(r snapshot.Reason) backend.Message {
	switch r { //nolint:exhaustive // the others need no description of their own
	case snapshot.Ignored:
		return backend.Say("Git ignores this file, so VoxPilot kept no copy of it.")
	case snapshot.TooLarge:
		return backend.Say("This file is too large for VoxPilot to copy.")
	case snapshot.TooMuch:
		return backend.Say("The folder is too large, so VoxPilot kept no copy of this file.")
	case snapshot.Unreadable:
		return backend.Say("VoxPilot couldn't read this file.")
	case snapshot.NotWritable:
		return backend.Say("The system didn't allow the change.")
	case snapshot.NotStored:
		return backend.Say("This file's earlier content is no longer stored.")
	case snapshot.Meanwhile:
		return backend.Say("This file changed a moment ago.")
	case snapshot.FolderInWay, snapshot.NotFolder:
		return changeReason(r)
	}
	return backend.Say("VoxPilot kept no copy of this file.")
}

// changeReason returns a description of a later change to a file.
func changeReason(r snapshot.Reason) backend.Message {
	switch r { //nolint:exhaustive // the others aren't changes
	case snapshot.Removed:
		return backend.Say("Removed outside VoxPilot.")
	case snapshot.Created:
		return backend.Say("Recreated outside VoxPilot.")
	case snapshot.ModeChanged:
		return backend.Say("Permissions changed outside VoxPilot.")
	case snapshot.FolderInWay:
		return backend.Say("There's now a folder in place of this file.")
	case snapshot.NotFolder:
		return backend.Say("There's now a file in place of this file's folder.")
	}
	return backend.Say("Edited outside VoxPilot.")
}

// reasonFor converts an error from recording a folder to the reason why a turn can't be undone.
func reasonFor(err error) backend.Message {
	switch {
	case errors.Is(err, snapshot.ErrTooManyFiles):
		return backend.Say("The folder has too many files for VoxPilot to copy.")
	case errors.Is(err, snapshot.ErrGitDirectory):
		return backend.Say("The folder is a .git folder or a bare Git repository, so VoxPilot keeps no copies of its files.")
	case errors.Is(err, errTooSlow):
		return backend.Say("Saving copies of the folder's files took too long.")
	case errors.Is(err, snapshot.ErrNotFound):
		return backend.Say("The earlier files are no longer stored.")
	case errors.Is(err, syscall.ENOSPC):
		return backend.Say("The disk is full.")
	case errors.Is(err, fs.ErrNotExist):
		return backend.Say("The folder doesn't exist.")
	}
	return backend.Say("VoxPilot couldn't save copies of the folder's files.")
}

// failed returns the user-facing error for err.
func failed(err error) error {
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't change the files. %s", reasonFor(err)), Detail: err.Error()}
}
