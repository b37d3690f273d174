package main

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// How many chats and folders the quick prompt offers.
const (
	quickChats   = 5
	quickFolders = 3
)

// quickShow is what the quick prompt shows now, but for its text.
func (a *App) quickShow() (show backend.QuickShow) {
	home, _ := os.UserHomeDir() // without one, nothing is shortened to ~
	a.overview.look(func(now view) {
		s := now.settings
		show = backend.QuickShow{
			Targets: quickTargets(now, home), MainID: s.MainID, Mode: s.Mode,
			Theme: s.Theme, Contrast: s.Contrast, Motion: s.Motion, TextSize: s.TextSize, Language: s.Language,
		}
	})
	show.Answerers = []backend.Choice{{ID: "", Name: "GitHub Copilot"}}
	a.mu.Lock()
	e := a.eng
	a.mu.Unlock()
	if e != nil {
		show.Answerers = append(show.Answerers, e.mainChoices()...)
	}
	if !slices.ContainsFunc(show.Answerers, func(c backend.Choice) bool { return c.ID == show.MainID }) {
		show.MainID = ""
	}
	return show
}

// mainChoices are the models of the user's own that can answer a chat, in the
// order in which they were added.
func (e *engine) mainChoices() (choices []backend.Choice) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var providers []backend.Provider
	for _, p := range e.providers {
		providers = append(providers, p)
	}
	slices.SortFunc(providers, func(a, b backend.Provider) int { return cmp.Compare(a.CreatedAt, b.CreatedAt) })
	for _, p := range providers {
		choices = append(choices, backend.Choice{ID: p.ID, Name: cmp.Or(p.Model, p.Name), Description: p.Name})
	}
	return choices
}

// recent are the chats that a message can go to, the newest first.
func recent(now view) []backend.Chat {
	chats := make([]backend.Chat, 0, len(now.chats))
	for _, chat := range now.chats {
		if chat.DeletedAt == 0 && !chat.Archived && chat.ProviderID != backend.ProviderPractice {
			chats = append(chats, chat)
		}
	}
	slices.SortFunc(chats, func(a, b backend.Chat) int {
		return cmp.Or(cmp.Compare(b.UpdatedAt, a.UpdatedAt), cmp.Compare(a.ID, b.ID))
	})
	return chats
}

// foldersOf are the folders of chats, in their order.
func foldersOf(chats []backend.Chat) (folders []string) {
	seen := map[string]bool{}
	for _, chat := range chats {
		if !seen[chat.Folder] {
			seen[chat.Folder] = true
			folders = append(folders, chat.Folder)
		}
	}
	return folders
}

// quickTargets are where a message can go: a new chat in the folder that was used
// last, the chats that were, and new chats in other folders.
func quickTargets(now view, home string) []backend.QuickTarget {
	chats := recent(now)
	newIn := func(folder string) backend.QuickTarget {
		return backend.QuickTarget{Folder: folder, Name: filepath.Base(folder), Place: shorten(filepath.Dir(folder), home)}
	}
	targets := []backend.QuickTarget{}
	folders := foldersOf(chats)
	folders = folders[:min(len(folders), quickFolders)]
	if len(folders) > 0 {
		targets = append(targets, newIn(folders[0]))
	}
	for _, chat := range chats[:min(len(chats), quickChats)] {
		target := newIn(chat.Folder)
		target.ChatID, target.Title, target.State = chat.ID, chat.Title, quickState(now, chat)
		targets = append(targets, target)
	}
	for i, folder := range folders {
		if i > 0 {
			targets = append(targets, newIn(folder))
		}
	}
	return targets
}

// shorten is a path with ~ for the user's home.
func shorten(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}

// quickState is how a chat stands, in the order of the sidebar.
func quickState(now view, chat backend.Chat) backend.QuickState {
	for _, request := range now.requests {
		if request.ChatID == chat.ID {
			return backend.QuickWaiting
		}
	}
	connection := now.connections[chat.ID]
	crashed := connection.Cause == backend.CauseExited || connection.Cause == backend.CauseExitedAtOnce
	switch {
	case connection.State == backend.NeedsLogin:
		return backend.QuickSignIn
	case (connection.State == backend.Waiting || connection.State == backend.Failed) && crashed, chat.TurnState == backend.TurnInterrupted:
		return backend.QuickCrashed
	case connection.State == backend.Failed || chat.TurnState == backend.TurnFailed:
		return backend.QuickFailed
	case chat.TurnState == backend.TurnRunning:
		return backend.QuickRunning
	case chat.Unread:
		return backend.QuickUnread
	}
	return backend.QuickIdle
}
