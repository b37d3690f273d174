package assistant_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
	"github.com/voxpilot/voxpilot/backend/llm"
)

// newImageEnv returns an env in which the data of each image is its content ID. The image "lost" can't be read.
func newImageEnv(t *testing.T, replies ...reply) *orchestratorEnv {
	w := newOrchestratorEnv(t, replies...)
	w.cfg.Image = func(_ context.Context, id string) (llm.Image, error) {
		if id == "lost" {
			return llm.Image{}, errors.New("it is gone")
		}
		return llm.Image{Mime: "image/png", Data: []byte(id)}, nil
	}
	return w
}

// requestImages returns the data of each image in a request, preceded by the first
// three bytes of the message that contains the image.
func requestImages(req llm.Request) (images []string) {
	for _, m := range req.Messages {
		if m.Role != llm.RoleUser {
			continue
		}
		for _, image := range m.Images {
			images = append(images, m.Text[:3]+" "+string(image.Data))
		}
	}
	return images
}

func TestAttachments_ModelGetsImagesAndPaths(t *testing.T) {
	w := newImageEnv(t, replyText("I see."))
	w.attachments = []backend.Attachment{
		{Kind: backend.AttachmentImage, Name: "pasted.png", ContentID: "one"},
		{Kind: backend.AttachmentImage, Name: "shot.png", Path: "/home/me/shot.png", ContentID: "two"},
		{Kind: backend.AttachmentMention, Name: "main.go", Path: "/home/me/app/main.go"},
		{Kind: backend.AttachmentFile, Name: "notes\n", Path: "/home/me/notes\n"},
	}
	w.setHistory(assistant.Exchange{
		Prompt: "Old", Answer: "Yes.", State: backend.TurnDone,
		Attachments: []backend.Attachment{{Kind: backend.AttachmentImage, Name: "old.png", ContentID: "three"}, {Kind: backend.AttachmentImage, Name: "lost.png", ContentID: "lost"}},
	})
	w.prompt(t.Context(), "What is this? @main.go")
	req := w.request(0)
	if diff := cmp.Diff([]string{"Old three", "Wha one", "Wha two"}, requestImages(req)); diff != "" {
		t.Errorf("the images (-want +got):\n%s", diff)
	}
	want := "What is this? @main.go\n\nAttached by the user:\n- the image \"pasted.png\"\n- the image \"/home/me/shot.png\"\n- \"/home/me/app/main.go\"\n- \"/home/me/notes\\n\""
	if got := req.Messages[len(req.Messages)-1].Text; got != want {
		t.Errorf("the model is told %q, want %q", got, want)
	}
}

func TestAttachments_MissingImageFailsMessage(t *testing.T) {
	w := newImageEnv(t)
	w.attachments = []backend.Attachment{{Kind: backend.AttachmentImage, Name: "lost.png", ContentID: "lost"}}
	if turn, _ := w.prompt(t.Context(), "Look"); turn.State != backend.TurnFailed || turn.SentAt != 0 || turn.Error.Code != backend.CodeStorage {
		t.Errorf("the turn ended as %+v", turn)
	}
}

func TestAttachments_OnlyNewestPastImagesSent(t *testing.T) {
	w := newImageEnv(t, replyText("Yes."))
	var past []assistant.Exchange
	for _, id := range []string{"1", "2", "3", "4", "5", "6", "7"} {
		past = append(past, assistant.Exchange{Prompt: "Old", Answer: "Yes.", State: backend.TurnDone, Attachments: []backend.Attachment{{Kind: backend.AttachmentImage, ContentID: id}}})
	}
	w.setHistory(past...)
	w.prompt(t.Context(), "Go on")
	if diff := cmp.Diff([]string{"Old 3", "Old 4", "Old 5", "Old 6", "Old 7"}, requestImages(w.request(0))); diff != "" {
		t.Errorf("the images (-want +got):\n%s", diff)
	}
}

func TestAttachments_TextModelContinuesImageChat(t *testing.T) {
	noImages := &llm.Failure{Kind: llm.KindImages, Err: &backend.Error{Code: backend.CodeModel, Message: backend.Plain("m-1 does not take images.")}}
	w := newImageEnv(t, replyFailure(noImages), replyText("Yes."))
	old := assistant.Exchange{Prompt: "Old", Answer: "Yes.", State: backend.TurnDone, Attachments: []backend.Attachment{{Kind: backend.AttachmentImage, ContentID: "1"}}}
	w.setHistory(old)
	if turn, _ := w.prompt(t.Context(), "Go on"); turn.State != backend.TurnDone || len(requestImages(w.request(1))) != 0 {
		t.Errorf("the turn ended as %+v after %q was shown", turn, requestImages(w.request(1)))
	}
	w = newImageEnv(t, replyFailure(noImages), replyFailure(noImages))
	w.setHistory(old)
	w.attachments = []backend.Attachment{{Kind: backend.AttachmentImage, Name: "new.png", ContentID: "2"}}
	if turn, _ := w.prompt(t.Context(), "Look"); turn.State != backend.TurnFailed || turn.Error.Message != noImages.Err.Message {
		t.Errorf("the turn ended as %+v", turn)
	}
}
