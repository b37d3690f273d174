package agent_test

import (
	"context"
	"encoding/base64"
	"errors"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/copilot"
	"github.com/voxpilot/voxpilot/backend/practice"
)

// dot is a one-pixel PNG.
const dot = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x06\x00\x00\x00\x1f\x15\xc4\x89" +
	"\x00\x00\x00\rIDATx\x9cc\xf8\xcf\xc0\xf0\x1f\x00\x05\x00\x01\xff\x89\x99=\x1d\x00\x00\x00\x00IEND\xaeB`\x82"

func withDot(_ *env, cfg *agent.Config) {
	cfg.Image = func(_ context.Context, id string) (string, []byte, error) {
		if id != "dot" {
			return "", nil, errors.New("there is no such image")
		}
		return "image/png", []byte(dot), nil
	}
}

var attachedDot = backend.Attachment{Kind: backend.AttachmentImage, Name: "shot.png", ContentID: "dot"}

func TestCopilot_ModelReceivesImagesAndFiles(t *testing.T) {
	t.Parallel()
	cli := copilotCLI(t)
	model, err := practice.New(practice.Func(func(req practice.Request) practice.Reply {
		return practice.Reply{practice.Text("I see.")}
	}))
	noErr(t, err)
	t.Cleanup(model.Close)
	launch := func(w *env) agent.Launch {
		return agent.Launch{Path: cli, Args: copilot.Args(), Env: append(os.Environ(), model.Env(w.home)...), Home: w.home}
	}
	w := newEnv(t, launch, withDot)
	w.write("a b.txt", "hello there")
	noErr(t, os.Mkdir(w.path("pictures"), 0o755))
	said := func() (messages []practice.Message) {
		for _, m := range model.Requests()[len(model.Requests())-1].Messages {
			if m.Role == "user" {
				messages = append(messages, m)
			}
		}
		return messages
	}
	want := "data:image/png;base64," + base64.StdEncoding.EncodeToString([]byte(dot))

	w.expectEnd(w.start(backend.SessionMain, "What is in @a b.txt?", attachedDot,
		backend.Attachment{Kind: backend.AttachmentMention, Name: "a b.txt", Path: w.path("a b.txt"), Mime: "text/plain", Size: 11},
		backend.Attachment{Kind: backend.AttachmentFile, Name: "pictures", Path: w.path("pictures"), Mime: "inode/directory"},
	), backend.TurnDone)
	first := said()[0]
	equalDeep(t, "images", first.Images, []string{want})
	for _, part := range []string{"What is in @a b.txt?", uriOf(w.path("a b.txt")), uriOf(w.path("pictures"))} {
		if !strings.Contains(first.Text, part) {
			t.Errorf("%q is not in what the model was told: %s", part, first.Text)
		}
	}
	w.expectEnd(w.start(backend.SessionMain, "", attachedDot), backend.TurnDone)
	equalDeep(t, "images of a message without words", said()[1].Images, []string{want})

	w.close()
	w.open(launch, func(w *env, cfg *agent.Config) { cfg.History = w.history })
	w.promptAndExpect("And now?", backend.TurnDone)
	equalDeep(t, "messages after a restart", len(said()), 3)
	if slices.Contains(w.banners(), backend.BannerHistoryMismatch) {
		t.Error("what it remembers of images is said to differ")
	}
}

func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
