package tools_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/tools"
)

func TestRead_HasLineNumbers(t *testing.T) {
	w := newEnv(t)
	w.write("src/a.txt", "one\r\ntwo\nthree") // mixed line endings, no final newline
	for _, path := range []string{"src/a.txt", "./src/../src/a.txt", filepath.ToSlash(filepath.Join(w.folder, "src", "a.txt"))} {
		res := w.call("read_file", `{"path":"`+path+`"}`)
		if res.Text != "     1\tone\n     2\ttwo\n     3\tthree\n" || res.Summary.String() != "3 lines" || res.Kind != backend.ToolRead || res.Path != filepath.Join(w.folder, "src", "a.txt") {
			t.Errorf("%s: %+v", path, res)
		}
	}
	w.write("empty", "")
	if got := w.callText("read_file", `{"path":"empty"}`); got != "[The file is empty.]" {
		t.Error(got)
	}
}

func TestRead_PartExplainsHowToContinue(t *testing.T) {
	w := newEnv(t)
	var body strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&body, "line %d\n", i+1)
	}
	w.write("long.txt", body.String())
	first := w.callText("read_file", `{"path":"long.txt"}`)
	contains(t, first, "     1\tline 1\n", "  1000\tline 1000\n", "[Lines 1 to 1000 of 3,000. Continue with line=1001.]")
	middle := w.callText("read_file", `{"path":"long.txt","line":1001,"limit":2}`)
	if middle != "  1001\tline 1001\n  1002\tline 1002\n[Lines 1001 to 1002 of 3,000. Continue with line=1003.]\n" {
		t.Error(middle)
	}
	last := w.callText("read_file", `{"path":"long.txt","line":3000,"limit":5}`)
	if last != "  3000\tline 3000\n[Lines 3000 to 3000 of 3,000.]\n" {
		t.Error(last)
	}
	contains(t, w.callError("read_file", `{"path":"long.txt","line":3001}`), "has 3,000 lines, so line 3001 doesn't exist")

	// Following the hints on how to continue returns the whole file.
	w.write("wide.txt", strings.Repeat(strings.Repeat("w", 800)+"\n", 200))
	shown := 0
	for line := 1; ; {
		text := w.callText("read_file", fmt.Sprintf(`{"path":"wide.txt","line":%d}`, line))
		if len(text) > 42<<10 {
			t.Fatalf("%d bytes at once", len(text))
		}
		shown += strings.Count(text, "\twww")
		_, on, more := strings.Cut(text, "Continue with line=")
		if !more {
			break
		}
		if _, err := fmt.Sscanf(on, "%d", &line); err != nil {
			t.Fatal(err)
		}
	}
	if shown != 200 {
		t.Errorf("%d of 200 lines were shown", shown)
	}
}

func TestRead_TruncatesLongLines(t *testing.T) {
	w := newEnv(t)
	w.write("min.js", strings.Repeat("é", 100_000)+"\nnext\n")
	text := w.callText("read_file", `{"path":"min.js"}`)
	contains(t, text, "é… [line is 200,001 bytes]\n     2\tnext\n")
	if len(text) > 1200 {
		t.Errorf("%d bytes", len(text))
	}
}

func TestRead_HugeFileInParts(t *testing.T) {
	w := newEnv(t)
	w.write("huge.log", strings.Repeat(strings.Repeat("x", 99)+"\n", 350_000)) // 35 MB
	text := w.callText("read_file", `{"path":"huge.log","limit":1}`)
	contains(t, text, "[Lines 1 to 1 of more than ", "Continue with line=2.]")
	contains(t, w.callText("read_file", `{"path":"huge.log","line":340000,"limit":1}`), "340000\txxx")
}

func TestRead_NonTextFileNamed(t *testing.T) {
	w := newEnv(t)
	w.write("pic.png", "\x89PNG\r\n\x1a\n\x00\x00")
	w.write("latin1.txt", "caf\xe9 au lait")
	w.write("utf16.txt", "\xff\xfeh\x00i\x00")
	w.write("cut.txt", strings.Repeat("x", 8191)+"é and more") // a character across the boundary of the checked part
	contains(t, w.callError("read_file", `{"path":"pic.png"}`), "isn't UTF-8 text (image/png, 10 bytes)")
	contains(t, w.callError("read_file", `{"path":"latin1.txt"}`), "isn't UTF-8 text")
	contains(t, w.callError("read_file", `{"path":"utf16.txt"}`), "utf-16le")
	contains(t, w.callText("read_file", `{"path":"cut.txt"}`), "xxx")
}

func TestTools_StayInsideFolder(t *testing.T) {
	w := newEnv(t)
	secret := filepath.Join(w.outside, "secret.txt")
	noErr(t, os.WriteFile(secret, []byte("hunter2\n"), 0o600))
	w.write("sub/in.txt", "in\n")
	link(t, secret, filepath.Join(w.folder, "filelink"))
	link(t, w.outside, filepath.Join(w.folder, "dirlink"))
	link(t, filepath.Join("..", "..", "beside", "secret.txt"), filepath.Join(w.folder, "sub", "deeplink"))
	for _, path := range []string{secret, "../beside/secret.txt", "filelink", "dirlink/secret.txt", "sub/deeplink", "sub/../../beside/secret.txt"} {
		contains(t, w.callError("read_file", `{"path":"`+filepath.ToSlash(path)+`"}`), "outside the folder", "read_file_external")
	}
	for _, call := range [][2]string{
		{"list_directory", `{"path":"dirlink"}`},
		{"list_directory", `{"path":".."}`},
		{"glob", `{"pattern":"*","path":"dirlink"}`},
		{"grep", `{"pattern":"hunter","path":"dirlink"}`},
		{"grep", `{"pattern":"hunter","path":"filelink"}`},
		{"git_diff", `{"path":".."}`},
		{"git_log", `{"path":"dirlink"}`},
	} {
		contains(t, w.callError(call[0], call[1]), "outside the folder")
	}
	// Links found by a walk aren't followed out of the folder either, with git and without.
	for range 2 {
		if text := w.callText("grep", `{"pattern":"hunter2|^in$"}`); strings.Contains(text, "hunter2") || !strings.Contains(text, "sub/in.txt") {
			t.Error(text)
		}
		if text := w.callText("glob", `{"pattern":"**"}`); strings.Contains(text, "secret") || !strings.Contains(text, "sub/in.txt") {
			t.Error(text)
		}
		w.git("init")
		w.git("add", "-A")
	}
	if len(w.requests) != 0 {
		t.Errorf("the user was asked: %v", w.requests)
	}
}

func TestList_ShowsFolder(t *testing.T) {
	w := newEnv(t)
	w.write("b/x.txt", "x")
	w.write("a.txt", "1234")
	w.write(".hidden", "")
	link(t, w.outside, filepath.Join(w.folder, "out"))
	res := w.call("list_directory", `{}`)
	if res.Text != "b/\n.hidden (0 bytes)\na.txt (4 bytes)\nout (link)" || res.Summary.String() != "4 entries" {
		t.Errorf("%+v", res)
	}
	noErr(t, os.Mkdir(filepath.Join(w.folder, "empty"), 0o700))
	if got := w.callText("list_directory", `{"path":"empty"}`); got != "[The folder is empty.]" {
		t.Error(got)
	}
	for i := range 600 {
		w.write(fmt.Sprintf("many/%03d", i), "")
	}
	many := w.call("list_directory", `{"path":"many"}`)
	contains(t, many.Text, "[More entries not shown.")
	if many.Summary.String() != "more than 500 entries" || strings.Count(many.Text, "\n") != 500 {
		t.Errorf("%s: %d lines", many.Summary, strings.Count(many.Text, "\n"))
	}
}

func TestRead_OutsideFileOncePermitted(t *testing.T) {
	w := newEnv(t)
	secret := filepath.Join(w.outside, "notes.txt")
	noErr(t, os.WriteFile(secret, []byte("a note\n"), 0o600))
	link(t, secret, filepath.Join(w.outside, "link"))
	arguments := `{"path":"` + filepath.ToSlash(filepath.Join(w.outside, "link")) + `"}`
	contains(t, w.callError("read_file_external", arguments), "The request was canceled before the user answered it: Read "+secret)
	w.answer = "reject"
	contains(t, w.callError("read_file_external", arguments), "The user didn't allow this: Read "+secret)
	w.answer = "allow"
	if got := w.callText("read_file_external", arguments); got != "     1\ta note\n" {
		t.Error(got)
	}
	if len(w.requests) != 3 {
		t.Fatalf("asked %d times", len(w.requests))
	}
	p := w.requests[2]
	if p.Path != secret || !p.Outside || p.Kind != backend.ToolRead || p.Title != "Read "+secret || p.ChatID != "chat" || p.TurnID != "turn" ||
		p.Session != backend.SessionMain || p.Folder != w.folder || p.Scope != nil || p.State != backend.PermissionOpen || len(p.Options) != 2 || p.ID == "" || p.CreatedAt == 0 {
		t.Errorf("asked %+v", p)
	}
	contains(t, string(p.Raw), `"tool":"read_file_external"`)
	w.write("in.txt", "in\n")
	if got := w.callText("read_file_external", `{"path":"`+filepath.ToSlash(filepath.Join(w.folder, "in.txt"))+`"}`); got != "     1\tin\n" || len(w.requests) != 3 {
		t.Errorf("a file of the folder: %q, asked %d times", got, len(w.requests))
	}
}

func TestInstructions_ReadFromFolder(t *testing.T) {
	w := newEnv(t)
	if got := tools.Instructions(w.folder); got != "" {
		t.Errorf("of nothing: %q", got)
	}
	w.write("AGENTS.md", "\uFEFFUse tabs.\n")
	w.write(".github/copilot-instructions.md", "Run make test.\n")
	if got, want := tools.Instructions(w.folder), "# AGENTS.md\n\nUse tabs.\n\n# .github/copilot-instructions.md\n\nRun make test."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	w.write("AGENTS.md", strings.Repeat("é", 40_000))
	if got := tools.Instructions(w.folder); len(got) > 32<<10 || len(got) < 31<<10 || !strings.Contains(got, "é\n[The file continues.]\n\n# .github/copilot-instructions.md\n\nRun make test.") {
		t.Errorf("%d bytes, of which the last are %q", len(got), got[len(got)-40:])
	}
	w.write(".github/copilot-instructions.md", strings.Repeat("x", 40_000))
	if got := tools.Instructions(w.folder); len(got) > 32<<10 || strings.Count(got, "é") < 7000 || strings.Count(got, "x") < 15_000 {
		t.Errorf("%d bytes of two long files", len(got))
	}
	w.write(".github/copilot-instructions.md", "Run make test.\n")
	noErr(t, os.Remove(filepath.Join(w.folder, "AGENTS.md")))
	noErr(t, os.WriteFile(filepath.Join(w.outside, "x.md"), []byte("hunter2"), 0o600))
	link(t, filepath.Join(w.outside, "x.md"), filepath.Join(w.folder, "AGENTS.md"))
	if got := tools.Instructions(w.folder); strings.Contains(got, "hunter2") || !strings.Contains(got, "make test") {
		t.Errorf("with a link: %.200q", got)
	}
}
