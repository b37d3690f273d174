package session

import (
	"cmp"
	"context"
	"slices"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent/option"
)

// IDs of the options that VoxPilot handles specially.
const (
	optionAllowAll = "allow_all" // the Copilot CLI's option not to request permission
	// optionModel is the ID that VoxPilot gives the model option if the agent declares its models in the form
	// that predates options.
	optionModel = "model"
)

// choices holds the state of a session's mode and options that isn't in its row, such as the form in which
// the agent declares them.
type choices struct {
	modes     bool   // the agent declares the mode in modes; session/set_mode sets it
	modeBy    string // the ID of the option that sets the mode, if modes is false
	models    bool   // the agent declares the model in models; session/set_model sets it
	allowAll  bool   // the agent's allow-all option is on
	allowBool bool   // that option is a boolean
	replayed  string // the last mode reported in a replay
	announced bool   // the agent has declared options
}

// Configure applies the modes and options in answer, the response to the request that created or loaded the session.
func (s *Session) Configure(answer gjson.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setRow(func(r *backend.Session) {
		if s.choices.replayed != "" { // older agents' responses contain no mode
			r.Mode = s.choices.replayed
		}
		if m := answer.Get("modes"); m.IsObject() {
			s.choices.modes = true
			r.Mode, r.Modes = m.Get("currentModeId").String(), nil
			m.Get("availableModes").ForEach(func(_, e gjson.Result) bool {
				r.Modes = append(r.Modes, backend.Choice{
					ID: e.Get("id").String(), Name: e.Get("name").String(), Description: e.Get("description").String(),
				})
				return true
			})
		}
		s.declare(r, answer)
		if m := answer.Get("models"); m.IsObject() {
			s.models(r, m)
		}
		r.AllowAll = s.choices.allowAll || backend.AsksNothing(r.Mode)
		r.State = backend.SessionLoaded
	})
}

// declare stores the agent's configOptions in r, the session's row, where they replace the earlier options. v is a
// message from the agent. If it contains no configOptions, declare does nothing. The caller must hold s.mu.
func (s *Session) declare(r *backend.Session, v gjson.Result) {
	list := v.Get("configOptions")
	if !list.IsArray() {
		return
	}
	s.choices.announced = true
	var options []backend.ConfigOption
	list.ForEach(func(_, e gjson.Result) bool {
		o, ok := option.Parse(e)
		switch {
		case !ok:
			s.log.Debug("ignored an option of an unknown type", "id", e.Get("id").String(), "type", e.Get("type").String())
		case o.ID == optionAllowAll:
			s.choices.allowAll, s.choices.allowBool = o.Value == "on" || o.Value == "true", o.Type == backend.ConfigBoolean
		case o.ID == "mode" || o.Category == "mode" && s.choices.modeBy == "" || s.choices.modeBy != "" && o.ID == s.choices.modeBy:
			// Ignore the mode option if there are modes: the Copilot CLI's mode option lags one change behind.
			if !s.choices.modes {
				s.choices.modeBy = o.ID
				r.Mode, r.Modes = o.Value, o.Choices
			}
		default:
			options = append(options, o)
		}
		return true
	})
	r.Options = options
	r.AllowAll = s.choices.allowAll || backend.AsksNothing(r.Mode)
}

// models adds an option for the model to r, the session's row. Its choices are the models in m, which the agent
// declares in the form that ACP used before it had options. If the row already has an option for the model, models does
// nothing. The caller must hold s.mu.
func (s *Session) models(r *backend.Session, m gjson.Result) {
	for _, o := range r.Options {
		if o.ID == optionModel || o.Category == option.CategoryModel {
			return // already declared as an option
		}
	}
	s.choices.models = true
	r.Options = append(r.Options, option.Models(optionModel, m))
}

// setCurrentMode records the session's current mode in the row. The caller must hold s.mu.
func (s *Session) setCurrentMode(mode string) {
	s.setRow(func(r *backend.Session) {
		r.Mode = mode
		r.AllowAll = s.choices.allowAll || backend.AsksNothing(mode)
	})
}

// SetMode sets the session's mode in the agent. While the guard is off, it returns errGuardOff for a mode
// without permission requests.
func (s *Session) SetMode(ctx context.Context, modeID string) error {
	if err := s.checkGuardFor(backend.AsksNothing(modeID)); err != nil {
		return err
	}
	s.mu.Lock()
	by := s.choices.modeBy
	s.mu.Unlock()
	if by != "" {
		return s.SetOption(ctx, by, modeID)
	}
	params := sdk.SetSessionModeRequest{SessionId: sdk.SessionId(s.ID), ModeId: sdk.SessionModeId(modeID)}
	return s.cfg.Send(ctx, sdk.AgentMethodSessionSetMode, params, func(gjson.Result) {
		s.mu.Lock()
		defer s.mu.Unlock()
		if !s.unloaded.Load() {
			s.setCurrentMode(modeID)
		}
	})
}

// AskAgain makes the agent request permission again: it turns off the agent's allow-all option and, if the mode never
// asks for permission, switches to one that does. It returns an error if the agent has no such mode.
func (s *Session) AskAgain(ctx context.Context) error {
	s.mu.Lock()
	on, off, row := s.choices.allowAll, "off", s.row
	if s.choices.allowBool {
		off = "false"
	}
	s.mu.Unlock()
	if on {
		if err := s.SetOption(ctx, optionAllowAll, off); err != nil {
			return err
		}
	}
	if !backend.AsksNothing(row.Mode) {
		return nil
	}
	i := slices.IndexFunc(row.Modes, func(m backend.Choice) bool { return !backend.AsksNothing(m.ID) })
	if i < 0 {
		return backend.Problem("the agent has no mode that asks for permission")
	}
	return s.SetMode(ctx, row.Modes[i].ID)
}

// SetOption sets an option in the agent; booleans are "true" or "false". While the guard is off, it returns
// errGuardOff for a value that turns off permission requests.
func (s *Session) SetOption(ctx context.Context, id, value string) error {
	if err := s.checkGuardFor(id == optionAllowAll && value != "off" && value != "false" || backend.AsksNothing(value)); err != nil {
		return err
	}
	s.mu.Lock()
	row, models, boolean := s.row, s.choices.models, id == optionAllowAll && s.choices.allowBool
	s.mu.Unlock()
	sid := sdk.SessionId(s.ID)
	for _, o := range row.Options {
		boolean = boolean || o.ID == id && o.Type == backend.ConfigBoolean
	}
	method, params := sdk.AgentMethodSessionSetConfigOption, any(sdk.SetSessionConfigOptionValueId{SessionId: sid, ConfigId: sdk.SessionConfigId(id), Value: sdk.SessionConfigValueId(value)})
	switch {
	case models && id == optionModel:
		method, params = sdk.AgentMethodSessionSetModel, map[string]any{"sessionId": sid, "modelId": value}
	case boolean:
		params = sdk.SetSessionConfigOptionBoolean{SessionId: sid, ConfigId: sdk.SessionConfigId(id), Type: string(backend.ConfigBoolean), Value: value == "true"}
	}
	return s.cfg.Send(ctx, method, params, func(answer gjson.Result) { s.optionSet(id, value, answer) })
}

// optionSet records an option's new value after the agent has set it. answer is the agent's response.
func (s *Session) optionSet(id, value string, answer gjson.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.unloaded.Load() {
		return
	}
	s.setRow(func(r *backend.Session) {
		r.Options = append([]backend.ConfigOption(nil), r.Options...)
		for i := range r.Options {
			if r.Options[i].ID == id {
				r.Options[i].Value = value
			}
		}
		s.declare(r, answer)
		if s.choices.modes && id == "mode" {
			r.Mode = value
		}
		r.AllowAll = s.choices.allowAll || backend.AsksNothing(r.Mode)
	})
}

// InheritOptions applies the mode and the options of the session that this one replaces, if the agent still offers
// them. The parameter before is the row of the replaced session. InheritOptions never applies a mode without permission
// requests or the allow-all option. Errors are only logged.
func (s *Session) InheritOptions(before backend.Session) {
	note := func(what string, err error) {
		if err != nil {
			s.log.Warn("couldn't apply an option of the previous session", "option", what, "err", err)
		}
	}
	if row := s.Row(); before.Mode != row.Mode && !backend.AsksNothing(before.Mode) && option.Offers(row.Modes, before.Mode) {
		note("mode", s.SetMode(s.cfg.Process, before.Mode))
	}
	// Set the model first: it may change or reset other options.
	wanted := slices.SortedStableFunc(slices.Values(before.Options), func(a, b backend.ConfigOption) int {
		return cmp.Compare(dependencyRank(a), dependencyRank(b))
	})
	for _, was := range wanted {
		for _, o := range s.Row().Options {
			if was.ID == o.ID && was.Type == o.Type && was.Value != o.Value && (o.Type == backend.ConfigBoolean || option.Offers(o.Choices, was.Value)) {
				note(o.ID, s.SetOption(s.cfg.Process, o.ID, was.Value))
			}
		}
	}
}

// dependencyRank returns 0 for options that other options depend on, and 1 for all others.
func dependencyRank(o backend.ConfigOption) int {
	if o.ID == optionModel || o.Category == option.CategoryModel {
		return 0
	}
	return 1
}

// SetFirstMode sets the initial mode of a session that doesn't replace another. It keeps the agent's default if the
// agent doesn't offer the mode or the mode never asks for permission. Errors are only logged.
func (s *Session) SetFirstMode(mode string) {
	row, log := s.Row(), s.log.With("mode", mode)
	switch {
	case mode == "" || mode == row.Mode:
	case backend.AsksNothing(mode) || !option.Offers(row.Modes, mode):
		log.Warn("the agent doesn't support the mode of new chats; keeping its own", "own", row.Mode)
	default:
		if err := s.SetMode(s.cfg.Process, mode); err != nil {
			log.Warn("couldn't set the mode of new chats", "own", row.Mode, "err", err)
		}
	}
}
