package main

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
)

// setPermissionMode says what the agents of a chat may do without asking.
func (e *engine) setPermissionMode(ctx context.Context, chatID string, mode backend.PermissionMode) error {
	switch mode {
	case backend.ModeAsk, backend.ModeAcceptEdits, backend.ModeBypass:
	default:
		return &backend.Error{Code: backend.CodeInvalid, Message: "There is no such permission mode.", Detail: string(mode)}
	}
	return e.chats.Change(ctx, chatID, func(c *backend.Chat) { c.PermissionMode = mode })
}

// setProvider has another answerer go on with a chat.
func (e *engine) setProvider(ctx context.Context, chatID, providerID string) error {
	if err := e.knowsProvider(providerID); err != nil {
		return err
	}
	return e.chats.Change(ctx, chatID, func(c *backend.Chat) { c.ProviderID = providerID })
}

var errSoon = &backend.Error{Code: backend.CodeUnavailable, Message: "The agent cannot do this yet."}

func (g *agents) view(context.Context, string) error { return nil }

func (g *agents) setMode(context.Context, string, string, string) error { return errSoon }

func (g *agents) setOption(context.Context, string, string, string, string) error { return errSoon }

func (g *agents) stop(string) error { return errSoon }

func (g *agents) saveProtocol(string) error { return errSoon }
