package export_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	stdhtml "html"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/export"
)

// entry is an item with its text and contents.
type entry struct {
	item     backend.Item
	text     string
	contents []backend.Content
	inside   []entry
}

// newSource returns a source for an in-memory chat. It provides bodies one byte at a
// time, so that tests fail if the code depends on how bodies are split.
func newSource(chat backend.Chat, entries []entry) export.Source {
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
	bodies["c0"] = []byte("\x89PNG") // an image sent with a message
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

func render(t *testing.T, format string, s export.Source) string {
	t.Helper()
	var b bytes.Buffer
	if err := export.Formats[format].Write(&b, s); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

const hostile = "<script>alert(1)</script> & \"quotes\" '</pre></section></main>"

// exampleChat returns a chat with all kinds of items, some of them hostile.
func exampleChat() export.Source {
	code := 2
	return newSource(backend.Chat{ID: "chat", Title: "Fix <b>the</b> `tests`", Folder: "/home/me", Draft: "unsent", CreatedAt: 1_700_000_000_000, UpdatedAt: 1_700_000_100_000}, []entry{
		{item: backend.Item{ID: "1", Kind: backend.ItemUser, Attachments: []backend.Attachment{{Name: "a.png", ContentID: "c0", Mime: "image/png", Size: 4}}}, text: "Größe? " + hostile},
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
				{ID: "c5", Type: backend.ContentNames, Body: []byte("/home/me/unlisted.go\n")},
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

func TestMarkdown_BodiesStayInFences(t *testing.T) {
	got := render(t, "markdown", exampleChat())
	for _, want := range []string{
		"# Fix &lt;b&gt;the&lt;/b&gt; \\`tests\\`\n",
		"\n## You\n", "\n- Attachment: `a.png`\n", "\nGröße? " + hostile + "\n",
		"\n- Command: `echo U+202Egnp.exe`\n", "\n- Exit code: `2`\n",
		"\nOutput:\n\n`````\nred link\n````\n" + hostile + "\uFFFD\n`````\n",
		"\n````diff\n-```\n+x\n````\n",
		"\n- [x] look\n- [ ] &lt;script&gt;",
		"\n## Task for tests\n", "\n### Answer\n", "\ninside\n```go\nfunc open\n```\n", "\n### Notice\n",
		"\n# the end\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	for _, none := range []string{"\x1b", "\u202e", "\xff", "\r", "unsent", "unlisted", "PNG\x00"} {
		if strings.Contains(got, none) {
			t.Errorf("there is %q", none)
		}
	}
}

func TestHTML_EscapesChatMarkup(t *testing.T) {
	got := render(t, "html", exampleChat())
	for _, want := range []string{
		"<!doctype html>", `<meta name="color-scheme" content="light dark">`, "<title>Fix &lt;b&gt;the&lt;/b&gt; `tests`</title>",
		"Größe? &lt;script&gt;", "<div class=\"said\">\n<p>hm</p>\n</div>", "<h3>the end</h3>", "red link\n````\n&lt;script&gt;", "U+202Egnp.exe",
		`<img alt="" src="data:image/png;base64,iVBORwD/">`, "image/svg+xml, 0 bytes", `<img alt="" src="data:image/png;base64,iVBORw==">`, "<h2>Task for tests", "<h2>Notice",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("there is no %q in\n%s", want, got)
		}
	}
	for _, none := range []string{"<script", "<b>", "\x1b", "\u202e", "\xff", "http://", "unsent", "unlisted", "javascript:", " src=\"http"} {
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

// renderProse renders a message as HTML.
func renderProse(t *testing.T, text string) string {
	t.Helper()
	page := render(t, "html", newSource(backend.Chat{ID: "chat"}, []entry{{item: backend.Item{ID: "1", Kind: backend.ItemMessage}, text: text}}))
	_, body, _ := strings.Cut(page, "</h2>\n")
	return strings.TrimSpace(strings.TrimSuffix(body, "</section>\n</main>\n</body>\n</html>\n"))
}

func TestHTML_RendersMarkdown(t *testing.T) {
	for markdown, want := range map[string]string{
		"Two **words** and `code`":                          "<p>Two <strong>words</strong> and <code>code</code></p>",
		"# Top\n\n- one\n- [x] two":                         "<h3>Top</h3>\n<ul>\n<li>one</li>\n<li><input checked=\"\" disabled=\"\" type=\"checkbox\"> two</li>\n</ul>",
		"| a | b |\n|---|---|\n| 1 | 2 |":                   "<table>\n<thead>\n<tr>\n<th>a</th>\n<th>b</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table>",
		"```go\nif a < b {}\n```":                           "<pre><code class=\"language-go\">if a &lt; b {}\n</code></pre>",
		"[the page](https://example.org/a?b=1&c)":           `<p><a rel="noopener noreferrer nofollow" href="https://example.org/a?b=1&amp;c" title="https://example.org/a?b=1&amp;c">the page</a></p>`,
		"see https://example.org and me@example.org":        `<p>see <a rel="noopener noreferrer nofollow" href="https://example.org" title="https://example.org">https://example.org</a> and <a rel="noopener noreferrer nofollow" href="mailto:me@example.org" title="mailto:me@example.org">me@example.org</a></p>`,
		"![a picture](https://example.org/track.gif \"t\")": "<p>a picture <code>https://example.org/track.gif</code></p>",
		"[run](javascript:alert(1))":                        "<p>run <code>javascript:alert(1)</code></p>",
		"<b onclick=x>bold</b>":                             "<p>&lt;b onclick=x&gt;bold&lt;/b&gt;</p>",
	} {
		if got := renderProse(t, markdown); got != "<div class=\"said\">\n"+want+"\n</div>" {
			t.Errorf("%q is\n%s\nand not\n%s", markdown, got, want)
		}
	}
}

func TestHTML_HostileMarkdownIsInert(t *testing.T) {
	for _, markdown := range []string{
		"<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "<svg/onload=alert(1)>", "<iframe src=https://example.org></iframe>",
		"a <script>alert(1)</script> b", "<!-- --><script>alert(1)</script>", "<style>@import 'https://example.org'</style>",
		"[a](javascript:alert(1))", "[a](JaVaScRiPt:alert(1))", "[a](java\tscript:alert(1))", "[a](&#106;avascript:alert(1))", "[a](<javascript:alert(1)>)",
		"[a](data:text/html;base64,PHNjcmlwdD4=)", "[a](vbscript:x)", "[a](file:///etc/passwd)", "[a]: javascript:alert(1)\n\n[a]", "<javascript:alert(1)>",
		"![a](https://example.org/x.png)", "![a](data:image/svg+xml,<svg/onload=alert(1)>)", "[![a](https://example.org/x.png)](https://example.org)",
		`[a](https://example.org/"onmouseover="alert(1))`, `[a](https://example.org "x\" onmouseover=\"alert(1)")`, "`<script>`", "```\"><script>\nx\n```",
		"# <script>alert(1)</script>", "| <script>alert(1)</script> |\n|---|\n| x |", "</section></main><script>alert(1)</script>", "<a href='javascript:alert(1)'>x</a>",
		"<base href=https://example.org>", "<meta http-equiv=refresh content='0;url=https://example.org'>", "<form action=https://example.org><input>",
		"<details open ontoggle=alert(1)>", "<?php ?>", "<![CDATA[<script>]]>", "&lt;script&gt;", "<script\n>alert(1)</script\n>",
	} {
		for tag := range strings.SplitSeq(renderProse(t, markdown), "<") {
			tag, _, _ = strings.Cut(tag, ">")
			name, attributes, _ := strings.Cut(strings.TrimPrefix(tag, "/"), " ")
			switch {
			case tag == "" || strings.HasPrefix(attributes, `rel="noopener noreferrer nofollow" href="https://example.org`):
			case strings.Contains(" div p pre code h3 table thead tbody tr th td a em strong ", " "+name+" ") && (attributes == "" || strings.HasPrefix(attributes, `class="`)):
			default:
				t.Errorf("%q has the tag <%s>", markdown, tag)
			}
			if strings.Contains(attributes, `" on`) {
				t.Errorf("%q listens: <%s>", markdown, tag)
			}
		}
	}
	if page := render(t, "html", exampleChat()); !strings.Contains(page, `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`) {
		t.Error("the page has no policy")
	}
}

func TestHTML_OversizedMarkdownIsPlain(t *testing.T) {
	for name, text := range map[string]string{
		"a long text":      strings.Repeat("word ", 20_000),
		"brackets":         strings.Repeat("[", 5000),
		"stars":            strings.Repeat("*a **b ", 3000),
		"nested quotes":    strings.Repeat("> ", 300) + "deep",
		"nested lists":     strings.Repeat("- ", 300) + "deep",
		"backticks":        strings.Repeat("`", 5000) + "a",
		"angles":           strings.Repeat("<a ", 5000),
		"pipes and dashes": "|" + strings.Repeat("a|", 3000) + "\n|" + strings.Repeat("-|", 3000),
	} {
		if got := renderProse(t, text); !strings.HasPrefix(got, `<pre class="text">`) || !strings.HasSuffix(got, "</pre>") {
			t.Errorf("%s: it is %.60s", name, got)
		}
	}
	if got := renderProse(t, strings.Repeat("-", 300)+"\n\n"+strings.Repeat("1", 300)); !strings.Contains(got, "<hr>") {
		t.Errorf("a long rule is %.60s", got)
	}
}

func TestExport_UsesReaderLanguageAndTime(t *testing.T) {
	code := 0
	items := []entry{
		{item: backend.Item{ID: "1", Kind: backend.ItemUser, CreatedAt: 1_700_000_000_000}, text: "hi"},
		{item: backend.Item{ID: "2", Kind: backend.ItemTool, CreatedAt: 1_700_000_000_000, Tool: &backend.Tool{
			Title: "Run", Status: backend.ToolCompleted, Decision: backend.DecisionAllowedOnce, ExitCode: &code,
			ResultSummary: backend.Say("killed by %s", "SIGKILL"),
		}}},
		{item: backend.Item{ID: "3", Kind: backend.ItemBanner, Banner: &backend.Banner{Kind: backend.BannerSessionLost}}},
		{item: backend.Item{ID: "4", Kind: backend.ItemBanner, Banner: &backend.Banner{Kind: backend.BannerAgentError, Detail: backend.Say("no result")}}},
		{item: backend.Item{ID: "5", Kind: backend.ItemBanner, Banner: &backend.Banner{Kind: backend.BannerWithoutPermission}}},
	}
	s := newSource(backend.Chat{ID: "chat", Folder: "/home/me", CreatedAt: 1_700_000_000_000, UpdatedAt: 1_700_000_000_000}, items)
	s.Zone = time.FixedZone("CET", 60*60)
	for language, wants := range map[string][]string{
		"":   {`<html lang="en">`, "14 Nov 2023, 23:13:20", "CET (UTC+01:00)", "<h2>You", "completed", "allowed once", "Session couldn't be restored", "killed by SIGKILL", "no result", `datetime="2023-11-14T23:13:20+01:00"`},
		"de": {`<html lang="de">`, "14.11.2023, 23:13:20", "<h2>Du", "abgeschlossen", "einmal erlaubt", "Sitzung nicht wiederhergestellt", "beendet durch SIGKILL", "kein Ergebnis", "Copilot hat nicht um Erlaubnis gefragt"},
		"zh": {`<html lang="zh-CN">`, "2023年11月14日 23:13:20", "<h2>你", "已完成", "已允许一次", "无法恢复会话", "被 SIGKILL 终止", "没有结果", "Copilot 没有请求许可"},
	} {
		s.Language = language
		page, text := render(t, "html", s), render(t, "markdown", s)
		for i, want := range wants {
			if !strings.Contains(stdhtml.UnescapeString(page), want) {
				t.Errorf("%s: there is no %q in\n%s", language, want, page)
			}
			if i > 2 && !strings.ContainsAny(want, "<=") && !strings.Contains(text, want) {
				t.Errorf("%s: there is no %q in\n%s", language, want, text)
			}
		}
	}
}

func TestJSON_IsComplete(t *testing.T) {
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
	if err := json.Unmarshal([]byte(render(t, "json", exampleChat())), &got); err != nil {
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
	if empty := render(t, "json", newSource(backend.Chat{ID: "empty"}, nil)); !json.Valid([]byte(empty)) {
		t.Errorf("an empty chat is %s", empty)
	}
}

// A countingWriter counts the bytes written to it.
type countingWriter struct{ n int64 }

func (w *countingWriter) Write(p []byte) (int, error) { w.n += int64(len(p)); return len(p), nil }

func TestExport_LargeChatBoundedMemory(t *testing.T) {
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
		Text: body,
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
		if w.n < 2*items*size {
			t.Errorf("%s: %d bytes were written", name, w.n)
		}
		if most > before.HeapAlloc+size {
			t.Errorf("%s: the heap grew from %d to %d bytes", name, before.HeapAlloc, most)
		}
	}
}

func TestExport_WriteErrorReturned(t *testing.T) {
	full := errors.New("the disk is full")
	for name, format := range export.Formats {
		err := format.Write(writerFunc(func([]byte) (int, error) { return 0, full }), exampleChat())
		if !errors.Is(err, full) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }
