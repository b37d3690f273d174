package engine

import (
	"context"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/setup"
	"github.com/voxpilot/voxpilot/backend/wholeagent"
)

// SaveProvider adds or changes one of the user's models. If key is empty, the stored key is kept.
func (a *API) SaveProvider(p backend.Provider, key string) (saved backend.Provider, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		saved, err = e.Setup.SaveProvider(ctx, p, key)
		if err == nil {
			e.Agents.outdate(saved.ID)
		}
		return err
	})
	return saved, err
}

// DeleteProvider deletes one of the user's models and its key.
func (a *API) DeleteProvider(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		err := e.Setup.DeleteProvider(ctx, id)
		if err == nil {
			e.Agents.outdate(id)
		}
		return err
	})
}

// SaveProfile adds or changes a custom agent. env holds the values of the agent's environment variables. If a value
// is "", the stored value is kept.
func (a *API) SaveProfile(p backend.CustomAgent, env map[string]string) (saved backend.CustomAgent, err error) {
	err = a.Call(func(ctx context.Context, e *Engine) error {
		saved, err = e.Setup.SaveProfile(ctx, p, env)
		if err == nil {
			e.Agents.outdate(saved.ID)
			e.agentAuth.Reset(saved.ID) // its methods are those of the earlier command
		}
		return err
	})
	return saved, err
}

// DeleteProfile deletes a custom agent and the values of its environment variables.
func (a *API) DeleteProfile(id string) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		err := e.Setup.DeleteProfile(ctx, id)
		if err == nil {
			e.Agents.outdate(id)
			e.agentAuth.Reset(id)
		}
		return err
	})
}

// saveSettings stores the settings and applies the changes to running components. For example, it detects the CLI again
// if the CLI's path has changed.
func (e *Engine) saveSettings(ctx context.Context, s backend.Settings) error {
	if err := setup.Check(s); err != nil {
		return err
	}
	was, err := e.Setup.Change(ctx, func(now *backend.Settings) { *now = s })
	if err != nil {
		return err
	}
	if s.SignIn != was.SignIn || s.ClientID != was.ClientID || s.CopilotHome != was.CopilotHome {
		if err := e.Auth.Recheck(ctx); err != nil {
			return err
		}
	}
	if s.CLIPath != was.CLIPath {
		e.Agents.outdate("")
		e.tasks.Go(func() { e.findCLI() })
	}
	if wholeagent.PlacesChanged(was.Sandbox, s.Sandbox) {
		e.Agents.outdateIf(e.wholeAgents.Runs)
	}
	if s.UndoDays != was.UndoDays || s.UndoGB != was.UndoGB {
		e.Undo.LimitsChanged()
	}
	if s.SearchSessions != was.SearchSessions {
		e.SessionSearch.Changed()
	}
	if s.AskOutside != was.AskOutside {
		e.Permissions.ModeChanged(ctx, "")
	}
	return nil
}

// Mute mutes or unmutes notifications.
func (a *API) Mute(muted bool) error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		_, err := e.Setup.Change(ctx, func(s *backend.Settings) { s.Notify.Muted = muted })
		return err
	})
}

// RefreshEnvironment reads the agents' environment from the login shell again. If it has changed, running agents
// restart with their next message.
func (a *API) RefreshEnvironment() error {
	return a.Call(func(ctx context.Context, e *Engine) error {
		before := e.Shell.Shell()
		after := e.Shell.Refresh()
		if !slices.Equal(before.Path, after.Path) || !slices.Equal(before.Vars, after.Vars) {
			e.Agents.outdate("")
			e.tasks.Go(func() { e.findCLI() })
			return e.Auth.Recheck(ctx)
		}
		return nil
	})
}
