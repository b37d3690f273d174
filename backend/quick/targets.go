package quick

import (
	"os"
	"path/filepath"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
)

// Maximum numbers of chats and folders listed in the quick prompt.
const (
	maxChats   = 5
	maxFolders = 3
)

// view returns the current content of the quick prompt's window, except the unsent text.
func (q *Prompt) view() (show backend.QuickView) {
	home, _ := os.UserHomeDir() // if unknown, no path is shortened to ~
	q.api.Overview.View(func(now overview.State) {
		s := now.Settings
		show = backend.QuickView{
			Targets: targets(now, home), Mode: s.Mode,
			Theme: s.Theme, Contrast: s.Contrast, Motion: s.Motion, TextSize: s.TextSize, Language: s.Language,
		}
	})
	show.Models = []backend.QuickModel{{Name: "GitHub Copilot"}}
	e, _ := q.api.Current()
	if e != nil {
		b := e.DefaultModel()
		show.OrchestratorID, show.AgentID = b.OrchestratorID, b.QuickAgent()
		show.Models = append(show.Models, e.Setup.QuickModels(show.AgentID)...)
		for i, model := range show.Models {
			show.Models[i].Sandbox = e.NewChatSandbox(model.AgentID).On
		}
	}
	return show
}

// foldersOf returns the distinct folders of chats, in order of first appearance.
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

// targets returns the places to which a message can be sent, in this order: a new chat in the last used folder, recent
// chats, and new chats in other folders.
func targets(now overview.State, home string) []backend.QuickTarget {
	chats := overview.Recent(now)
	newIn := func(folder string) backend.QuickTarget {
		return backend.QuickTarget{Folder: folder, Name: filepath.Base(folder), Place: shorten(filepath.Dir(folder), home)}
	}
	targets := []backend.QuickTarget{}
	folders := foldersOf(chats)
	folders = folders[:min(len(folders), maxFolders)]
	if len(folders) > 0 {
		targets = append(targets, newIn(folders[0]))
	}
	for _, chat := range chats[:min(len(chats), maxChats)] {
		target := newIn(chat.Folder)
		target.ChatID, target.Title, target.State, target.Sandbox = chat.ID, chat.Title, stateOf(now, chat), chat.Sandbox.On
		targets = append(targets, target)
	}
	for i, folder := range folders {
		if i > 0 {
			targets = append(targets, newIn(folder))
		}
	}
	return targets
}

// shorten returns path with the user's home directory replaced by ~.
func shorten(path, home string) string {
	if rest, ok := strings.CutPrefix(path, home); ok && home != "" && (rest == "" || os.IsPathSeparator(rest[0])) {
		return "~" + rest
	}
	return path
}

// stateOf returns the state of a chat, with the same precedence as the sidebar.
func stateOf(now overview.State, chat backend.Chat) backend.QuickState {
	connection := now.Connections[chat.ID]
	crashed := connection.Cause == backend.CauseExited || connection.Cause == backend.CauseExitedOnStart
	switch {
	case len(now.Asks(chat.ID)) > 0:
		return backend.QuickWaiting
	case connection.State == backend.ConnectionNeedsLogin:
		return backend.QuickSignIn
	case connection.State == backend.ConnectionNeedsTrust:
		return backend.QuickTrust
	case (connection.State == backend.ConnectionWaiting || connection.State == backend.ConnectionFailed) && crashed, chat.TurnState == backend.TurnInterrupted:
		return backend.QuickCrashed
	case connection.State == backend.ConnectionFailed || chat.TurnState == backend.TurnFailed:
		return backend.QuickFailed
	case chat.TurnState == backend.TurnRunning:
		return backend.QuickRunning
	case chat.Unread:
		return backend.QuickUnread
	}
	return backend.QuickIdle
}
