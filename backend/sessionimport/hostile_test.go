package sessionimport_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/sessionimport"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// endless is a log of zeros without a line ending, such as a sparse file. reads is called with the number of each read.
type endless struct {
	n     int
	reads func(n int)
}

func (l *endless) ReadAt(p []byte, _ int64) (int, error) {
	l.n++
	l.reads(l.n)
	clear(p)
	return len(p), nil
}

func (l *endless) Stat() (fs.FileInfo, error) { return info{size: 1 << 50}, nil }

// TestReader_EndlessLineIsCancelled checks that reading a line that is as long as the log can be canceled.
func TestReader_EndlessLineIsCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	log := &endless{reads: func(n int) {
		if n == 1000 {
			cancel()
		}
		if n == 2000 {
			panic("the reader continues after it was canceled")
		}
	}}
	err := sessionimport.NewReader("", target).Read(ctx, log, newRows().commit, func(int64, int64) {})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestReader_LargeListsNeedNoMemory checks that reading lists with a very large number of elements needs no more memory
// than the line that contains them, that the excess elements are ignored, and that the next message is read.
func TestReader_LargeListsNeedNoMemory(t *testing.T) {
	const size = 16 << 20
	list := func(element string) string {
		return "[" + strings.Repeat(element+",", size/(len(element)+1)) + element + "]"
	}
	call := func(name, args string) string {
		return event(5, "tool.execution_start", fmt.Sprintf(`{"toolCallId":"c","toolName":%q,"arguments":%s}`, name, args))
	}
	done := func(result string) string {
		return event(6, "tool.execution_complete", `{"toolCallId":"c","success":true,"result":`+result+`}`)
	}
	for name, lines := range map[string]string{
		"attachments":   event(5, "user.message", `{"content":"x","attachments":`+list("0")+`}`),
		"files":         event(5, "user.message", `{"content":"x","attachments":`+list(`{"path":"a"}`)+`}`),
		"links":         event(5, "user.message", `{"content":"x`+strings.Repeat(`\n[Resource link: file:///a]`, 200_000)+`"}`),
		"images":        call("view", "{}") + done(`{"contents":`+list("0")+`,"binaryResultsForLlm":`+list("0")+`}`),
		"requests":      event(5, "assistant.message", `{"content":"x","messageId":"m","toolRequests":`+list("0")+`}`),
		"commands":      call("bash", `{"commands":`+list(`"a"`)+`}`),
		"words":         call("bash", `{"command":`+list(`"a"`)+`}`),
		"addresses":     call("web_fetch", `{"url":`+list(`"http://a"`)+`}`),
		"a long path":   call("view", `{"path":"/`+strings.Repeat("a/../", size/5)+`"}`),
		"a long change": call("edit", `{"path":"a","old_str":"`+strings.Repeat(`a\n`, size/6)+`","new_str":"`+strings.Repeat(`b\n`, size/6)+`"}`),
		"a long plan":   call("update_todo", `{"todos":"`+strings.Repeat(`- [ ] a\n`, size/9)+`"}`),
		"a search":      call("grep", `{"pattern":"x","output_mode":"content"}`) + done(`{"content":"`+strings.Repeat(`a\n`, size/3)+`"}`),
	} {
		t.Run(name, func(t *testing.T) {
			log, got := []byte(lines+event(7, "user.message", `{"content":"after"}`)), newRows()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			r := sessionimport.NewReader("", target)
			noErr(t, r.Read(t.Context(), openLog(log, len(log)), got.commit, func(int64, int64) {}))
			runtime.ReadMemStats(&after)
			if n := after.TotalAlloc - before.TotalAlloc; n > 600<<20 {
				t.Errorf("a line of %d MB took %d MB", len(lines)>>20, n>>20)
			}
			last := got.order[len(got.order)-1]
			if got.texts[last] != "after" {
				t.Errorf("the last message is %.50q", got.texts[last])
			}
			for _, it := range got.items {
				if len(it.Attachments) > backend.MaxAttachments || it.Tool != nil && len(it.Tool.Path) > 40<<10 {
					t.Errorf("%d attachments, a path of %d bytes", len(it.Attachments), len(it.Tool.Path))
				}
			}
		})
	}
}

// TestReader_ReferencesToImageAreLimited checks that the time and space for reading a log are limited even if it refers
// to one image a very large number of times.
func TestReader_ReferencesToImageAreLimited(t *testing.T) {
	var log strings.Builder
	data := base64.StdEncoding.EncodeToString(make([]byte, backend.MaxImageBytes))
	log.WriteString(event(1, "session.binary_asset", `{"assetId":"sha256:1","type":"image","mimeType":"image/png","data":"`+data+`"}`))
	for i := range 120 {
		log.WriteString(event(2+i, "user.message", `{"content":"x","attachments":[{"mimeType":"image/png","assetId":"sha256:1"}]}`))
	}
	images := 0
	err := sessionimport.NewReader("", target).Read(t.Context(), openLog([]byte(log.String()), log.Len()), func(_ context.Context, events []backend.Event) error {
		for _, e := range events {
			if e.Content != nil {
				images++
			}
		}
		return nil
	}, func(int64, int64) {})
	if err != nil || images < 50 || images > 100 {
		t.Errorf("%d images, %v", images, err)
	}
}

// TestManager_CopiedHomeIsAnotherChat checks that a session in a copied home directory opens in a separate chat,
// although it has the same ID as the original session.
func TestManager_CopiedHomeIsAnotherChat(t *testing.T) {
	log := []byte(event(1, "user.message", `{"content":"hello"}`) + "garbage\n")
	first, second := sessionHome(t, log), sessionHome(t, log)
	link := filepath.Join(t.TempDir(), "link")
	noErr(t, os.Symlink(second, link))
	e, err := openEnv(t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, e.close()) }()
	var ids []string
	for _, home := range []string{first, second, first, second, link} {
		chat, err := e.open(home)
		noErr(t, err)
		ids = append(ids, chat.ID)
	}
	if ids[0] == ids[1] || ids[2] != ids[0] || ids[3] != ids[1] || ids[4] != ids[1] {
		t.Errorf("chats %q", ids)
	}
	noErr(t, e.bus.Flush(t.Context()))
	if rows := dump(t, e.store); strings.Count(rows, `"note":{"text":"1 damaged entry was left out."`) != 2 {
		t.Errorf("the damaged entries aren't reported: %s", rows)
	}
}

// TestManager_ReplacedLogIsNotMixed checks that an interrupted import doesn't continue with the rest of another log, even
// if that is longer.
func TestManager_ReplacedLogIsNotMixed(t *testing.T) {
	home := sessionHome(t, generate(chaos.Rand(t, chaos.Seed(t), 0), 300))
	sessionimport.SetMaxEvents(50)
	defer sessionimport.SetMaxEvents(8000)
	e, err := openEnv(t.TempDir())
	noErr(t, err)
	defer func() { noErr(t, e.close()) }()
	chat, err := e.Open(t.Context(), home, target.ACPID)
	noErr(t, err)
	for r, err := sessionimport.Load(e.StateFile(chat.ID)); err != nil || r.Offset() == 0; r, err = sessionimport.Load(e.StateFile(chat.ID)) {
		time.Sleep(time.Millisecond)
	}
	e.Stop(chat.ID)
	if e.Writable(chat.ID) == nil {
		t.Skip("the whole log was read at once")
	}
	noErr(t, os.WriteFile(filepath.Join(home, "session-state", target.ACPID, "events.jsonl"), generate(chaos.Rand(t, chaos.Seed(t), 1), 900), 0o600))
	before := dump(t, e.store)
	_, err = e.Open(t.Context(), home, target.ACPID)
	noErr(t, err)
	for {
		noErr(t, e.bus.Flush(t.Context()))
		e.mu.Lock()
		last := e.states[len(e.states)-1]
		e.mu.Unlock()
		if last.State == backend.ImportFailed {
			if !strings.Contains(last.Error.String(), "replaced the session") {
				t.Errorf("error %q", last.Error)
			}
			break
		}
		if last.State == backend.ImportDone {
			t.Fatal("the import continued with another log")
		}
		time.Sleep(time.Millisecond)
	}
	if after := dump(t, e.store); after != before {
		t.Error("rows of the other log were added")
	}
}

// TestReader_EqualIDsAreShown checks that each of several events with the same ID, the same time and the same size is
// shown, as the CLI loads each of them.
func TestReader_EqualIDsAreShown(t *testing.T) {
	message := func(text string) string { return event(1, "user.message", `{"content":"`+text+`"}`) }
	log, got := []byte(message("first words")+message("first words")+strings.TrimSuffix(message("other words"), "\n")+message("third words")), newRows()
	noErr(t, sessionimport.NewReader("", target).Read(t.Context(), openLog(log, len(log)), got.commit, func(int64, int64) {}))
	var texts []string
	for _, id := range got.order {
		texts = append(texts, got.texts[id])
	}
	if want := "first words|first words|other words|third words"; strings.Join(texts, "|") != want || len(got.turns) != 4 {
		t.Errorf("%d turns, %q, want %q", len(got.turns), texts, want)
	}
}
