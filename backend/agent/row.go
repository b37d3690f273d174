package agent

import (
	"reflect"
	"strings"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

// setRow changes the session's row, and saves it where it is another one then.
func (s *session) setRow(change func(*backend.Session)) {
	next := s.row
	change(&next)
	if reflect.DeepEqual(next, s.row) {
		return
	}
	s.row = next
	s.saved(next)
}

// configure takes the answer to session/new or session/load: modes and options.
func (s *session) configure(answer gjson.Result) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.setRow(func(r *backend.Session) {
		if m := answer.Get("modes"); m.Exists() {
			r.Mode = m.Get("currentModeId").String()
			r.Modes = nil
			m.Get("availableModes").ForEach(func(_, e gjson.Result) bool {
				r.Modes = append(r.Modes, backend.Choice{
					ID: e.Get("id").String(), Name: e.Get("name").String(), Description: e.Get("description").String(),
				})
				return true
			})
		}
		r.AllowAll = allowAllOf(answer, r.AllowAll)
		r.State = backend.SessionLoaded
	})
}

func commandsOf(up gjson.Result) (out []backend.Choice) {
	up.Get("availableCommands").ForEach(func(_, e gjson.Result) bool {
		out = append(out, backend.Choice{
			ID: strings.TrimPrefix(e.Get("name").String(), "/"), Name: e.Get("name").String(), Description: e.Get("description").String(),
		})
		return true
	})
	return out
}

// allowAllOf reads the option by which the CLI stops asking; was is returned
// where it is not mentioned.
func allowAllOf(v gjson.Result, was bool) bool {
	v.Get("configOptions").ForEach(func(_, o gjson.Result) bool {
		if o.Get("id").String() != "allow_all" {
			return true
		}
		value := o.Get("currentValue")
		was = value.String() == "on" || value.Type == gjson.True
		return false
	})
	return was
}
