package agent_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// item is a transcript item with its text and contents.
type item struct {
	backend.Item
	text     string
	contents []backend.Content // the latest version of each content item, with its body
}

// reduce builds the transcript items from events, as the page does. It fails the test if text is missing or duplicated.
func reduce(t *testing.T, events []backend.Event) []*item {
	t.Helper()
	var list []*item
	byID := map[string]*item{}
	for _, e := range events {
		switch {
		case e.Item != nil:
			if it := byID[e.Item.ID]; it != nil {
				it.Item = *e.Item
				continue
			}
			it := &item{Item: *e.Item}
			byID[e.Item.ID] = it
			list = append(list, it)
		case e.Text != nil:
			it := byID[e.Text.ItemID]
			if it == nil {
				t.Fatalf("text of an item that was not published: %+v", e.Text)
			}
			if int(e.Text.Offset) != len(it.text) {
				t.Fatalf("text at %d, where %d bytes are known", e.Text.Offset, len(it.text))
			}
			it.text += e.Text.Text
			if int(e.Text.Size) != len(it.text) {
				t.Fatalf("size %d of a text of %d bytes", e.Text.Size, len(it.text))
			}
		case e.Content != nil:
			it := byID[e.Content.ItemID]
			if it == nil {
				t.Fatalf("content of an item that was not published: %+v", e.Content)
			}
			replaced := false
			for i, c := range it.contents {
				if c.ID == e.Content.ID {
					if e.Content.Version <= c.Version {
						t.Fatalf("version %d after %d", e.Content.Version, c.Version)
					}
					it.contents[i], replaced = *e.Content, true
				}
			}
			if !replaced {
				it.contents = append(it.contents, *e.Content)
			}
		}
	}
	return list
}

// items returns the items of the turn tu, or all items if tu is nil.
func (w *env) items(tu *turn) []*item {
	w.t.Helper()
	w.mu.Lock()
	events := append([]backend.Event(nil), w.events...)
	w.mu.Unlock()
	var out []*item
	for _, it := range reduce(w.t, events) {
		if tu == nil || it.TurnID == tu.id {
			out = append(out, it)
		}
	}
	return out
}

// answerText returns the agent's message text in the turn.
func (w *env) answerText(tu *turn) string {
	w.t.Helper()
	var b strings.Builder
	for _, it := range w.items(tu) {
		if it.Kind == backend.ItemMessage {
			b.WriteString(it.text)
		}
	}
	return b.String()
}

// tools returns the tool calls of the turn.
func (w *env) tools(tu *turn) (out []*item) {
	w.t.Helper()
	for _, it := range w.items(tu) {
		if it.Kind == backend.ItemTool {
			out = append(out, it)
		}
	}
	return out
}

// tool returns the turn's only tool call of the given kind.
func (w *env) tool(tu *turn, kind backend.ToolKind) (found *item) {
	w.t.Helper()
	for _, it := range w.tools(tu) {
		if it.Tool.Kind == kind {
			if found != nil {
				w.t.Fatalf("there is more than one call of the kind %s", kind)
			}
			found = it
		}
	}
	if found == nil {
		w.t.Fatalf("there is no call of the kind %s", kind)
	}
	return found
}

// countOf returns the number of content items of the given type in the item.
func countOf(it *item, kind backend.ContentType) (n int) {
	for _, c := range it.contents {
		if c.Type == kind {
			n++
		}
	}
	return n
}

// banners returns the kinds of all banners so far.
func (w *env) banners() (out []backend.BannerKind) {
	w.t.Helper()
	for _, it := range w.items(nil) {
		if it.Kind == backend.ItemBanner {
			out = append(out, it.Banner.Kind)
		}
	}
	return out
}

// waitForRecovery waits until a restarted agent is ready and the transcript shows the restore banner.
func (w *env) waitForRecovery() {
	w.t.Helper()
	if !w.noStorage { // otherwise its session starts with the next message
		w.waitFor("a banner", func(events []backend.Event) bool {
			return slices.ContainsFunc(events, func(e backend.Event) bool { return e.Item != nil && e.Item.Banner != nil })
		})
	}
	w.waitFor("the agent to come back", func(events []backend.Event) bool {
		died := false
		for _, e := range events {
			if e.Connection != nil {
				died = died || e.Connection.State == backend.ConnectionWaiting
			}
		}
		return died && w.agent.Connection().State == backend.ConnectionReady
	})
}

// assertRestored fails the test unless the session has been restored: it must have the given ID and remember an
// earlier answer (said), and the transcript must show the given banner. If the agent doesn't store sessions,
// assertRestored instead requires a replacement session that received the recap, and BannerSessionLost.
func (w *env) assertRestored(t *testing.T, id, said string, banner backend.BannerKind) {
	t.Helper()
	if w.noStorage {
		w.assertRecap(t)
		equalDeep(t, "banners", w.banners(), []backend.BannerKind{backend.BannerSessionLost})
		return
	}
	w.assertRemembers(t, said)
	equal(t, "session", w.session().ACPID, id)
	equalDeep(t, "banners", w.banners(), []backend.BannerKind{banner})
}
