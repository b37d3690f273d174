package notify

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestAFailureIsSaidInOneLanguage(t *testing.T) {
	broken := &backend.Error{Code: backend.CodeModel, Message: "The model failed."}
	for _, c := range []struct {
		language string
		err      *backend.Error
		want     string
	}{
		{"en", broken, "The model failed."},
		{"de", broken, "Warum, steht im Chat."},
		{"zh", broken, "原因见对话。"},
		{"de", nil, "Die Antwort wurde unterbrochen."},
	} {
		w := newWorld(t)
		settings := backend.DefaultSettings()
		settings.Language = c.language
		state := backend.TurnFailed
		if c.err == nil {
			state = backend.TurnInterrupted
		}
		w.see(backend.Event{Settings: &settings}, turn("t", "c1", state, c.err))
		w.later()
		if notices := w.p.notices(); len(notices) != 1 || notices[0].Body != c.want {
			t.Errorf("in %s it says %+v, want %q", c.language, notices, c.want)
		}
	}
}
