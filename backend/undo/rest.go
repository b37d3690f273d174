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
	maxCommands = 500 // number of the chat's latest commands that are searched
	maxRest     = 50  // number of effects in the list
)

// ownTools is the start of the titles of calls to VoxPilot's own tools.
const ownTools = "voxpilot"

// notUndone returns effects that an undo doesn't revert. These are effects of commands and tools that ran in the plan's
// turns.
func (m *Manager) notUndone(ctx context.Context, p *plan) (rest []backend.UndoRest, err error) {
	commands, err := m.cfg.Store.Commands(ctx, p.chat.ID, maxCommands)
	if err != nil {
		return nil, err
	}
	during := func(at backend.Millis) bool {
		return at >= p.turn.StartedAt && (p.since || p.turn.EndedAt == 0 || at <= p.turn.EndedAt)
	}
	full, err := m.cfg.Store.FullCommands(ctx, p.chat.ID)
	if err != nil {
		return nil, err
	}
	slices.Reverse(commands)
	home, _ := os.UserHomeDir() // "" if it is unknown
	ran := false
	for _, c := range commands {
		if !during(c.StartedAt) || c.Status == backend.ToolCancelled {
			continue
		}
		ran = true
		for _, reason := range lasting(p.chat.Folder, home, cmp.Or(full[c.ItemID], c.Command)) {
			rest = append(rest, backend.UndoRest{What: c.Command, IsCommand: true, Reason: reason})
		}
	}
	calls, err := m.cfg.Store.OtherCalls(ctx, p.chat.ID, maxCommands)
	if err != nil {
		return nil, err
	}
	slices.Reverse(calls)
	for _, c := range calls {
		if during(c.StartedAt) && !strings.HasPrefix(c.Title, ownTools) {
			rest = append(rest, backend.UndoRest{What: c.Title, Reason: backend.Say("This tool may have changed something that VoxPilot can't undo.")})
		}
	}
	edits, err := m.cfg.Store.FileEdits(ctx, p.chat.ID, "")
	for _, e := range edits {
		if during(e.At) && !within(p.chat.Folder, e.Path) {
			rest = append(rest, backend.UndoRest{What: e.Path, Reason: backend.Say("This file isn't in the chat's folder.")})
		}
	}
	seen := map[backend.UndoRest]bool{}
	rest = slices.DeleteFunc(rest, func(r backend.UndoRest) bool {
		again := seen[r]
		seen[r] = true
		return again
	})
	rest = rest[:min(len(rest), maxRest)]
	if ran && err == nil {
		var has bool
		if has, err = p.st.HasIgnored(p.Now); has {
			rest = append(rest, backend.UndoRest{Reason: backend.Say("VoxPilot keeps no copies of files that Git ignores. If a command changed any, they stay as they are.")})
		}
	}
	return rest, err
}

// lasting returns the reasons why the effects of a command that ran in folder aren't all undone.
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
		return backend.Say("This file is too large for VoxPilot to keep a copy.")
	case snapshot.TooMuch:
		return backend.Say("The folder is too large, so VoxPilot kept no copy of this file.")
	case snapshot.Unreadable:
		return backend.Say("VoxPilot couldn't read this file.")
	case snapshot.NotWritable:
		return backend.Say("The system didn't allow the change.")
	case snapshot.NotStored:
		return backend.Say("Its earlier content is no longer stored.")
	case snapshot.Meanwhile:
		return backend.Say("It changed a moment ago.")
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
		return backend.Say("Its permissions were later changed outside VoxPilot.")
	case snapshot.FolderInWay:
		return backend.Say("There's now a folder in its place.")
	case snapshot.NotFolder:
		return backend.Say("There's now a file in place of its folder.")
	}
	return backend.Say("Edited outside VoxPilot.")
}

// reasonFor returns the reason why a turn can't be undone, which err shows.
func reasonFor(err error) backend.Message {
	switch {
	case errors.Is(err, snapshot.ErrTooManyFiles):
		return backend.Say("The folder has too many files for VoxPilot to keep copies of them.")
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
