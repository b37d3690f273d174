package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/tools"
	"github.com/voxpilot/voxpilot/internal/need"
)

func TestFind_NewestFilesFirst(t *testing.T) {
	w := newEnv(t)
	now := time.Now()
	for i, name := range []string{"old.go", "src/deep/mid.go", "src/new.go", "src/new.ts", "src/a.test.ts"} {
		w.write(name, "x")
		at := now.Add(time.Duration(i) * time.Minute)
		noErr(t, os.Chtimes(filepath.Join(w.folder, filepath.FromSlash(name)), at, at))
	}
	for arguments, want := range map[string]string{
		`{"pattern":"*.go"}`:                       "src/new.go\nsrc/deep/mid.go\nold.go\n",
		`{"pattern":"**/*.go"}`:                    "src/new.go\nsrc/deep/mid.go\nold.go\n",
		`{"pattern":"./src/*.go"}`:                 "src/new.go\n",
		`{"pattern":"/src/*.go"}`:                  "src/new.go\n",
		`{"pattern":"src/**"}`:                     "src/a.test.ts\nsrc/new.ts\nsrc/new.go\nsrc/deep/mid.go\n",
		`{"pattern":"*.{ts,tsx}"}`:                 "src/a.test.ts\nsrc/new.ts\n",
		`{"pattern":"deep/*.go","path":"src"}`:     "src/deep/mid.go\n",
		`{"pattern":"*.go","path":"src/new.go"}`:   "src/new.go\n",
		`{"pattern":"*.rs"}`:                       "No files match. Files ignored by Git are skipped unless path is an ignored folder.",
		`{"pattern":"*.go","limit":1}`:             "src/new.go\n[Showing the newest 1 of 3 files. Narrow the pattern or the path, or raise limit.]\n",
		`{"pattern":"**/deep/**/*.go","limit":10}`: "src/deep/mid.go\n",
	} {
		if got := w.callText("glob", arguments); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", arguments, got, want)
		}
	}
	res := w.call("glob", `{"pattern":"*.go"}`)
	if res.Summary.String() != "3 files" || res.Kind != backend.ToolSearch {
		t.Errorf("%+v", res)
	}
}

func TestFind_SaysThatGitsListIsCut(t *testing.T) {
	w := newEnv(t)
	w.git("init")
	for _, name := range []string{"a.go", "b.go", "c.go"} {
		w.write(name, "needle\n")
	}
	const note = "[The folder has too many files to search them all. Set path to a folder in it.]\n"
	t.Cleanup(tools.SetMaxList(len("a.go\x00b.go\x00c.")))
	if got := w.callText("grep", `{"pattern":"needle","output_mode":"files"}`); got != "a.go\nb.go\n"+note {
		t.Errorf("grep found:\n%s", got)
	}
	if got := w.callText("glob", `{"pattern":"*.go"}`); !strings.HasSuffix(got, note) || strings.Contains(got, "c.") {
		t.Errorf("glob found:\n%s", got)
	}
	tools.SetMaxList(len("a.go\x00b.go\x00c.go\x00"))
	if got := w.callText("grep", `{"pattern":"needle","output_mode":"files"}`); got != "a.go\nb.go\nc.go\n" {
		t.Errorf("of the whole list, grep found:\n%s", got)
	}
}

func TestFind_SkipsGitIgnored(t *testing.T) {
	w := newEnv(t)
	w.write(".gitignore", "*.log\nout/\n")
	w.write("a.go", "needle\n")
	w.write("a.log", "needle\n")
	w.write("out/b.go", "needle\n")
	w.write("out/tracked.go", "needle\n")
	w.write("node_modules/c.go", "needle\n")
	w.write("späte datei.go", "needle\n")
	without := w.callText("grep", `{"pattern":"needle","output_mode":"files"}`)
	if without != "a.go\na.log\nout/b.go\nout/tracked.go\nspäte datei.go\n" {
		t.Errorf("in no repository:\n%s", without)
	}
	w.git("init")
	w.git("add", "-f", "out/tracked.go", "a.go")
	if got := w.callText("grep", `{"pattern":"needle","output_mode":"files"}`); got != "a.go\nnode_modules/c.go\nout/tracked.go\nspäte datei.go\n" {
		t.Errorf("in a repository:\n%s", got)
	}
	if got := w.callText("glob", `{"pattern":"*.go","path":"out"}`); got != "out/tracked.go\n" {
		t.Errorf("in a folder of which git knows a file:\n%s", got)
	}
	w.git("rm", "--cached", "out/tracked.go")
	if got := w.callText("grep", `{"pattern":"needle","path":"out","output_mode":"count"}`); got != "out/b.go: 1\nout/tracked.go: 1\n[2 lines match in 2 files.]\n" {
		t.Errorf("in an ignored folder that is named:\n%s", got)
	}
	if got := w.callText("grep", `{"pattern":"needle","path":"a.log"}`); got != "a.log\n  1: needle\n" {
		t.Errorf("in an ignored file that is named:\n%s", got)
	}
}

func TestGrep_ShowsContextLines(t *testing.T) {
	w := newEnv(t)
	w.write("a.txt", "1\n2 hit\n3\n4\n5 hit\n6 hit\n7\n8\n9\n10\n11 hit")
	w.write("b.txt", "hit\r\n")
	for arguments, want := range map[string]string{
		`{"pattern":"hit"}`: "a.txt\n  2: 2 hit\n  5: 5 hit\n  6: 6 hit\n  11: 11 hit\nb.txt\n  1: hit\n",
		`{"pattern":"hit","context":1}`: "a.txt\n  1- 1\n  2: 2 hit\n  3- 3\n  4- 4\n  5: 5 hit\n  6: 6 hit\n  7- 7\n  --\n" +
			"  10- 10\n  11: 11 hit\nb.txt\n  1: hit\n",
		`{"pattern":"hit","context":1,"path":"a.txt","limit":1}`: "a.txt\n  1- 1\n  2: 2 hit\n  3- 3\n[More matches not shown. Narrow pattern, path or glob, or raise limit.]\n",
		`{"pattern":"HIT$","ignore_case":true,"glob":"b.*"}`:     "b.txt\n  1: hit\n",
		`{"pattern":"hit","output_mode":"count"}`:                "a.txt: 4\nb.txt: 1\n[5 lines match in 2 files.]\n",
		`{"pattern":"hit","output_mode":"files","limit":1}`:      "a.txt\n[More matches not shown. Narrow pattern, path or glob, or raise limit.]\n",
		`{"pattern":"hit","limit":4}`:                            "a.txt\n  2: 2 hit\n  5: 5 hit\n  6: 6 hit\n  11: 11 hit\n[More matches not shown. Narrow pattern, path or glob, or raise limit.]\n",
		`{"pattern":"hit","limit":5}`:                            "a.txt\n  2: 2 hit\n  5: 5 hit\n  6: 6 hit\n  11: 11 hit\nb.txt\n  1: hit\n",
		`{"pattern":"nowhere"}`:                                  "No matches. Only text files are searched, and files ignored by Git are skipped unless path is an ignored file or folder.\n",
	} {
		if got := w.callText("grep", arguments); got != want {
			t.Errorf("%s:\n%s\nwant\n%s", arguments, got, want)
		}
	}
	for arguments, want := range map[string]string{
		`{"pattern":"hit"}`: "5 matches", `{"pattern":"11"}`: "1 match", `{"pattern":"hit","limit":2}`: "more than 2 matches",
		`{"pattern":"hit","output_mode":"files"}`: "2 files", `{"pattern":"x"}`: "0 matches",
	} {
		if got := w.call("grep", arguments).Summary; got.String() != want {
			t.Errorf("%s: %s, want %s", arguments, got, want)
		}
	}
}

func TestGrep_OutputIsBounded(t *testing.T) {
	w := newEnv(t)
	for i := range 60 {
		w.write(fmt.Sprintf("%02d.txt", i), strings.Repeat("hit "+strings.Repeat("y", 3000)+"\n", 20))
	}
	res := w.call("grep", `{"pattern":"hit","limit":1000}`)
	if len(res.Text) > 42<<10 || len(res.Text) < 30<<10 {
		t.Errorf("%d bytes", len(res.Text))
	}
	contains(t, res.Text, "[line is 3,004 bytes]", "[More matches not shown.")
}

// writeCorpus creates files for which grep could give different results with and without ripgrep.
func (w *env) writeCorpus() {
	for i := range 40 { // enough to use ripgrep
		w.write(fmt.Sprintf("many/%02d.txt", i), fmt.Sprintf("line %d\nFoo bar\n", i))
	}
	w.write("words.txt", "naïve café\nnaive cafe\nfoo_bar foo-bar\n\n  indented\ntab\there\nπ = 3.14\nİstanbul ſharp K\n")
	w.write("crlf.txt", "first\r\nsecond\r\n\r\nlast\r\n")
	w.write("bom.txt", "\uFEFFfirst\nsecond\n")
	w.write("end.txt", "no end of line: last")
	w.write("binary.bin", "first\x00second\n")
	w.write("late.bin", strings.Repeat("first\n", 3000)+"\x00\n")
	w.write("latin1.txt", "caf\xe9 first\n")
	w.write("utf16.txt", "\xff\xfef\x00i\x00r\x00s\x00t\x00\n\x00")
	w.write("-e.txt", "first\n")
	w.write(".hidden/x y.txt", "first 'quoted' $HOME\n")
	w.write("sub/.ignore", "*\n")
	w.write("sub/seen.txt", "first\n")
	w.write("long.txt", strings.Repeat("x", 20_000)+" first\n")
	w.write("empty.txt", "")
	w.write("lonely.txt", "a\rb\n")
}

func TestGrep_SameWithAndWithoutRipgrep(t *testing.T) {
	rg := need.Programs(t, "rg")
	bin := filepath.Dir(rg)
	if runtime.GOOS != "windows" { // without git, which is slow
		bin = t.TempDir()
		link(t, rg, filepath.Join(bin, "rg"))
	}
	w := newEnv(t)
	w.writeCorpus()
	for _, pattern := range []string{
		`first`, `^first$`, `\bfirst\b`, `\Bfoo`, `café`, `\bcaf.\b`, `caf\b`, `\w+\s\w+`, `^\s*$`, `^$`, `\S`, `\d+\.\d`, `π`, `\pL\PL`, `[[:upper:]]`, `[^a-z]`,
		`(?i)FIRST`, `(?i)istanbul`, `(?i)K`, `(?i)s`, `.`, `.*`, `a|b`, `x{3}`, `\x{3c0}`, `\Q$HOME\E`, `'quoted'`, `-e`, `\Afirst`, `last\z`, `first\r`, `a\rb`, `\t`, `\\`,
		`[\b]|\a`, `\x00`, `(?s).`, `(?U)a+`, `\n`, `a\n`, `(?m)^second$`, `bar$`, `[^\n]t`, `first.*$`, `é`, `\bé`, `\u0041?`, `[é]`, `\W\w`, `(a*)*`, `first|\bnaïve\B`, `\C`, `[$]H`, `a$|^b`,
	} {
		for _, mode := range []string{`"content","context":1`, `"count","ignore_case":true`} {
			quoted, err := json.Marshal(pattern)
			noErr(t, err)
			arguments := fmt.Sprintf(`{"pattern":%s,"output_mode":%s,"limit":1000}`, quoted, mode)
			w.path = bin
			with := w.call("grep", arguments)
			w.withoutPrograms()
			without := w.call("grep", arguments)
			if with.Text != without.Text || with.Summary != without.Summary || with.IsError != without.IsError {
				t.Errorf("%s (-without ripgrep +with):\n%s", arguments, cmp.Diff(without, with))
			}
		}
	}
}

func TestGrep_UsesRipgrepIfInstalled(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a script of a Unix shell")
	}
	w := newEnv(t)
	bin := t.TempDir()
	w.path = bin
	w.writeCorpus()
	seen := filepath.Join(bin, "seen")
	script := func(body string) {
		noErr(t, os.WriteFile(filepath.Join(bin, "rg"), []byte("#!/bin/sh\n{ printf '%s\\n' \"$@\"; /usr/bin/env; } > '"+seen+"'\n"+body+"\n"), 0o700))
	}
	t.Setenv("GH_TOKEN", "hunter2")
	t.Setenv("RIPGREP_CONFIG_PATH", "/evil")
	arguments := `{"pattern":"^first$","output_mode":"files"}`

	script(`printf './bom.txt\0../beside/secret\0'`)
	if got := w.callText("grep", arguments); got != "bom.txt\n" {
		t.Errorf("where it names one file:\n%s", got)
	}
	said, err := os.ReadFile(seen)
	noErr(t, err)
	contains(t, string(said), "--no-config\n", "--\n", "./-e.txt\n")
	for _, no := range []string{"hunter2", "RIPGREP_CONFIG_PATH"} {
		if strings.Contains(string(said), no) {
			t.Errorf("%s is in its environment:\n%s", no, said)
		}
	}
	want := "-e.txt\nbom.txt\ncrlf.txt\nsub/seen.txt\n"
	script(`echo 'it is broken' >&2; exit 2`)
	if got := w.callText("grep", arguments); got != want {
		t.Errorf("where it fails:\n%s", got)
	}
	noErr(t, os.Remove(filepath.Join(bin, "rg")))
	if got := w.callText("grep", arguments); got != want {
		t.Errorf("without it:\n%s", got)
	}

	// A program inside the folder isn't used instead of the user's.
	noErr(t, os.Symlink(filepath.Join(w.folder, "bin"), filepath.Join(w.outside, "bin")))
	w.path = strings.Join([]string{filepath.Join(w.folder, "bin"), "bin", filepath.Join(w.outside, "bin")}, string(filepath.ListSeparator))
	w.write("bin/rg", "#!/bin/sh\necho run > '"+filepath.Join(bin, "run")+"'\n")
	noErr(t, os.Chmod(filepath.Join(w.folder, "bin", "rg"), 0o700))
	w.callText("grep", arguments)
	if _, err := os.Stat(filepath.Join(bin, "run")); err == nil {
		t.Error("a program from the folder was run")
	}
}

// TestGrep_AnyPatternCanBeStopped checks that matching a slow pattern stops when its call is canceled. Otherwise,
// stopping an answer would have to wait for the match.
func TestGrep_AnyPatternCanBeStopped(t *testing.T) {
	w := newEnv(t)
	w.withoutPrograms()
	w.write("line.txt", strings.Repeat("a", 4<<20))
	w.write("lines.txt", strings.Repeat(strings.Repeat("a", 99)+"\n", 40_000))
	for _, pattern := range []string{`(?:a?){600}b`, `(?:a?){600}b|^$`} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		res := w.registry.Run(ctx, tools.Call{ChatID: "chat", Name: "grep", Arguments: json.RawMessage(`{"pattern":"` + pattern + `"}`)})
		cancel()
		if !res.IsError || res.Text != "The call was stopped before it finished." {
			t.Errorf("%s: %+v", pattern, res)
		}
	}
	for _, c := range []struct{ tool, arguments, want string }{
		{"grep", `{"pattern":"a{900}b{900}c{900}"}`, "too large"},
		{"glob", `{"pattern":"` + strings.Repeat("{a,a}", 30) + `b"}`, "too many alternatives"},
		{"grep", `{"pattern":"a","glob":"{a,b,c,{d,e}}{1,2,3,4,5}{1,2,3,4,5,6}"}`, "too many alternatives"},
	} {
		if got := w.callError(c.tool, c.arguments); !strings.Contains(got, c.want) {
			t.Errorf("%s %s: %s", c.tool, c.arguments, got)
		}
	}
}

func TestGrep_LongLinesMatchLikeShort(t *testing.T) {
	w := newEnv(t)
	w.withoutPrograms()
	long := strings.Repeat("0123456789", 5000)
	w.write("a.txt", "x\n"+long+" needle\n"+long+"\nneedle "+long+"\n")
	for pattern, want := range map[string]int{`needle$`: 1, `^needle`: 1, `needle`: 2, `^0.*9$`: 1, `\\bneedle\\b`: 2, `^x$`: 1, `^$`: 0} {
		res := w.call("grep", `{"pattern":"`+pattern+`","output_mode":"count"}`)
		if got := fmt.Sprintf("a.txt: %d\n", want); want > 0 != strings.Contains(res.Text, got) {
			t.Errorf("%s: %s", pattern, res.Text)
		}
	}
}
