package notify

import (
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestFailure_UsesOneLanguage(t *testing.T) {
	broken := &backend.Error{Code: backend.CodeModel, Message: backend.Plain("The model failed.")}
	dropped := &backend.Error{Code: backend.CodeAgent, Message: backend.Say("Copilot dropped the message. Send it again.")}
	for _, c := range []struct {
		language string
		err      *backend.Error
		want     string
	}{
		{"en", broken, "The model failed."},
		{"de", broken, "Öffne den Chat, um den Grund zu sehen."},
		{"zh", broken, "原因见对话。"},
		{"de", dropped, "Copilot hat die Nachricht verworfen. Sende sie erneut."},
		{"de", nil, "Die Antwort wurde unterbrochen."},
	} {
		w := newEnv(t)
		settings := backend.DefaultSettings()
		settings.Language = c.language
		state := backend.TurnFailed
		if c.err == nil {
			state = backend.TurnInterrupted
		}
		w.publish(backend.Event{Settings: &settings}, turnEvent("t", "c1", state, c.err))
		w.settle()
		if notices := w.p.notices(); len(notices) != 1 || notices[0].Body != c.want {
			t.Errorf("in %s it says %+v, want %q", c.language, notices, c.want)
		}
	}
}

func TestReview_NamesStartedPrograms(t *testing.T) {
	for language, want := range map[string][2]string{
		"en": {"Review a folder", "Chat 1 is waiting for you to trust its folder. Your messages are saved."},
		"de": {"Ordner prüfen", "Chat 1 wartet darauf, dass du dem Ordner vertraust. Deine Nachrichten sind gespeichert."},
		"zh": {"检查文件夹", "Chat 1 正在等待你信任其文件夹。你的消息已保存。"},
	} {
		w := newEnv(t)
		w.publish(settingsEvent(func(s *backend.Settings) { s.Language = language }), connectionEvent("c1", backend.ConnectionNeedsTrust))
		w.settle()
		notices := w.p.notices()
		if len(notices) != 1 || [2]string{notices[0].Title, notices[0].Body} != want || notices[0].ChatID != "c1" || !notices[0].IsPersistent {
			t.Errorf("in %s: got %+v, want %q", language, notices, want)
		}
	}
}
