package branch_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// isolateGit makes git ignore the configuration of the user who runs the tests.
func isolateGit(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "config"), "GIT_CONFIG_NOSYSTEM": "1"} {
		t.Setenv(name, value)
	}
}

// initRepo makes the folder a repository with one commit.
func (h *history) initRepo() {
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-qm", "first"}} {
		if out, err := h.git(args...); err != nil {
			h.t.Fatalf("git %v: %v %s", args, err, out)
		}
	}
}

// git runs git in the folder and returns the words of its output.
func (h *history) git(args ...string) (words []string, err error) {
	options := []string{"-C", h.folder, "-c", "user.name=a", "-c", "user.email=a@example.org", "-c", "init.defaultBranch=main", "-c", "gc.auto=0", "-c", "maintenance.auto=false"}
	out, err := exec.CommandContext(h.t.Context(), "git", slices.Concat(options, args)...).CombinedOutput()
	return strings.Fields(string(out)), err
}

// gitOperation carries out a random git operation as the agent of a chat or, if c is nil, as the user. The operation
// may fail. If the folder isn't a repository, gitOperation does nothing.
func (h *history) gitOperation(c *modelChat) {
	if !h.isRepo {
		return
	}
	pick := func(from []string) string { return from[h.r.IntN(len(from))] }
	listed := func(args ...string) string {
		all, err := h.git(args...)
		h.noErr(err)
		return pick(all)
	}
	branches := []string{"for-each-ref", "--format=%(refname:short)", "refs/heads"}
	name := pick(modelNames)
	var steps [][]string
	switch h.r.IntN(16) {
	case 0, 1, 2:
		steps = [][]string{{"add", "-A"}, {"commit", "-qm", "x"}}
	case 3, 4:
		steps = [][]string{{"checkout", "-q", listed("rev-list", "--all"), "--", name}}
	case 5:
		h.n++
		steps = [][]string{{"checkout", "-q", "-b", "topic-" + strings.Map(func(r rune) rune { return r - '0' + 'a' }, fmt.Sprint(h.n)), listed("rev-list", "--all")}}
	case 6:
		steps = [][]string{{"checkout", "-q", listed(branches...)}}
	case 7:
		steps = [][]string{{"checkout", "-qf", listed(branches...)}}
	case 8:
		steps = [][]string{{"stash", "-q", "-u"}}
	case 9, 10:
		steps = [][]string{{"stash", "pop", "-q"}}
	case 11:
		steps = [][]string{{"merge", "-q", "--no-edit", listed(branches...)}, {"add", "-A"}, {"commit", "-qm", "merge"}}
	case 12:
		steps = [][]string{{"merge", "-q", "--no-edit", listed(branches...)}, {"merge", "--abort"}}
	case 13:
		steps = [][]string{{"reset", "-q", "--soft", "HEAD~1"}}
	case 14:
		steps = [][]string{{"rm", "-q", "--cached", name}}
	default:
		steps = [][]string{{"reset", "-q", "--hard"}, {"gc", "-q", "--prune=now"}}
	}
	was := h.files()
	for _, args := range steps {
		if _, err := h.git(args...); err != nil {
			h.logf("  git %v: %v", args, err)
			continue
		}
		h.tally.git++
		h.logf("  git %v", args)
	}
	for path := range changed(was, h.files()) {
		h.logf("    changed %s", path)
	}
	h.sign(c)
}

// own carries out one of VoxPilot's own operations, and checks that this doesn't change git's files.
func (h *history) own(what string, do func()) {
	h.t.Helper()
	before := h.gitFiles()
	do()
	for path := range changed(before, h.gitFiles()) {
		h.t.Errorf("%s changed git's own %s", what, path)
	}
}

// gitFiles returns git's own files and folders: the mode, the time and the content of each path.
func (h *history) gitFiles() files {
	all := files{}
	h.noErr(filepath.WalkDir(h.path(".git"), func(path string, d fs.DirEntry, err error) error {
		if !h.isRepo && os.IsNotExist(err) {
			return nil
		}
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text := []byte(nil)
		if !d.IsDir() {
			text, err = os.ReadFile(path)
		}
		all[path] = fmt.Sprint(info.Mode(), info.ModTime().UnixNano(), string(text))
		return err
	}))
	return all
}
