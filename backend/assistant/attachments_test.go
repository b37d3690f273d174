package assistant_test

import (
	"context"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

// imageStore holds the metadata of an app's images by content ID. The newest event about an image determines the
// message to which the image belongs.
type imageStore struct {
	mu   sync.Mutex
	byID map[string]backend.Content
}

func (i *imageStore) content(_ context.Context, id string) (backend.Content, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	c, ok := i.byID[id]
	if !ok {
		return c, &backend.Error{Code: backend.CodeNotFound}
	}
	return c, nil
}

func (i *imageStore) owner(id string) string {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.byID[id].ItemID
}

// newEnvWithImages returns an env, its image store and a chat that has images with the given ids.
func newEnvWithImages(t *testing.T, ids ...string) (*env, *imageStore, backend.Chat) {
	kept := &imageStore{byID: map[string]backend.Content{}}
	for _, id := range ids {
		kept.byID[id] = backend.Content{ID: id, ChatID: "c", Type: backend.ContentImage, Mime: "image/png", Size: 9}
	}
	chat := backend.Chat{ID: "c", Folder: "/x", ProviderID: backend.ProviderCopilot}
	w := newEnv(t, assistant.Config{Chats: []backend.Chat{chat}, Content: kept.content})
	w.before = func(e backend.Event) error {
		if e.Content != nil {
			kept.mu.Lock()
			kept.byID[e.Content.ID] = *e.Content
			kept.mu.Unlock()
		}
		return nil
	}
	return w, kept, chat
}

func imageOf(id string) backend.Attachment {
	return backend.Attachment{Kind: backend.AttachmentImage, Name: id + ".png", ContentID: id}
}

func (w *env) attach(chat backend.Chat, text string, with ...backend.Attachment) string {
	w.t.Helper()
	id, err := w.chats.Send(w.t.Context(), chat.ID, text, with...)
	if err != nil {
		w.t.Fatal(err)
	}
	return id
}

func TestAttachments_SavedAndSentWithMessage(t *testing.T) {
	w, kept, chat := newEnvWithImages(t, "one", "two")
	path, err := filepath.Abs("main.go")
	if err != nil {
		t.Fatal(err)
	}
	file := backend.Attachment{Kind: backend.AttachmentMention, Name: "main.go", Path: path, Size: 3}
	if err := w.chats.SaveDraft(t.Context(), chat.ID, "", []backend.Attachment{imageOf("one"), file}); err != nil {
		t.Fatal(err)
	}
	first := w.attach(chat, "", imageOf("one"), file)
	known := imageOf("one")
	known.Mime, known.Size = "image/png", 9 // as stored, not as sent by the page
	want := []backend.Attachment{known, file}
	runs := <-w.prompts
	if diff := cmp.Diff(want, runs.with); diff != "" || runs.text != "" {
		t.Errorf("%q was sent with (-want +got):\n%s", runs.text, diff)
	}
	if kept.owner("one") != first {
		t.Error("the image does not belong to its message")
	}
	second := w.attach(chat, "look", imageOf("two"))
	if err := w.chats.EditQueued(t.Context(), second, ""); err != nil {
		t.Errorf("a message with an image needs words: %v", err)
	}
	w.mu.Lock()
	for _, e := range w.events {
		if e.Item != nil && e.Item.ID == first && !cmp.Equal(want, e.Item.Attachments) {
			t.Errorf("the message is kept with %+v", e.Item.Attachments)
		}
		if e.Chat != nil && e.Chat.TurnState == backend.TurnRunning && (e.Chat.DraftAttachments != nil || e.Chat.Title != "one.png") {
			t.Errorf("the chat is kept as %+v", *e.Chat)
		}
	}
	w.mu.Unlock()
	runs.end <- backend.TurnDone
	<-w.turns
	runs = <-w.prompts
	if len(runs.with) != 1 || runs.with[0].ContentID != "two" || kept.owner("two") != second {
		t.Errorf("sent with %+v, and the image belongs to %q", runs.with, kept.owner("two"))
	}
	runs.end <- backend.TurnDone
	<-w.turns
}

func TestAttachments_RemovedMessageFreesImage(t *testing.T) {
	w, kept, chat := newEnvWithImages(t, "one", "two")
	w.send(chat, "first")
	runs := <-w.prompts
	second := w.attach(chat, "", imageOf("one"), imageOf("two"))
	third := w.attach(chat, "again", imageOf("two"))
	if kept.owner("two") != second {
		t.Error("an image was taken from the message that has it")
	}
	if err := w.chats.RemoveQueued(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if one, two := kept.owner("one"), kept.owner("two"); one != "" || two != third {
		t.Errorf("the images belong to %q and %q", one, two)
	}
	fourth := w.attach(chat, "and again", imageOf("two"))
	if err := w.chats.SendQueuedNow(t.Context(), fourth); err != nil {
		t.Fatal(err)
	}
	<-runs.ctx.Done()
	<-w.turns
	runs = <-w.prompts
	if kept.owner("two") != fourth {
		t.Error("what was sent does not keep its image when the message that waits is removed")
	}
	if err := w.chats.RemoveQueued(t.Context(), third); err != nil {
		t.Fatal(err)
	}
	if kept.owner("two") != fourth {
		t.Error("the image of a message that was sent belongs to nothing")
	}
	runs.end <- backend.TurnDone
	<-w.turns
}

func TestAttachments_InvalidRefused(t *testing.T) {
	w, kept, chat := newEnvWithImages(t, "one")
	kept.byID["foreign"] = backend.Content{ID: "foreign", ChatID: "other", Type: backend.ContentImage}
	kept.byID["diff"] = backend.Content{ID: "diff", ChatID: "c", Type: backend.ContentDiff}
	path, err := filepath.Abs("x")
	if err != nil {
		t.Fatal(err)
	}
	file := backend.Attachment{Kind: backend.AttachmentFile, Name: "x", Path: path}
	many := make([]backend.Attachment, backend.MaxAttachments+1)
	for i := range many {
		many[i] = file
	}
	for what, with := range map[string][]backend.Attachment{
		string(backend.CodeTooLarge) + " too many":                    many,
		string(backend.CodeInvalid) + " no kind":                      {{Name: "x", Path: path}},
		string(backend.CodeInvalid) + " no path":                      {{Kind: backend.AttachmentFile, Name: "x"}},
		string(backend.CodeInvalid) + " a relative path":              {{Kind: backend.AttachmentFile, Name: "x", Path: "x"}},
		string(backend.CodeInvalid) + " a zero in the path":           {{Kind: backend.AttachmentMention, Name: "x", Path: path + "\x00y"}},
		string(backend.CodeInvalid) + " no text":                      {{Kind: backend.AttachmentFile, Name: "\xff", Path: path}},
		string(backend.CodeInvalid) + " no image":                     {{Kind: backend.AttachmentImage, Name: "x", Path: path}},
		string(backend.CodeInvalid) + " an endless name":              {{Kind: backend.AttachmentFile, Name: strings.Repeat("x", 5000), Path: path}},
		string(backend.CodeNotFound) + " an image that doesn't exist": {imageOf("nowhere")},
		string(backend.CodeNotFound) + " an image of another chat":    {imageOf("foreign")},
		string(backend.CodeNotFound) + " a content that is no image":  {imageOf("diff")},
	} {
		code, _, _ := strings.Cut(what, " ")
		if _, err := w.chats.Send(t.Context(), chat.ID, "look", with...); string(backend.CodeOf(err)) != code {
			t.Errorf("%s: %v", what, err)
		}
	}
	if err := w.chats.SaveDraft(t.Context(), chat.ID, "", many); backend.CodeOf(err) != backend.CodeTooLarge {
		t.Errorf("they are kept as a draft: %v", err)
	}
	select {
	case p := <-w.prompts:
		t.Errorf("%q was sent", p.text)
	default:
	}
}

func TestAttachments_UnsentStayQueued(t *testing.T) {
	takes := true
	var mu sync.Mutex
	path, err := filepath.Abs("x")
	if err != nil {
		t.Fatal(err)
	}
	w := newEnv(t, assistant.Config{CheckAttachments: func(string, []backend.Attachment) error {
		mu.Lock()
		defer mu.Unlock()
		if takes {
			return nil
		}
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Plain("Qwen does not take images.")}
	}})
	set := func(to bool) {
		mu.Lock()
		defer mu.Unlock()
		takes = to
	}
	chat := w.create()
	w.send(chat, "first")
	runs := <-w.prompts
	with := backend.Attachment{Kind: backend.AttachmentFile, Name: "x", Path: path}
	second := w.attach(chat, "second", with)
	set(false)
	if _, err := w.chats.Send(t.Context(), chat.ID, "third", with); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("it is taken: %v", err)
	}
	if err := w.chats.SendQueuedNow(t.Context(), second); backend.CodeOf(err) != backend.CodeUnavailable || runs.ctx.Err() != nil {
		t.Errorf("it is sent now: %v", err)
	}
	runs.end <- backend.TurnDone
	<-w.turns
	if err := w.chats.Resume(t.Context(), chat.ID); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("the queue goes on: %v", err)
	}
	w.assertQueue("what waits", "second, paused")
	set(true)
	if err := w.chats.Resume(t.Context(), chat.ID); err != nil {
		t.Fatal(err)
	}
	runs = <-w.prompts
	runs.end <- backend.TurnDone
	<-w.turns
}

func TestSend_NamelessAttachmentNamesChat(t *testing.T) {
	for want, nameless := range map[string]backend.Attachment{
		"image.png": {Kind: backend.AttachmentImage, ContentID: "one", Mime: "image/png"},
		"image":     {Kind: backend.AttachmentImage, ContentID: "one", Name: " \n"},
		"notes.txt": {Kind: backend.AttachmentFile, Name: " ", Path: filepath.Join(t.TempDir(), "notes.txt")},
	} {
		w, _, chat := newEnvWithImages(t, "one")
		w.attach(chat, "", nameless)
		got, err := w.chats.Get(chat.ID)
		if err != nil {
			t.Fatal(err)
		}
		if got.Title != want {
			t.Errorf("got the title %q, want %q", got.Title, want)
		}
		(<-w.prompts).end <- backend.TurnDone
		<-w.turns
	}
}
