package engine_test

import (
	"context"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func TestInput_InvalidIsExplained(t *testing.T) {
	w := newAppEnv(t, t.TempDir())
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	chat, err := w.App.CreateChat(t.TempDir(), backend.ProviderCopilot)
	if err != nil {
		t.Fatal(err)
	}
	create := func(folder, provider string) error {
		_, err := w.App.CreateChat(folder, provider)
		return err
	}
	send := func(id, text string) error {
		_, err := w.App.Send(id, text, nil)
		return err
	}
	for name, c := range map[string]struct {
		err  error
		code backend.Code
	}{
		"no folder":        {create("", backend.ProviderCopilot), backend.CodeInvalid},
		"a file":           {create(file, backend.ProviderCopilot), backend.CodeInvalid},
		"an absent folder": {create(file+"x", backend.ProviderCopilot), backend.CodeNotFound},
		"no such provider": {create(t.TempDir(), "nobody"), backend.CodeNotFound},
		"an empty title":   {w.App.RenameChat(chat.ID, " \n "), backend.CodeInvalid},
		"a long title":     {w.App.RenameChat(chat.ID, strings.Repeat("a", 201)), backend.CodeTooLarge},
		"an empty message": {send(chat.ID, " "), backend.CodeInvalid},
		"a long message":   {send(chat.ID, strings.Repeat("a", backend.MaxPromptBytes+1)), backend.CodeTooLarge},
		"no such chat":     {send("nobody", "hello"), backend.CodeNotFound},
		"a relative path":  {w.App.SaveSettings(backend.Settings{CLIPath: "copilot"}), backend.CodeInvalid},
		"no such request":  {w.App.Answer("nobody", "x", false), backend.CodeNotFound},
	} {
		if backend.CodeOf(c.err) != c.code || c.err.Error() == "" {
			t.Errorf("%s: %v", name, c.err)
		}
	}
	if err := w.App.RenameChat(chat.ID, strings.Repeat("ü", 200)); err != nil {
		t.Errorf("a title of 200 characters: %v", err)
	}
	for path, code := range map[string]int{
		"/data/chat?id=nobody":                         http.StatusNotFound,
		"/data/items?chat=" + chat.ID + "&before=-1":   http.StatusBadRequest,
		"/data/items?chat=" + chat.ID + "&after=-1":    http.StatusBadRequest,
		"/data/items?chat=" + chat.ID + "&around=soon": http.StatusBadRequest,
		"/data/content?id=nobody":                      http.StatusNotFound,
		"/data/text?item=nobody":                       http.StatusNotFound,
		"/data/event?seq=99999":                        http.StatusNotFound,
		"/data/nothing":                                http.StatusNotFound,
	} {
		if got := w.Get(path, new(string)); got != code {
			t.Errorf("%s answers %d, want %d", path, got, code)
		}
	}
	var f struct{ Exists bool }
	if w.Get("/data/folder?path="+url.QueryEscape(file), &f); f.Exists {
		t.Error("a file counts as a folder")
	}
	if got := backend.AsError(context.Canceled); got.Message.IsZero() || got.Detail == "" {
		t.Errorf("an error without words reaches the page as %+v", got)
	}
}
