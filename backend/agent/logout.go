package agent

import (
	"context"
	"errors"
	"log/slog"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/internal/process"
)

// Logout starts an agent, calls ACP logout to remove the agent's own login, and ends the agent. Its errors
// are *backend.Error, or context.Canceled if ctx was canceled.
func Logout(ctx context.Context, l Launch, version string, log *slog.Logger) error {
	failed := func(err error) error {
		if errors.Is(ctx.Err(), context.Canceled) {
			return ctx.Err()
		}
		return &backend.Error{
			Code: backend.CodeAgent, Detail: err.Error(),
			Message: backend.Say("Couldn't sign out of Copilot CLI. Run it in a terminal and type /logout."),
		}
	}
	_, err := withConnection(ctx, l, version, log, func(k *conn) error {
		_, err := k.within(ctx, func() (gjson.Result, error) {
			return k.send(sdk.AgentMethodLogout, sdk.UnstableLogoutRequest{})
		})
		return err
	})
	if err != nil {
		return failed(err)
	}
	return nil
}

// Ask starts an agent, reads its name, version, capabilities and stderr, and ends it. If Ask fails, it returns the
// values read so far along with the error.
func Ask(ctx context.Context, l Launch, version string, log *slog.Logger) (backend.Connection, error) {
	k, err := withConnection(ctx, l, version, log, func(*conn) error { return nil })
	c := backend.Connection{Path: l.location()}
	if k == nil {
		return c, err
	}
	c.Stderr = k.proc.Stderr.Last()
	k.mu.RLock()
	c.Agent, c.Version = k.agentName, k.version
	k.mu.RUnlock()
	if can := k.declaredCapabilities(); err == nil {
		c.Capabilities = &can
	}
	return c, err
}

// withConnection starts an agent outside any chat, initializes it, calls the function do, and stops the agent. It
// returns the ended connection, or nil if the agent couldn't be started.
func withConnection(ctx context.Context, l Launch, version string, log *slog.Logger, do func(*conn) error) (*conn, error) {
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	k, err := connect(l, process.NeutralFolder(), log, handlers{
		onBadMessage: func(backend.Message) {}, onSessionLost: func(string, bool) {}, onCapabilities: func(*conn) {}, onSignInRequired: func(*conn) {},
		onElicitationEnd: func(string) {}, acquire: func() func() { return func() {} }, protocolLog: &acp.ProtocolLog{},
	})
	if err != nil {
		return nil, err
	}
	k.expected.Store(true)
	defer k.stop(context.WithoutCancel(ctx))
	if err := k.initialize(ctx, version); err != nil {
		return k, err
	}
	return k, do(k)
}
