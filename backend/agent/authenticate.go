package agent

import (
	"context"
	"errors"
	"log/slog"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/agent/signin"
)

// limitAuthenticate is the time that the user has for a sign-in, before VoxPilot gives up.
const limitAuthenticate = 24 * time.Hour

// AskSignIn starts an agent outside any chat, reads its sign-in methods, and ends it.
func AskSignIn(ctx context.Context, l Launch, version string, log *slog.Logger) (signin.Offer, error) {
	k, err := withConnection(ctx, l, version, log, func(*conn) error { return nil })
	if err != nil {
		return signin.Offer{}, err
	}
	return k.declaredSignIn(), nil
}

// Authenticate starts an agent outside any chat, runs one of its sign-in methods (ACP authenticate), and ends the agent.
// The user may have to do something meanwhile, such as signing in on a web page.
func Authenticate(ctx context.Context, l Launch, version string, log *slog.Logger, methodID string) error {
	_, err := withConnection(ctx, l, version, log, func(k *conn) error {
		_, err := await(ctx, limitAuthenticate, func() (gjson.Result, error) {
			return k.rpc.Call(sdk.AgentMethodAuthenticate, sdk.AuthenticateRequest{MethodId: methodID})
		})
		return err
	})
	return err
}

// SignOut starts an agent outside any chat, calls ACP logout, and ends the agent.
func SignOut(ctx context.Context, l Launch, version string, log *slog.Logger) error {
	_, err := withConnection(ctx, l, version, log, func(k *conn) error {
		_, err := k.within(ctx, func() (gjson.Result, error) {
			return k.send(sdk.AgentMethodLogout, sdk.UnstableLogoutRequest{})
		})
		return err
	})
	return err
}

func (c *conn) declaredSignIn() signin.Offer {
	c.mu.RLock()
	defer c.mu.RUnlock()
	return c.signIn
}

// Words returns an agent's own words for a failed request, or "" if the agent gave none.
func Words(err error) string {
	var r *sdk.RequestError
	if errors.As(err, &r) {
		return signin.Plain(r.Message)
	}
	return ""
}
