package session

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
)

func TestAskAgain_TurnsOffEitherFormOfAllowAll(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ option, off, on, want string }{
		"a choice":  {`{"type":"select","id":"allow_all","currentValue":"on","options":[]}`, "off", "on", `"off"`},
		"a boolean": {`{"type":"boolean","id":"allow_all","currentValue":true}`, "false", "true", `false`},
	} {
		var sent []byte
		s := New(backend.Session{}, Config{
			Log: slog.New(slog.DiscardHandler), Save: func(backend.Session) {},
			Send: func(_ context.Context, _ string, params any, apply func(gjson.Result)) error {
				var err error
				sent, err = json.Marshal(params)
				apply(gjson.Result{})
				return err
			},
		})
		s.Configure(gjson.Parse(`{"configOptions":[` + c.option + `]}`))
		if !s.Row().AllowAll {
			t.Errorf("%s: the option isn't on", name)
		}
		s.guard.off = true
		if err := s.SetOption(t.Context(), optionAllowAll, c.on); !errors.Is(err, errGuardOff) {
			t.Errorf("%s: turned on without the guard: %v", name, err)
		}
		if err := s.AskAgain(t.Context()); err != nil || gjson.GetBytes(sent, "value").Raw != c.want {
			t.Errorf("%s: sent %s (%v), want %s", name, sent, err, c.want)
		}
		if err := s.SetOption(t.Context(), optionAllowAll, c.off); err != nil {
			t.Errorf("%s: turning it off: %v", name, err)
		}
	}
}
