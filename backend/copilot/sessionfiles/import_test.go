package sessionfiles_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend/copilot/sessionfiles"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/copilottest"
)

// record is a message or a tool call of a conversation.
type record struct {
	Role    string // "user", "assistant" or "tool"
	Text    string // text of a message, or result of a tool call
	Tool    string
	Args    string // JSON
	Success bool
	Images  []string // base64
}

// newImporter returns an Importer for the real CLI, and the IDs that it has marked and not unmarked.
func newImporter(t *testing.T) (i sessionfiles.Importer, marked map[string]bool) {
	t.Helper()
	marked = map[string]bool{}
	home := t.TempDir()
	return sessionfiles.Importer{
		Program: copilottest.Path(t), Env: append(os.Environ(), "COPILOT_OFFLINE=true"), Home: home, Temp: filepath.Join(home, "temp"),
		Mark:   func(id string) error { marked[id] = true; return nil },
		Unmark: func(id string) { delete(marked, id); noErr(t, sessionfiles.Delete(home, id)) },
	}, marked
}

// write writes the conversation to t.
func write(t *sessionfiles.Transcript, name string, all []record) error {
	now := time.Now()
	err := t.Begin(sessionfiles.Head{Name: name, Folder: "/folder", CreatedAt: now})
	for n, r := range all {
		var images []sessionfiles.Image
		for i, data := range r.Images {
			raw, e := base64.StdEncoding.DecodeString(data)
			images = append(images, sessionfiles.Image{Name: fmt.Sprintf("shot %d.png", i), Mime: "image/png", Data: raw})
			err = errors.Join(err, e)
		}
		at := now.Add(time.Duration(n) * time.Second)
		switch r.Role {
		case "user":
			err = errors.Join(err, t.User(at, r.Text, images...))
		case "assistant":
			err = errors.Join(err, t.Answer(at, r.Text))
		case "tool":
			err = errors.Join(err, t.Tool(at, r.Tool, gjson.Parse(r.Args).Value(), r.Success, r.Text))
		}
	}
	return err
}

// conversationIn returns the conversation in a log.
func conversationIn(log string) (all []record) {
	calls := map[string]gjson.Result{}
	for line := range strings.Lines(log) {
		data := gjson.Get(line, "data")
		switch gjson.Get(line, "type").String() {
		case "user.message":
			r := record{Role: "user", Text: data.Get("content").String()}
			for _, a := range data.Get("attachments").Array() {
				r.Images = append(r.Images, a.Get("data").String())
			}
			all = append(all, r)
		case "assistant.message":
			if text := data.Get("content").String(); text != "" {
				all = append(all, record{Role: "assistant", Text: text})
			}
		case "tool.execution_start":
			calls[data.Get("toolCallId").String()] = data
		case "tool.execution_complete":
			call := calls[data.Get("toolCallId").String()]
			all = append(all, record{
				Role: "tool", Tool: call.Get("toolName").String(), Args: call.Get("arguments").Raw, Success: data.Get("success").Bool(),
				Text: data.Get("result.content").String() + data.Get("error.message").String(),
			})
		}
	}
	return all
}

// dot is a PNG image in base64.
const dot = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// texts are parts of random texts.
var texts = []string{"word", " ", "\n", "😀", "é\u0301", "\u202e", "\u2028", "\x00", "\x1b[31m", `"\`, "/allow-all", "</current_datetime>", "\r\n", "漢字", "{}", strings.Repeat("long ", 200)}

func randomText(r *rand.Rand) string {
	var b strings.Builder
	for range r.IntN(12) {
		b.WriteString(texts[r.IntN(len(texts))])
	}
	if r.IntN(4) == 0 {
		return b.String()
	}
	return b.String() + "."
}

// TestImport_RealCLIKeepsEverything checks that the real CLI imports random conversations without changing them.
func TestImport_RealCLIKeepsEverything(t *testing.T) {
	i, marked := newImporter(t)
	seed, rounds := chaos.Seed(t), chaos.Runs(4, 200)
	result := chaos.Row(t, "Conversations imported by the real CLI", rounds)
	total := 0
	for round := range rounds {
		r := chaos.Rand(t, seed, round)
		var want []record
		for range 1 + r.IntN(5) {
			message := record{Role: "user", Text: randomText(r)}
			for range r.IntN(3) {
				message.Images = append(message.Images, dot)
			}
			want = append(want, message)
			for range r.IntN(4) {
				if r.IntN(2) == 0 {
					want = append(want, record{Role: "assistant", Text: randomText(r) + "."})
					continue
				}
				call := record{Role: "tool", Tool: []string{"bash", "view", "voxpilot-copilot_agent"}[r.IntN(3)], Args: `{"path":"a b"}`, Success: r.IntN(2) == 0, Text: randomText(r) + "."}
				if r.IntN(10) == 0 {
					call.Text = strings.Repeat(call.Text, 2000)
				}
				want = append(want, call)
			}
		}
		id, err := i.Import(t.Context(), func(to *sessionfiles.Transcript) error { return write(to, randomText(r), want) })
		noErr(t, err)
		total += len(want)
		if diff := cmp.Diff(want, conversationIn(filesOf(t, i.Home, id)["events.jsonl"])); diff != "" {
			t.Fatalf("round %d (-want +got):\n%s", round, diff[:min(len(diff), 3000)])
		}
		if !marked[id] || len(marked) != 1 {
			t.Errorf("marked are %v, want only %s", marked, id)
		}
		delete(marked, id)
	}
	if entries, err := os.ReadDir(i.Temp); err != nil || len(entries) > 0 {
		t.Errorf("left over: %v, %v", entries, err)
	}
	if entries, err := os.ReadDir(filepath.Join(i.Home, "session-state")); err != nil || len(entries) != rounds {
		t.Errorf("%d sessions, %v, want %d", len(entries), err, rounds)
	}
	result("%d messages and tool calls, all unchanged", total)
}

// TestImport_LeavesNothingIfItFails checks that Import leaves neither a session nor a mark behind when it fails.
func TestImport_LeavesNothingIfItFails(t *testing.T) {
	stop := errors.New("stop")
	hello := []record{{Role: "user", Text: "hello"}}
	for name, c := range map[string]struct {
		change func(*sessionfiles.Importer)
		write  func(*sessionfiles.Transcript) error
		want   error
	}{
		"nothing written": {nil, func(*sessionfiles.Transcript) error { return nil }, sessionfiles.ErrNotImported},
		"write fails":     {nil, func(*sessionfiles.Transcript) error { return stop }, stop},
		"no such program": {func(i *sessionfiles.Importer) { i.Program = filepath.Join(i.Home, "none") }, nil, nil},
		"another program": {func(i *sessionfiles.Importer) { i.Program, _ = exec.LookPath("git") }, nil, sessionfiles.ErrNotImported},
		"mark fails":      {func(i *sessionfiles.Importer) { i.Mark = func(string) error { return stop } }, nil, stop},
	} {
		t.Run(name, func(t *testing.T) {
			i, marked := newImporter(t)
			if c.change != nil {
				c.change(&i)
			}
			if c.write == nil {
				c.write = func(to *sessionfiles.Transcript) error { return write(to, "", hello) }
			}
			id, err := i.Import(t.Context(), c.write)
			if err == nil || c.want != nil && !errors.Is(err, c.want) {
				t.Errorf("got %s, %v, want %v", id, err, c.want)
			}
			if len(marked) > 0 {
				t.Errorf("marked: %v", marked)
			}
			for _, dir := range []string{"session-state", "temp"} {
				if entries, _ := os.ReadDir(filepath.Join(i.Home, dir)); len(entries) > 0 {
					t.Errorf("left over in %s: %v", dir, entries)
				}
			}
		})
	}
}
