package engine

import (
	"context"
	"os"
	"path/filepath"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/environment"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// openInEditor opens the file at path in the user's editor, at the given line. The file must be in the chat's folder
// or mentioned in the chat's transcript. If path is relative, it is relative to the folder.
func (e *Engine) openInEditor(ctx context.Context, chatID, path string, line int) error {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	place, err := workspace.Locate(chat.Folder, realpath.Join(chat.Folder, path))
	if err != nil {
		return err
	}
	if !place.Inside {
		named, err := e.Store.Names(ctx, chatID, path)
		if err != nil {
			return err
		}
		if !named {
			return backend.Invalid("%s is outside the chat's folder and nothing in the chat refers to it, so VoxPilot didn't open it.", path)
		}
	}
	return workspace.OpenInEditor(ctx, place, e.editorTarget(chat, max(line, 0)))
}

// openFolder shows the chat's folder in the file manager.
func (e *Engine) openFolder(ctx context.Context, chatID string) error {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	return workspace.OpenFolder(ctx, chat.Folder, e.editorTarget(chat, 0))
}

// openSessionFolder shows the folder with Copilot's session files in the file manager.
func (e *Engine) openSessionFolder(ctx context.Context) error {
	home := CLIHome(e.Setup.Settings())
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return err
		}
		home = filepath.Join(user, ".copilot")
	}
	return workspace.OpenFolder(ctx, home, e.editorTarget(backend.Chat{Folder: home}, 0))
}

// editorTarget returns the parameters for opening the chat's folder, or a file of the chat, in an editor. The
// editor's environment contains none of the user's tokens, because environment.TakeTokens has removed them.
func (e *Engine) editorTarget(chat backend.Chat, line int) workspace.EditorTarget {
	path := e.LoginPath()
	return workspace.EditorTarget{
		Editor: e.Setup.Settings().Editor, Folder: chat.Folder, Line: line,
		LookUp: func(program string) string {
			found, _ := environment.LookUp(program, path)
			return found
		},
		Env: append(os.Environ(), "PATH="+path),
	}
}

// FoldersAt suggests folders for the incomplete path that the user has typed, at most workspace.MaxFolders. It never
// lists files.
func (a *API) FoldersAt(typed string) ([]string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), CallTime)
	defer cancel()
	return workspace.FoldersAt(ctx, typed)
}
