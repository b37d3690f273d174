package store_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

func TestRecover_AttachmentsRequeuedWithMessage(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	with := []backend.Attachment{
		{Kind: backend.AttachmentImage, Name: "shot.png", ContentID: "image", Mime: "image/png", Size: 3},
		{Kind: backend.AttachmentMention, Name: "main.go", Path: "/x/main.go"},
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat", TurnState: backend.TurnRunning}})
	apply(t, s,
		backend.Event{Turn: &backend.Turn{ID: "unsent", ChatID: "chat", Session: backend.SessionMain, State: backend.TurnRunning, StartedAt: 200}},
		backend.Event{Item: &backend.Item{ID: "m1", ChatID: "chat", TurnID: "unsent", Kind: backend.ItemUser, CreatedAt: 200, Attachments: with}},
		backend.Event{Content: &backend.Content{ID: "image", ItemID: "m1", ChatID: "chat", Type: backend.ContentImage, Mime: "image/png", Version: 1, Body: []byte("png")}},
	)
	closeStore(t, s)
	s = openStore(t, dir)
	queued := newest(appEvents(t, s))["Queued m1"].Queued
	if queued == nil || queued.Text != "" || !queued.Paused {
		t.Fatalf("what waits is %+v", queued)
	}
	if diff := cmp.Diff(with, queued.Attachments); diff != "" {
		t.Errorf("with it goes (-want +got):\n%s", diff)
	}
	if body, _, err := s.Content(t.Context(), "image", 0, 0); string(body) != "png" || err != nil {
		t.Errorf("its image is %q, %v", body, err)
	}
}

func TestRecover_UnsentImageRemoved(t *testing.T) {
	dir := t.TempDir()
	s := openStore(t, dir)
	apply(t, s,
		backend.Event{Chat: &backend.Chat{ID: "chat", DraftAttachments: []backend.Attachment{
			{Kind: backend.AttachmentFile, Name: "x", Path: "/x"}, {Kind: backend.AttachmentImage, Name: "draft", ContentID: "in a draft"},
		}}},
		backend.Event{Chat: &backend.Chat{ID: "another"}},
	)
	kept := map[string]bool{"in a draft": true, "sent": true, "of an agent": true, "removed": false}
	for id := range kept {
		c := backend.Content{ID: id, ChatID: "chat", Type: backend.ContentImage, Mime: "image/png", Version: 1, Body: []byte("png")}
		if id == "sent" || id == "of an agent" {
			c.ItemID = "message"
		}
		apply(t, s, backend.Event{Content: &c})
	}
	for range 2 {
		closeStore(t, s)
		s = openStore(t, dir)
		for id, want := range kept {
			if body, _, err := s.Content(t.Context(), id, 0, 0); (err == nil) != want || want && string(body) != "png" {
				t.Errorf("the image %s is %q, %v", id, body, err)
			}
		}
	}
	apply(t, s, backend.Event{Chat: &backend.Chat{ID: "chat"}}) // the draft is discarded
	closeStore(t, s)
	s = openStore(t, dir)
	if _, _, err := s.Content(t.Context(), "in a draft", 0, 0); backend.CodeOf(err) != backend.CodeNotFound {
		t.Errorf("the image of a draft that is no more: %v", err)
	}
}
