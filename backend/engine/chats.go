package engine

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/overview"
	"github.com/voxpilot/voxpilot/backend/practice"
	"github.com/voxpilot/voxpilot/backend/setup"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// PinChat pins a chat above the other chats in its folder, or unpins it.
func (a *API) PinChat(id string, pinned bool) error {
	return a.change(id, func(c *backend.Chat) { c.Pinned = pinned })
}

// ArchiveChat archives or unarchives a chat. Sending a message also unarchives it.
func (a *API) ArchiveChat(id string, archived bool) error {
	return a.change(id, func(c *backend.Chat) { c.Archived = archived })
}

// CreateChat creates a chat in a folder. providerID is backend.ProviderCopilot, or the ID of a provider or custom
// agent set up by the user.
func (a *API) CreateChat(folder, providerID string) (chat backend.Chat, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		folder, err := workspace.Resolve(folder)
		if err != nil {
			return err
		}
		if err := e.Setup.CheckExists(providerID); err != nil {
			return err
		}
		chat, err = e.Chats.Create(ctx, folder, providerID, "", e.Setup.Settings().Mode)
		return err
	})
	return chat, err
}

// StartPractice creates a chat in the practice folder, creating the folder if needed.
// The built-in scripted model server answers the chat's messages.
func (a *API) StartPractice() (chat backend.Chat, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		folder := filepath.Join(a.Dir, "practice", "hello-voxpilot")
		if err := practice.Folder(folder); err != nil {
			return &backend.Error{Code: backend.CodeStorage, Message: backend.Say("Couldn't create the practice folder in %s.", folder), Detail: err.Error()}
		}
		chat, err = e.Chats.Create(ctx, folder, backend.ProviderPractice, "", e.Setup.Settings().Mode)
		return err
	})
	return chat, err
}

// RenameChat sets a chat's title as typed by the user.
func (a *API) RenameChat(id, title string) error {
	title, err := checkTitle(title)
	if err != nil {
		return err
	}
	return a.change(id, func(c *backend.Chat) { c.Title, c.TitleByUser = title, true })
}

// MarkRead marks the newest turn of the chat as seen by the user.
func (a *API) MarkRead(id string) error {
	return a.change(id, func(c *backend.Chat) { c.Unread = false })
}

// SaveDraft stores the unsent text in a chat's composer, together with the attachments.
func (a *API) SaveDraft(id, text string, attachments []backend.Attachment) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		if err := e.adopt(ctx, id, attachments); err != nil {
			return err
		}
		return e.Chats.SaveDraft(ctx, id, text, attachments)
	})
}

// LocateFolder sets the new path of a chat's folder.
func (a *API) LocateFolder(id, folder string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		folder, err := workspace.Resolve(folder)
		if err != nil {
			return err
		}
		if err := e.Chats.Change(ctx, id, func(c *backend.Chat) { c.Folder = folder }); err != nil {
			return err
		}
		e.Agents.relocate(id, folder)
		return nil
	})
}

func (a *API) change(id string, change func(*backend.Chat)) error {
	return a.Call(func(ctx context.Context, e *Engine) error { return e.Chats.Change(ctx, id, change) })
}

// Send sends the user's message with its attachments. It returns the ID of the message's item. If the message has to
// wait, it returns the ID of the queued prompt instead.
func (a *API) Send(chatID, text string, attachments []backend.Attachment) (id string, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		if err = e.adopt(ctx, chatID, attachments); err != nil {
			return err
		}
		id, err = e.Chats.Send(ctx, chatID, text, attachments...)
		if err == nil {
			e.noteMentions(chatID, attachments)
		}
		return err
	})
	return id, err
}

// dismiss marks a banner in the transcript as dismissed.
func (e *Engine) dismiss(ctx context.Context, itemID string) error {
	item, err := e.Store.Item(ctx, itemID)
	if err != nil {
		return err
	}
	if item.Banner == nil {
		return backend.Invalid("Only banners can be dismissed.")
	}
	item.Banner.Dismissed = true
	e.Bus.Publish(backend.Event{Item: &item})
	return nil
}

// checkTitle normalizes the white space in a title and rejects a title that is empty or too long.
func checkTitle(title string) (string, error) {
	title = strings.Join(strings.Fields(title), " ")
	switch {
	case title == "":
		return "", backend.Invalid("Enter a title for the chat.")
	case utf8.RuneCountInString(title) > 200:
		return "", &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("The title is too long. The limit is 200 characters.")}
	}
	return title, nil
}

// DefaultModel returns the model or agent for a new chat (setup.Manager.DefaultModel). The page has its own
// implementation for the chats that it creates (frontend/src/state/newChatAgent.ts).
func (e *Engine) DefaultModel() setup.DefaultModel {
	var chats []backend.Chat
	var account backend.Account
	asks := map[string]bool{} // agents that are waiting for a sign-in
	e.Overview.View(func(now overview.State) {
		chats, account = overview.Recent(now), now.Account
		for _, chat := range now.Chats {
			if now.Connections[chat.ID].State == backend.ConnectionNeedsLogin {
				asks[chat.ProviderID] = true
			}
		}
	})
	return e.Setup.DefaultModel(chats, account, asks)
}

// setInitialOptions stores the mode and the options that the user chose for a chat whose agent hasn't run yet. They are
// stored in the row of the main session and applied when the agent creates that session (agent.Agent). Choices that the
// agent didn't declare, and modes in which it never asks for permission, are ignored. If the user chose no usable mode,
// the one in the settings is stored, if that is usable.
func (e *Engine) setInitialOptions(ctx context.Context, chatID, mode string, options map[string]string) error {
	chat, err := e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	return e.Agents.change(ctx, chatID, func() error {
		sessions, err := e.Store.Sessions(ctx, chatID)
		if err != nil {
			return err
		}
		begun := func(s backend.Session) bool {
			return s.Name == backend.SessionMain && (s.ACPID != "" || s.HadPrompt || s.ReplacesID != "")
		}
		if slices.ContainsFunc(sessions, begun) {
			return backend.Invalid("This chat has already started. Change its mode and model below the message field.")
		}
		known, err := e.Store.DeclaredOptions(ctx, chat.ProviderID)
		if err != nil || len(known.Modes)+len(known.Options) == 0 {
			return err
		}
		now := backend.Now()
		s := backend.Session{
			ChatID: chatID, Name: backend.SessionMain, Cwd: chat.Folder, State: backend.SessionUnloaded, CreatedAt: now, UsedAt: now,
			Modes: known.Modes, Options: known.Options,
		}
		for _, id := range []string{mode, e.Setup.Settings().AgentMode} {
			if s.Mode == "" && !backend.AsksNothing(id) && slices.ContainsFunc(s.Modes, func(m backend.Choice) bool { return m.ID == id }) {
				s.Mode = id
			}
		}
		for i, o := range s.Options {
			value, ok := options[o.ID]
			switch {
			case !ok:
			case o.Type == backend.ConfigBoolean && (value == "true" || value == "false"),
				slices.ContainsFunc(o.Choices, func(c backend.Choice) bool { return c.ID == value }):
				s.Options[i].Value = value
			}
		}
		return e.Bus.Commit(ctx, backend.Event{Session: &s})
	})
}
