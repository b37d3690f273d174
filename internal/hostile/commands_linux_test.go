package hostile_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/cmdline"
	"github.com/voxpilot/voxpilot/backend/permission"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/need"
)

// shells are the shells in which agents run command lines; each parses them differently.
var shells = []string{"bash", "dash", "zsh"}

// allowedBy reports whether the rule alone allows the line in the folder.
func allowedBy(rule, folder, line string) bool {
	kind := backend.RulePrefix
	if strings.ContainsAny(rule, "*?") {
		kind = backend.RuleGlob
	}
	d := permission.New(permission.Config{
		Publish: func(...backend.Event) {},
		Rules:   []backend.Rule{{ID: "r", Effect: backend.RuleAllow, Scope: backend.Scope{Kind: kind, Command: rule}}},
	})
	return d.IsAllowed(backend.Permission{Kind: backend.ToolExecute, Folder: folder, Commands: []string{line}})
}

// TestCommands_NoLineExceedsItsRule checks that a rule allows a line only if the line does no more than the rule
// covers, and that ordinary lines are allowed. The corpus states each line's effect.
func TestCommands_NoLineExceedsItsRule(t *testing.T) {
	if len(commandLines) < 300 {
		t.Errorf("got %d lines, want 300", len(commandLines))
	}
	result := chaos.Row(t, "Command lines under a rule", len(commandLines))
	folder, ordinary := filepath.Join(jail(t), "code/app"), 0
	for _, c := range commandLines {
		allowed := allowedBy(c.rule, folder, c.line)
		patterns := c.rule == "cat" && (c.line == "cat *.go" || c.line == "cat [ab].go" || c.line == "cat ?.go") // match files in the folder
		if allowed != (c.effect == plain || patterns) {
			t.Errorf("the rule %q and %q, which is %s: allowed is %v", c.rule, c.line, c.effect, allowed)
		}
		if allowed {
			ordinary++
		}
	}
	result("%d ordinary ones allowed, %d others required permission", ordinary, len(commandLines)-ordinary)
}

// TestCommands_ShellsMatchCorpus checks that the lines of the corpus have the stated effects in the shells: a line
// marked with more does more in at least one shell, and any other line runs only the rule's program in every shell. The
// lines run in a namespace that contains only programs that record their invocations.
func TestCommands_ShellsMatchCorpus(t *testing.T) {
	root := jail(t)
	random := chaos.Rand(t, chaos.Seed(t), 0)
	few := chaos.Runs(len(commandLines)/10, len(commandLines))
	result := chaos.Row(t, "The same lines in bash, dash and zsh", few)
	for _, i := range random.Perm(len(commandLines))[:few] {
		c := commandLines[i]
		read, err := cmdline.Parse(c.line)
		asWritten := 0
		for _, shell := range shells {
			runs, changed := runIn(t, root, shell, c.line)
			one := len(runs) == 1 && !changed
			switch {
			case c.effect == more && one && slices.Equal(append([]string{filepath.Base(runs[0][0])}, runs[0][1:]...), strings.Fields(c.line)):
				asWritten++
			case c.effect == more:
			case !one || filepath.Base(runs[0][0]) != strings.Fields(c.rule)[0]:
				t.Errorf("%q is marked to be one command; %s runs %q, files changed: %v", c.line, shell, runs, changed)
			case err == nil && !slices.Equal(texts(read)[1:], runs[0][1:]):
				t.Errorf("%q is read as %q; %s runs %q", c.line, texts(read), shell, runs)
			}
		}
		if asWritten == len(shells) {
			t.Errorf("%q is marked to do more, and all shells run it as it is written", c.line)
		}
	}
	result("each does what its mark says")
}

// texts returns the words of a command.
func texts(c cmdline.Command) (out []string) {
	for _, word := range c {
		out = append(out, word.Text)
	}
	return out
}

// pieces are the parts from which random lines are built for the comparison with shells.
var pieces = []string{
	"a", "b", " ", " ", " ", "'", "'", `"`, `"`, `\`, "$", "$X", "${X}", "`", ";", "&", "|", "<", ">", "(", ")", "{", "}", ",", "..", "*", "?", "[", "]", "~", "#", "!", "=", "-", "--x=", "/", "a.go", "\t", "\n", "é", "\u00a0",
	":", "@", "^", "%", "+", "git", "/dev/null", "2>", "{a,b}", "$(", "$((", "\\\n", "1", "x=", "if", "time", "~+", "$'", `$"`, "''", `""`,
}

// TestParse_MatchesShells checks that if a line is parsed as one command, the shells run exactly that
// command, word for word.
func TestParse_MatchesShells(t *testing.T) {
	root := jail(t)
	seed, tries := chaos.Seed(t), chaos.Runs(3000, 20_000)
	result := chaos.Row(t, "Lines made of pieces by chance, as bash, dash and zsh run them", tries)
	read := 0
	for i := range tries {
		line := randomLine(chaos.Rand(t, seed, i))
		if compareWithShells(t, root, line) {
			read++
		}
	}
	if read < tries/50 {
		t.Errorf("%d of %d lines were read: they are no test", read, tries)
	}
	result("%d read as one command; no shell runs another one", read)
}

func randomLine(r *rand.Rand) string {
	var b strings.Builder
	b.WriteString("git ")
	for range 1 + r.IntN(7) {
		b.WriteString(pieces[r.IntN(len(pieces))])
	}
	return b.String()
}

// FuzzParse_MatchesShells checks the same as TestParse_MatchesShells, with lines generated by a fuzzer.
func FuzzParse_MatchesShells(f *testing.F) {
	for _, c := range commandLines {
		f.Add(c.line)
	}
	root := jail(f)
	f.Fuzz(func(t *testing.T, line string) { compareWithShells(t, root, line) })
}

// runners are shell builtins that run their arguments as a command or script.
var runners = []string{".", "builtin", "command", "eval", "exec", "nocorrect", "noglob", "source", "trap"}

// compareWithShells fails the test if the line is parsed as one command and a shell runs a different command. A shell
// that rejects the line or lacks the program doesn't fail the test. compareWithShells returns false if the line isn't
// compared, for example because it isn't parsed as one command.
func compareWithShells(t *testing.T, root, line string) bool {
	t.Helper()
	read, err := cmdline.Parse(line)
	if err != nil || strings.Contains(read[0].Text, "/") || slices.ContainsFunc(read, func(w cmdline.Word) bool { return w.Glob }) {
		return false
	}
	want := texts(read)
	if slices.Contains(runners, want[0]) {
		return false
	}
	for _, shell := range shells {
		runs, changed := runIn(t, root, shell, line)
		if changed || len(runs) > 1 || len(runs) == 1 && (filepath.Base(runs[0][0]) != want[0] || !slices.Equal(runs[0][1:], want[1:])) {
			t.Errorf("%q is read as %q; %s runs %q, files changed: %v", line, want, shell, runs, changed)
		}
	}
	return true
}

// stub is the script installed under the name of every program in the jail: it records its invocation
// and does nothing else.
const stub = "#!/bin/dash\n{ printf 'run'; for a in \"$0\" \"$@\"; do printf '\\037%s' \"$a\"; done; printf '\\036'; } >> /log/calls\n"

// jail creates a root directory with the shells, programs that only record their
// invocations, and a project.
func jail(t testing.TB) (root string) {
	t.Helper()
	need.Programs(t, append([]string{"ldd"}, shells...)...)
	root = t.TempDir()
	for _, dir := range []string{"bin", "stub", "log", "dev", "tmp", "etc", "home/me/.ssh", "code/app/src", "code/app/vendor/evil", "code/app/.git", "code/other/deep"} {
		checked(t, os.MkdirAll(filepath.Join(root, dir), 0o755))
	}
	for _, name := range shells {
		path, err := exec.LookPath(name)
		checked(t, err)
		copyFile(t, path, filepath.Join(root, "bin", name))
		out, err := exec.Command("ldd", path).Output()
		checked(t, err)
		for _, lib := range regexp.MustCompile(`/\S+`).FindAllString(string(out), -1) {
			copyFile(t, lib, filepath.Join(root, lib))
		}
	}
	names := map[string]bool{"id": true, "sh": true, "rm": true}
	for _, c := range commandLines {
		names[strings.Fields(c.rule)[0]] = true
	}
	for name := range names {
		checked(t, os.WriteFile(filepath.Join(root, "stub", name), []byte(stub), 0o755)) //nolint:gosec // must be executable
	}
	for _, file := range []string{"code/app/a.go", "code/app/b.go", "code/app/main.go", "code/app/package.json", "code/app/README.md", "code/app/src/index.ts", "code/app/manage.py", "code/other/secret", "etc/passwd", "home/me/.bashrc", "log/calls", "dev/null"} {
		checked(t, os.WriteFile(filepath.Join(root, file), []byte("x\n"), 0o644)) //nolint:gosec // read by the sandboxed programs
	}
	for link, to := range map[string]string{"out": "../other", "deep": "../other/deep", "secret.txt": "../other/secret", "in": "src"} {
		checked(t, os.Symlink(to, filepath.Join(root, "code/app", link)))
	}
	return root
}

func checked(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	b, err := os.ReadFile(from)
	checked(t, err)
	checked(t, os.MkdirAll(filepath.Dir(to), 0o755))
	checked(t, os.WriteFile(to, b, 0o755)) //nolint:gosec // must be executable
}

// runIn runs the line in a shell inside the jail. It returns the program invocations
// and whether a file was created or changed.
func runIn(t testing.TB, root, shell, line string) (runs [][]string, changed bool) {
	t.Helper()
	calls := filepath.Join(root, "log/calls")
	checked(t, os.Truncate(calls, 0))
	before := stateOf(t, root)
	cmd := exec.Command("/bin/"+shell, "-c", line)
	if shell == "zsh" {
		cmd.Args = []string{"/bin/zsh", "-f", "-c", line} // without its startup files
	}
	cmd.Dir, cmd.Env = "/code/app", []string{"PATH=/stub", "HOME=/home/me", "LC_ALL=C.UTF-8"}
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Chroot: root, Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}}, GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
		Pdeathsig: syscall.SIGKILL,
	}
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			need.Missing(t, "a shell can't be run in a namespace here: %v", err)
		}
	}
	written, err := os.ReadFile(calls)
	checked(t, err)
	for record := range strings.SplitSeq(string(written), "\x1e") {
		if _, words, ok := strings.Cut(record, "\x1f"); ok {
			runs = append(runs, strings.Split(words, "\x1f"))
		}
	}
	if after := stateOf(t, root); after != before {
		changed = true
		restore(t, root)
	}
	return runs, changed
}

// stateOf describes the files that a line could change.
func stateOf(t testing.TB, root string) string {
	t.Helper()
	var b strings.Builder
	for _, dir := range []string{"code", "home", "etc", "tmp"} {
		checked(t, filepath.WalkDir(filepath.Join(root, dir), func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err == nil && !d.IsDir() {
				fmt.Fprintln(&b, path, info.Size(), info.ModTime().UnixNano())
			}
			return err
		}))
	}
	return b.String()
}

// restore undoes the changes that a line made.
func restore(t testing.TB, root string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "code/app"))
	checked(t, err)
	fresh := []string{"a.go", "b.go", "main.go", "package.json", "README.md", "src", "manage.py", "vendor", ".git", "out", "deep", "secret.txt", "in"}
	for _, e := range entries {
		if !slices.Contains(fresh, e.Name()) {
			checked(t, os.RemoveAll(filepath.Join(root, "code/app", e.Name())))
		}
	}
}
