package chaos_test

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/apptest"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
	"github.com/voxpilot/voxpilot/internal/fakegithub"
)

// search looks for secrets in every place where programs leave data, both verbatim and
// in the forms in which programs encode text.
type search struct {
	t       *testing.T
	needles []needle
	found   []string
}

// needle is one form of a secret.
type needle struct {
	secret, form string
	bytes        []byte
}

func newSearch(t *testing.T, secrets map[string]string) *search {
	s := &search{t: t}
	for name, secret := range secrets {
		s.add(name, secret)
	}
	return s
}

func (s *search) add(name, secret string) {
	for form, b := range formsOf(secret) {
		s.needles = append(s.needles, needle{name, form, b})
	}
}

// formsOf returns the forms of a secret to search for. They include each half of the
// secret: if a program cut the secret in two, one of the halves is still intact.
func formsOf(secret string) map[string][]byte {
	forms := map[string][]byte{}
	reversed := []byte(secret)
	slices.Reverse(reversed)
	for form, text := range map[string]string{
		"": secret, "first half": secret[:len(secret)/2], "second half": secret[len(secret)/2:], "reversed": string(reversed),
	} {
		b := []byte(text)
		name := func(encoding string) string { return strings.TrimSpace(form + " " + encoding) }
		forms[name("as it is")] = b
		forms[name("in UTF-16")] = utf16Of(text)
		forms[name("in hex")] = []byte(hex.EncodeToString(b))
		forms[name("in upper hex")] = bytes.ToUpper(forms[name("in hex")])
		var percent, escaped strings.Builder
		for _, c := range b {
			fmt.Fprintf(&percent, "%%%02X", c)
			fmt.Fprintf(&escaped, `\u%04x`, c)
		}
		forms[name("URL-encoded")] = []byte(percent.String())
		forms[name("JSON-escaped")] = []byte(escaped.String())
		for shift := range 3 { // depends on what precedes it
			encoded := base64.RawStdEncoding.EncodeToString(append(make([]byte, shift), b...))
			encoded = encoded[(shift*8+5)/6 : (shift+len(b))*8/6]
			forms[name(fmt.Sprintf("in base64, shifted by %d", shift))] = []byte(encoded)
		}
	}
	return forms
}

func utf16Of(text string) []byte {
	var b []byte
	for _, u := range utf16.Encode([]rune(text)) {
		b = append(b, byte(u), byte(u>>8))
	}
	return b
}

// in searches b; place describes where b comes from.
func (s *search) in(place string, b []byte) {
	for _, n := range s.needles {
		if bytes.Contains(b, n.bytes) {
			s.found = append(s.found, fmt.Sprintf("%s (%s) in %s", n.secret, n.form, place))
		}
	}
}

// program is the folder into which the Copilot CLI unpacks its own program. It contains
// nothing else and isn't searched.
const program = "/.cache/copilot/pkg"

// files searches each file below root, including the file's name, and returns the number of files.
func (s *search) files(root string) (count int) {
	s.t.Helper()
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) { // it was temporary
			return nil
		}
		if err != nil {
			return err
		}
		if strings.HasSuffix(path, program) {
			return fs.SkipDir
		}
		s.in("the name of "+path, []byte(path))
		if !d.Type().IsRegular() {
			return nil
		}
		b, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		count++
		s.in("the file "+path, b)
		return err
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return count
}

// processes searches the arguments of every process on this machine, and the
// environment of every process except the agents that the app itself started. It
// returns the number of environments that it could read.
func (s *search) processes(app int) (count int) {
	s.t.Helper()
	dirs, err := filepath.Glob("/proc/[0-9]*")
	if err != nil {
		s.t.Fatal(err)
	}
	for _, dir := range dirs {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			s.t.Fatal(err)
		}
		// Fails for a process that has exited or belongs to another user.
		args, _ := os.ReadFile(filepath.Join(dir, "cmdline"))
		s.in("the arguments of "+commandLine(pid), args)
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		if err != nil {
			continue
		}
		count++
		if parentOf(dir) == app && bytes.Contains(env, []byte("\x00VOXPILOT_AGENT=")) {
			continue
		}
		s.in("the environment of "+commandLine(pid), env)
	}
	return count
}

// parentOf returns the parent pid of the process with this /proc folder, or 0 if it has exited.
func parentOf(dir string) int {
	stat, _ := os.ReadFile(filepath.Join(dir, "stat")) // empty if it has exited
	_, after, _ := strings.Cut(string(stat[bytes.LastIndexByte(stat, ')')+1:]), " ")
	fields := strings.Fields(after)
	if len(fields) < 2 {
		return 0
	}
	pid, _ := strconv.Atoi(fields[1])
	return pid
}

// assertNothingFound fails the test if any secret has been found.
func (s *search) assertNothingFound(when string) {
	s.t.Helper()
	slices.Sort(s.found)
	for _, f := range slices.Compact(s.found) {
		s.t.Errorf("%s: %s", when, f)
	}
	s.found = nil
}

// assertFound fails the test unless the planted secret was found in the given place.
func (s *search) assertFound(place string) {
	s.t.Helper()
	if !slices.ContainsFunc(s.found, func(f string) bool { return strings.Contains(f, place) }) {
		s.t.Errorf("what was planted in %s was not found", place)
	}
	s.found = nil
}

func TestLeakSearch_FindsEveryFormAndPlace(t *testing.T) {
	const planted = "Qz7fNc2LxT9wVbK4mRy8dJp1sHg5uEa3iWo6" // doesn't look like a token, which would be redacted
	for form, b := range formsOf(planted) {
		s := newSearch(t, map[string]string{"it": planted})
		s.in("some bytes", slices.Concat([]byte("before"), b, []byte("after")))
		s.assertFound("(" + form + ") in some bytes")
	}
	for before := range 3 {
		s := newSearch(t, map[string]string{"it": planted})
		s.in("some bytes", []byte(base64.URLEncoding.EncodeToString([]byte("xyz"[:before]+planted+"\n"))))
		s.assertFound(" in base64")
	}

	s := newSearch(t, map[string]string{"it": planted})
	for _, p := range []struct {
		place string
		cmd   *exec.Cmd
	}{
		{"the arguments of", exec.Command("sh", "-c", "echo; read x", planted)},
		{"the environment of", exec.Command("sh", "-c", "echo; read x")},
	} {
		if p.place == "the environment of" {
			p.cmd.Env = append(os.Environ(), "TOKEN="+planted)
		}
		in, err := p.cmd.StdinPipe()
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := p.cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil { // now it has exec'd its program
			t.Fatal(err)
		}
		s.processes(0)
		s.assertFound(p.place)
		_ = in.Close()
		_ = p.cmd.Wait() // it exits with an error, since there was nothing to read
	}

	// User input, agent output and command output are stored and shown, so the search
	// must find them in each place where the app leaves data.
	github, err := fakegithub.Start("127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer github.Close()
	github.Grant("gho_0123456789012345678901234567890123456789", fakegithub.User{Login: "octocat"})
	h := newAppData(t)
	h.env = []string{githubVar + "=" + github.URL, "GH_TOKEN=gho_0123456789012345678901234567890123456789"}
	l := h.startCommand(exec.Command(testBinary(t)), apptest.FakeAgentProgram(t, fakeagent.Script{
		Turns: []fakeagent.Turn{{fakeagent.Say("It is " + planted), fakeagent.Run("echo " + planted)}},
	}))
	l.waitForOpen()
	chat := l.newChat()
	l.call(nil, "SetPermissionMode", chat.ID, backend.ModeBypass)
	l.send(chat.ID, planted)
	l.waitForEvent(0, "the turn ends", func(e backend.Event) bool { return e.Turn != nil && e.Turn.State == backend.TurnDone })
	look := newPageSearch(l, s)
	for _, path := range []string{"/data/chat?", "/data/content?", "/data/text?", "/data/protocol?"} {
		look.pages()
		s.assertFound("GET " + path)
	}
	look.events()
	s.assertFound("an event")
	s.files(h.dir)
	s.assertFound("the file " + h.dir)
	l.quit()
	s.files(h.dir)
	s.assertFound(".db")
}

func testBinary(t *testing.T) string {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return self
}
