package agent

import (
	"context"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/session"
)

// SetMode puts the named session into a mode of its Session.Modes.
func (a *Agent) SetMode(ctx context.Context, name, modeID string) error {
	return a.set(ctx, name, backend.Say("The mode was not changed"), func(ctx context.Context, s *session.Session) error { return s.SetMode(ctx, modeID) })
}

// SetOption gives an option of the named session's Session.Options a value; a
// boolean is "true" or "false".
func (a *Agent) SetOption(ctx context.Context, name, optionID, value string) error {
	return a.set(ctx, name, backend.Say("The setting was not changed"), func(ctx context.Context, s *session.Session) error { return s.SetOption(ctx, optionID, value) })
}

// AskAgain has the named session's agent ask for permission again, where its own
// option or a mode such as autopilot let it ask nothing.
func (a *Agent) AskAgain(ctx context.Context, name string) error {
	return a.set(ctx, name, backend.Say("Copilot still asks nothing"), func(ctx context.Context, s *session.Session) error { return s.AskAgain(ctx) })
}

// set changes something of the named session, which is brought into a process for it.
// failed says for a person what was not done, where it fails.
func (a *Agent) set(ctx context.Context, name string, failed backend.Message, change func(context.Context, *session.Session) error) error {
	defer a.hold()()
	k, s, err := a.here(ctx, name)
	if err == nil {
		err = change(ctx, s)
	}
	return toldAs(k, err, failed)
}
