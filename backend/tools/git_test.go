package tools_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// newRepositoryEnv creates an env whose folder is a repository with two commits and
// uncommitted changes.
func newRepositoryEnv(t *testing.T) *env {
	t.Helper()
	w := newEnv(t)
	w.git("init")
	w.write("a.txt", "one\ntwo\nthree\n")
	w.write("sub/b.txt", "b\n")
	w.git("add", "-A")
	w.git("commit", "-m", "Begin\n\nThe whole story.")
	w.write("a.txt", "one\n2\nthree\n")
	w.git("commit", "-am", "Count in digits")
	return w
}

func TestGit_ShowsChanges(t *testing.T) {
	w := newRepositoryEnv(t)
	if got := w.callText("git_diff", `{}`); got != "[No changes.]" {
		t.Errorf("of nothing: %s", got)
	}
	w.write("a.txt", "one\n2\n3\n")
	w.write("sub/b.txt", "b\nand more\n")
	w.write("neue datei.txt", "new\n")
	w.write("fresh/c.txt", "new\n")
	all := w.call("git_diff", `{}`)
	contains(t, all.Text, "--- a/a.txt\n+++ b/a.txt\n", "-three\n+3\n", "+and more", "[Untracked files: fresh/, neue datei.txt]")
	if all.Summary.String() != "2 files, +2 −1" || all.Kind != backend.ToolRead {
		t.Errorf("%+v", all)
	}
	if got := w.callText("git_diff", `{"path":"sub"}`); strings.Contains(got, "a.txt") || !strings.Contains(got, "+and more") || strings.Contains(got, "fresh") {
		t.Errorf("of a folder: %s", got)
	}
	if got := w.callText("git_diff", `{"stat":true,"rev":"HEAD"}`); got != "1\t1\ta.txt\n1\t0\tsub/b.txt\n" {
		t.Errorf("in numbers: %q", got)
	}
	if got := w.callText("git_diff", `{"rev":"HEAD^!","context":1}`); !strings.Contains(got, "-two\n+2\n") || strings.Contains(got, "+3") {
		t.Errorf("of one commit: %s", got)
	}
	w.git("add", "a.txt")
	if got := w.callText("git_diff", `{"staged":true}`); !strings.Contains(got, "+3") || strings.Contains(got, "and more") {
		t.Errorf("of what is staged: %s", got)
	}
	contains(t, w.callError("git_diff", `{"rev":"nowhere"}`), "Git reported: ", "nowhere")

	// In a subfolder of the repository, only the subfolder's contents are visible.
	w.folder = filepath.Join(w.folder, "sub")
	if got := w.callText("git_diff", `{"rev":"HEAD"}`); strings.Contains(got, "a.txt") || !strings.Contains(got, "--- a/b.txt") {
		t.Errorf("from below: %s", got)
	}
	if got := w.callText("git_log", `{}`); strings.Contains(got, "digits") || !strings.Contains(got, "Begin") {
		t.Errorf("from below: %s", got)
	}
	if got := w.callText("glob", `{"pattern":"*"}`); got != "b.txt\n" {
		t.Errorf("from below: %s", got)
	}
}

func TestGit_TruncatesLongDiff(t *testing.T) {
	w := newRepositoryEnv(t)
	w.write("a.txt", strings.Repeat("a line that is new\n", 10_000))
	res := w.call("git_diff", `{}`)
	contains(t, res.Text, "+a line that is new\n[Diff truncated. Pass a file in path; stat=true lists the files.]")
	if len(res.Text) > 42<<10 || res.Summary.String() != "1 file, +10,000 −3" {
		t.Errorf("%d bytes, %s", len(res.Text), res.Summary)
	}
}

func TestGit_ListsCommits(t *testing.T) {
	w := newRepositoryEnv(t)
	res := w.call("git_log", `{}`)
	rows := strings.Split(strings.TrimSpace(res.Text), "\n")
	if len(rows) != 2 || !strings.HasSuffix(rows[0], " Ann: Count in digits") || !strings.HasSuffix(rows[1], " Ann: Begin") || res.Summary.String() != "2 commits" {
		t.Errorf("%+v", res)
	}
	contains(t, w.callText("git_log", `{"limit":1}`), "Count in digits\n[Older commits not shown. Continue with skip=1.]\n")
	if got := w.callText("git_log", `{"skip":1,"limit":5}`); strings.Contains(got, "digits") || !strings.Contains(got, "Begin") || strings.Contains(got, "[") {
		t.Error(got)
	}
	if got := w.callText("git_log", `{"path":"sub/b.txt"}`); strings.Contains(got, "digits") || !strings.Contains(got, "Begin") {
		t.Error(got)
	}
	contains(t, w.callText("git_log", `{"full":true,"rev":"HEAD~1"}`), "Ann <ann@example.org>", "    The whole story.", "A\ta.txt\nA\tsub/b.txt\n")
	if got := w.callText("git_log", `{"skip":10}`); got != "[No commits.]" {
		t.Error(got)
	}
	contains(t, w.callError("git_log", `{"rev":"nowhere"}`), "Git reported: ")
	for i := range 60 {
		w.write("a.txt", fmt.Sprint(i))
		w.git("commit", "-qam", fmt.Sprintf("Change %d\n\n%s", i, strings.Repeat("Much to say of it. ", 100)))
	}
	long := w.callText("git_log", `{"limit":200,"full":true}`)
	contains(t, long, "Change 59\n", "[Older commits not shown. Continue with skip=")
	if len(long) > 42<<10 {
		t.Errorf("%d bytes", len(long))
	}

	empty := newEnv(t)
	empty.git("init")
	if got := empty.callText("git_log", `{}`); got != "[No commits yet.]" {
		t.Error(got)
	}
}

// TestGit_RunsNothingOfRepository checks that no hook of a repository and no program named in its configuration runs.
func TestGit_RunsNothingOfRepository(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program is a script of a Unix shell")
	}
	w := newRepositoryEnv(t)
	outside := t.TempDir()
	ran := filepath.Join(outside, "ran")
	evil := filepath.Join(outside, "evil.sh")
	noErr(t, os.WriteFile(evil, []byte("#!/bin/sh\necho \"$0 $*\" >> '"+ran+"'\ncat\n"), 0o700))
	w.write(".gitattributes", "*.txt filter=evil diff=evil\n*.md filter=driver.two\n")
	w.write("c.md", "text\n")
	w.git("add", "-A")
	w.git("commit", "-m", "Attributes")
	w.git("clone", "--quiet", w.folder, "module")
	w.git("add", "module")
	w.git("commit", "-m", "A repository inside")
	// The commit is signed, and an object of an earlier commit is missing.
	body, message, _ := strings.Cut(w.git("cat-file", "commit", "HEAD"), "\n\n")
	signed := w.gitWith(body+"\ngpgsig -----BEGIN PGP SIGNATURE-----\n x\n -----END PGP SIGNATURE-----\n\n"+message+"\n", "hash-object", "-t", "commit", "-w", "--stdin")
	w.git("update-ref", "HEAD", signed)
	blob := w.git("rev-parse", "HEAD~3:a.txt")
	noErr(t, os.Remove(filepath.Join(w.folder, ".git", "objects", blob[:2], blob[2:])))
	module := filepath.Join(w.folder, "module")
	noErr(t, os.WriteFile(filepath.Join(module, ".git", "info", "attributes"), []byte("*.txt filter=inner\n"), 0o600))
	hooks := filepath.Join(w.folder, ".git", "hooks")
	for _, hook := range []string{"post-index-change", "fsmonitor-watchman", "post-checkout", "reference-transaction"} {
		noErr(t, os.WriteFile(filepath.Join(hooks, hook), []byte("#!/bin/sh\necho hook >> '"+ran+"'\n"), 0o700))
	}
	for _, folder := range []string{w.folder, module} {
		in := *w
		in.folder = folder
		for _, setting := range [][2]string{
			{"core.fsmonitor", evil},
			{"core.pager", evil},
			{"pager.diff", evil},
			{"pager.log", evil},
			{"diff.external", evil},
			{"core.sshCommand", evil},
			{"core.editor", evil},
			{"core.askPass", evil},
			{"diff.evil.command", evil},
			{"diff.evil.textconv", evil},
			{"filter.evil.clean", evil},
			{"filter.evil.smudge", evil},
			{"filter.evil.process", evil},
			{"filter.evil.required", "true"},
			{"filter.driver.two.clean", evil},
			{"filter.inner.clean", evil},
			{"gpg.program", evil},
			{"log.showSignature", "true"},
			{"diff.submodule", "diff"},
			{"status.submoduleSummary", "true"},
			{"alias.diff", "!" + evil},
			{"alias.log", "!" + evil},
			{"core.alternateRefsCommand", evil},
			{"credential.helper", "!" + evil},
			{"remote.origin.url", "ext::" + evil},
			{"remote.origin.promisor", "true"},
			{"extensions.partialClone", "origin"},
			{"protocol.ext.allow", "always"},
			{"remote.origin.uploadpack", evil},
		} {
			if folder == module || setting[0] != "filter.inner.clean" {
				in.git("config", setting[0], setting[1])
			}
		}
	}
	noErr(t, os.WriteFile(filepath.Join(w.folder, ".git", "extra"), []byte("[filter \"driver.two\"]\n\tprocess = "+evil+"\n"), 0o600))
	w.git("config", "include.path", "extra")
	_ = os.Remove(ran) // written during setup

	t.Setenv("GIT_EXTERNAL_DIFF", evil)
	t.Setenv("GIT_PAGER", evil)
	t.Setenv("GIT_DIR", "/nowhere")
	t.Setenv("GH_TOKEN", "hunter2")
	w.write("a.txt", "changed\n")
	w.write("c.md", "changed\n")
	w.write("module/a.txt", "changed\n")
	w.write("new.txt", "new\n")
	contains(t, w.callText("git_diff", `{}`), "+changed")
	contains(t, w.callText("git_diff", `{"rev":"HEAD"}`), "+changed")
	contains(t, w.callText("git_diff", `{"rev":"HEAD~1"}`), "Subproject commit")
	w.callText("git_diff", `{"staged":true}`)
	w.callText("git_diff", `{"stat":true}`)
	w.callError("git_diff", `{"rev":"HEAD~3..HEAD~2"}`) // missing objects aren't fetched
	contains(t, w.callText("git_log", `{"full":true}`), "Count in digits")
	contains(t, w.callText("grep", `{"pattern":"changed","output_mode":"files"}`), "a.txt\nc.md\n")
	w.callText("glob", `{"pattern":"*"}`)
	if said, err := os.ReadFile(ran); err == nil {
		t.Errorf("programs of the repository were run:\n%s", said)
	}
	noErr(t, os.WriteFile(filepath.Join(w.folder, ".git", "extra"), []byte("[filter \"a=b\"]\n\tprocess = "+evil+"\n"), 0o600))
	contains(t, w.callError("git_diff", `{}`), "can't turn off a configured filter with this name: a=b")
}

// TestGitDiff_LeavesIndex checks that git_diff, unlike git diff by default, doesn't write the index if only a file's
// time has changed. If the index were written, Git 2.54 and later would run a hook in the repository's configuration,
// which core.hooksPath doesn't turn off.
func TestGitDiff_LeavesIndex(t *testing.T) {
	w := newRepositoryEnv(t)
	w.git("config", "hook.evil.command", "echo ran > ran")
	w.git("config", "hook.evil.event", "post-index-change")
	then := time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
	noErr(t, os.Chtimes(filepath.Join(w.folder, "a.txt"), then, then))
	index := filepath.Join(w.folder, ".git", "index")
	before, err := os.ReadFile(index)
	noErr(t, err)
	for _, args := range []string{`{}`, `{"rev":"HEAD"}`, `{"stat":true}`} {
		if got := w.callText("git_diff", args); got != "[No changes.]" {
			t.Errorf("%s: got %s", args, got)
		}
	}
	after, err := os.ReadFile(index)
	noErr(t, err)
	if !bytes.Equal(before, after) {
		t.Error("the index was written")
	}
	if _, err := os.Stat(filepath.Join(w.folder, "ran")); err == nil {
		t.Error("the hook was run")
	}
}

func TestGit_EnvironmentHasNoSecrets(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the stand-in is a script of a Unix shell")
	}
	w := newEnv(t)
	bin := t.TempDir()
	w.path = bin
	seen := filepath.Join(bin, "seen")
	noErr(t, os.WriteFile(filepath.Join(bin, "git"), []byte("#!/bin/sh\n/usr/bin/env > '"+seen+"'\nexit 1\n"), 0o700))
	for _, name := range []string{"GH_TOKEN", "GITHUB_TOKEN", "COPILOT_GITHUB_TOKEN", "OPENAI_API_KEY", "AWS_SECRET_ACCESS_KEY", "GIT_DIR", "GIT_CONFIG_COUNT", "GIT_SSH_COMMAND", "SSH_AUTH_SOCK"} {
		t.Setenv(name, "hunter2")
	}
	w.callError("git_log", `{}`)
	env, err := os.ReadFile(seen)
	noErr(t, err)
	contains(t, string(env), "PATH="+bin+"\n", "GIT_OPTIONAL_LOCKS=0\n", "GIT_TERMINAL_PROMPT=0\n")
	if strings.Contains(string(env), "hunter2") {
		t.Errorf("the environment of git:\n%s", env)
	}
}

// TestGit_ShowsNothingOutsideFolder checks that if the chat's folder is only part of a repository, the rest of the
// repository counts as outside the folder.
func TestGit_ShowsNothingOutsideFolder(t *testing.T) {
	w := newEnv(t)
	top := w.folder
	w.write("secret.txt", "swordfish\n")
	w.write("part/a.txt", "a\n")
	w.git("init")
	w.git("add", ".")
	w.git("-c", "user.name=x", "-c", "user.email=x@y", "commit", "-m", "both")
	w.write("secret.txt", "swordfish 2\n")
	w.folder = filepath.Join(top, "part")
	for _, rev := range []string{"HEAD:secret.txt", "HEAD:./../secret.txt", ":secret.txt", ":0:secret.txt", "HEAD", "HEAD^{tree}", ""} {
		for _, path := range []string{"a.txt", "."} {
			res := w.call("git_diff", fmt.Sprintf(`{"rev":%q,"path":%q}`, rev, path))
			if strings.Contains(res.Text, "swordfish") {
				t.Errorf("%q with %q: %s", rev, path, res.Text)
			}
		}
	}
}
