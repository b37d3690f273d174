package assistant_test

import (
	"context"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/assistant"
)

func TestTitle_BetterReplacesFirstMessageNotUsers(t *testing.T) {
	chats := []backend.Chat{{ID: "free", Title: "fix it"}, {ID: "typed", Title: "Mine", TitleByUser: true}}
	c := assistant.New(assistant.Config{
		Chats: chats, Publish: func(...backend.Event) {},
		Commit: func(context.Context, ...backend.Event) error { return nil },
	})
	recap := assistant.Recap(turnEvents(backend.TurnDone, "fix it", "It is fixed."), folder)
	for _, title := range []string{"", "  ", recap, recap[:60] + "…", "This is Ada", "Fix the flaky upload test\nand more"} {
		for _, chat := range chats {
			if err := c.SuggestTitle(context.Background(), chat.ID, title); err != nil {
				t.Fatal(err)
			}
		}
		free, _ := c.Get("free")
		want := "fix it"
		switch {
		case title == "This is Ada":
			want = title
		case strings.HasPrefix(title, "Fix"):
			want = "Fix the flaky upload test"
		}
		if free.Title != want {
			t.Errorf("after %q: the title is %q, want %q", title, free.Title, want)
		}
	}
	if typed, _ := c.Get("typed"); typed.Title != "Mine" {
		t.Errorf("the user's title became %q", typed.Title)
	}
}
