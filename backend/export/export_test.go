package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/export"
)

// entry is an item with all that belongs to it.
type entry struct {
	item     backend.Item
	text     string
	contents []backend.Content
	inside   []entry
}

// source is a chat that is in memory. Bodies come a byte at a time, so that
// nothing depends on where they are cut.
func source(chat backend.Chat, entries []entry) export.Source {
	texts, contents, bodies, inside := map[string]string{}, map[string][]backend.Content{}, map[string][]byte{}, map[string][]entry{}
	var add func(parentID string, entries []entry)
	add = func(parentID string, entries []entry) {
		inside[parentID] = entries
		for _, e := range entries {
			texts[e.item.ID], contents[e.item.ID] = e.text, e.contents
			for _, c := range e.contents {
				bodies[c.ID] = c.Body
			}
			if len(e.inside) > 0 {
				add(e.item.ID, e.inside)
			}
		}
	}
	add("", entries)
	pieces := func(to io.Writer, body []byte) error {
		for i := range body {
			if _, err := to.Write(body[i : i+1]); err != nil {
				return err
			}
		}
		return nil
	}
	return export.Source{
		Chat: chat,
		Items: func(parentID string, do func(backend.Item) error) error {
			for _, e := range inside[parentID] {
				if err := do(e.item); err != nil {
					return err
				}
			}
			return nil
		},
		Contents: func(id string) ([]backend.Content, error) { return contents[id], nil },
		Text:     func(to io.Writer, id string) error { return pieces(to, []byte(texts[id])) },
		Body:     func(to io.Writer, id string) error { return pieces(to, bodies[id]) },
	}
}

func write(t *testing.T, format string, s export.Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := export.Formats[format].Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const hostile = "<script>alert(1)</script> & \"quotes\" '</pre></section></main>"

// session is a chat with everything in it, some of it hostile.
func session() export.Source {
	code := 2
	return source(backend.Chat{ID: "chat", Title: "Fix <b>the</b> `tests`", Folder: "/home/me", Draft: "unsent", CreatedAt: 1_700_000_000_000, UpdatedAt: 1_700_000_100_000}, []entry{
		{item: backend.Item{ID: "1", Kind: backend.ItemUser, With: []backend.Attachment{{Name: "a.png"}}}, text: "Größe? " + hostile},
		{item: backend.Item{ID: "2", Kind: backend.ItemThought}, text: "\nhm"},
		{
			item: backend.Item{ID: "3", Kind: backend.ItemTool, Tool: &backend.Tool{
				Title: hostile, Command: "echo \u202egnp.exe", Status: backend.ToolFailed, ExitCode: &code,
			}},
			contents: []backend.Content{
				{ID: "c1", Type: backend.ContentTerminal, Body: []byte("\x1b[31mred\x1b[0m \x1b]8;;http://x\x07link\x1b]8;;\x1b\\\r\n````\n" + hostile + "\xff")},
				{ID: "c2", Type: backend.ContentDiff, Path: "/home/me/a.go", Body: []byte("-```\n+x")},
				{ID: "c3", Type: backend.ContentImage, Mime: "image/png", Body: []byte{0x89, 'P', 'N', 'G', 0, 0xff}},
				{ID: "c4", Type: backend.ContentImage, Mime: "image/svg+xml", Body: []byte(hostile)},
			},
		},
		{item: backend.Item{ID: "4", Kind: backend.ItemPlan, Plan: []backend.PlanEntry{{Content: "look", Status: backend.PlanCompleted}, {Content: hostile}}}},
		{
			item: backend.Item{ID: "5", Kind: backend.ItemBlock, Block: &backend.Block{SessionName: "tests", Prompt: "run " + hostile}},
			inside: []entry{
				{item: backend.Item{ID: "6", Kind: backend.ItemMessage}, text: "inside\n```go\nfunc open"},
				{item: backend.Item{ID: "7", Kind: backend.ItemBanner, Banner: &backend.Banner{Kind: backend.BannerRestored}}},
			},
		},
		{item: backend.Item{ID: "8", Kind: backend.ItemMessage}, text: "# the end"},
	})
}

func TestMarkdownKeepsBodiesBetweenFences(t *testing.T) {
	got := write(t, "markdown", session())
	for _, want := range []string{
		"# Fix &lt;b&gt;the&lt;/b&gt; \\`tests\\`\n",
		"\n## You\n", "\n- With: `a.png`\n", "\nGröße? " + hostile + "\n",
		"\n- Command: `echo U+202Egnp.exe`\n", "\n- Exit code: `2`\n",
		"\nOutput:\n\n`````\nred link\n````\n" + hostile + "\uFFFD\n`````\n",
		"\n````diff\n-```\n+x\n````\n",
		"\n- [x] look\n- [ ] &lt;script&gt;",
		"\n## Work for tests\n", "\n### Answer\n", "\ninside\n```go\nfunc open\n```\n", "\n### Notice\n",
		"\n# the end\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	for _, none := range []string{"\x1b", "\u202e", "\xff", "\r", "unsent", "PNG\x00"} {
		if strings.Contains(got, none) {
			t.Errorf("there is %q", none)
		}
	}
}

func TestHTMLHasNoMarkupOfTheChat(t *testing.T) {
	got := write(t, "html", session())
	for _, want := range []string{
		"<!doctype html>", `<meta name="color-scheme" content="light dark">`, "<title>Fix &lt;b&gt;the&lt;/b&gt; `tests`</title>",
		"Größe? &lt;script&gt;", "<pre class=\"text\">\n\nhm</pre>", "red link\n````\n&lt;script&gt;", "U+202Egnp.exe",
		`<img alt="" src="data:image/png;base64,iVBORwD/">`, "image/svg+xml, 0 bytes", "<h2>Work for tests", "<h2>Notice",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	for _, none := range []string{"<script", "<b>", "\x1b", "\u202e", "\xff", "http://", "unsent", "javascript:", " src=\"http"} {
		if strings.Contains(got, none) {
			t.Errorf("there is %q", none)
		}
	}
	for _, tag := range []string{"section", "pre", "details", "main"} {
		if begun, ended := strings.Count(got, "<"+tag), strings.Count(got, "</"+tag+">"); begun != ended || begun == 0 {
			t.Errorf("<%s> begins %d times and ends %d times", tag, begun, ended)
		}
	}
}

func TestJSONHasEverythingAsItWas(t *testing.T) {
	type content struct {
		Type         backend.ContentType
		Body, Base64 string
	}
	type item struct {
		backend.Item
		Text     string
		Contents []content
		Items    []item
	}
	var got struct {
		VoxPilot int
		Chat     backend.Chat
		Items    []item
	}
	if err := json.Unmarshal([]byte(write(t, "json", session())), &got); err != nil {
		t.Fatal(err)
	}
	if got.VoxPilot != 1 || got.Chat.Title != "Fix <b>the</b> `tests`" || got.Chat.Draft != "" || len(got.Items) != 6 {
		t.Fatalf("the chat is %+v with %d items", got.Chat, len(got.Items))
	}
	if text := got.Items[0].Text; text != "Größe? "+hostile {
		t.Errorf("the first text is %q", text)
	}
	tool := got.Items[2]
	if tool.Tool.Title != hostile || len(tool.Contents) != 4 || !strings.HasPrefix(tool.Contents[0].Body, "\x1b[31mred") || !strings.HasSuffix(tool.Contents[0].Body, "\uFFFD") || tool.Contents[2].Base64 != "iVBORwD/" {
		t.Errorf("the tool is %+v", tool)
	}
	if inside := got.Items[4].Items; len(inside) != 2 || inside[0].Text != "inside\n```go\nfunc open" {
		t.Errorf("in the block is %+v", inside)
	}
	if empty := write(t, "json", source(backend.Chat{ID: "empty"}, nil)); !json.Valid([]byte(empty)) {
		t.Errorf("an empty chat is %s", empty)
	}
}

// A countingWriter counts what it is given.
type countingWriter struct{ n int64 }

func (w *countingWriter) Write(p []byte) (int, error) { w.n += int64(len(p)); return len(p), nil }

func TestAChatOfAnySizeIsWrittenInLittleMemory(t *testing.T) {
	const items, size = 12, 2 << 20
	piece := bytes.Repeat([]byte("some ``` output ö\n"), 64*1024/19)
	body := func(to io.Writer, _ string) error {
		for n := 0; n < size; n += len(piece) {
			if _, err := to.Write(piece); err != nil {
				return err
			}
		}
		return nil
	}
	s := export.Source{
		Chat: backend.Chat{ID: "chat", Title: "Large"},
		Items: func(_ string, do func(backend.Item) error) error {
			for n := range items {
				if err := do(backend.Item{ID: fmt.Sprint(n), Kind: backend.ItemTool, Tool: &backend.Tool{Title: "Run"}}); err != nil {
					return err
				}
			}
			return nil
		},
		Contents: func(id string) ([]backend.Content, error) {
			return []backend.Content{{ID: id, Type: backend.ContentText}}, nil
		},
		Text: func(io.Writer, string) error { return nil },
		Body: body,
	}
	for name, format := range export.Formats {
		var most uint64
		var before, now runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		s.Contents = func(id string) ([]backend.Content, error) {
			runtime.GC()
			runtime.ReadMemStats(&now)
			most = max(most, now.HeapAlloc)
			return []backend.Content{{ID: id, Type: backend.ContentText}}, nil
		}
		var w countingWriter
		if err := format.Write(&w, s); err != nil {
			t.Fatal(err)
		}
		if w.n < items*size {
			t.Errorf("%s: %d bytes were written", name, w.n)
		}
		if most > before.HeapAlloc+size {
			t.Errorf("%s: the heap grew from %d to %d bytes", name, before.HeapAlloc, most)
		}
	}
}

func TestAWriteThatFailsIsAnError(t *testing.T) {
	full := errors.New("the disk is full")
	for name, format := range export.Formats {
		err := format.Write(writerFunc(func([]byte) (int, error) { return 0, full }), session())
		if !errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }
