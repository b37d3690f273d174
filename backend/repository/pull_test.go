package repository_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

// gh adds a fake GitHub CLI to the PATH. The fake CLI records its folder and arguments in a file, and then runs the
// given script. gh returns the path of that file.
func (f *fixture) gh(script string) (recorded string) {
	f.Helper()
	recorded = filepath.Join(f.home, "gh.log")
	bin := filepath.Join(f.home, "bin")
	f.noErr(os.MkdirAll(bin, 0o700))
	f.noErr(os.WriteFile(filepath.Join(bin, "gh"), []byte("#!/bin/sh\n{ pwd; printf '[%s]' \"$@\"; echo; } >> "+recorded+"\n"+script+"\n"), 0o700)) //nolint:gosec // must be executable
	f.bin = bin
	return recorded
}

// withPull returns a repository with a branch named "x". The address of its remote is on GitHub, but pushes go to a
// folder.
func withPull(t *testing.T) (f *fixture, remote string) {
	t.Helper()
	f, remote = withRemote(t)
	f.git("remote", "set-head", "origin", "main")
	f.git("remote", "set-url", "origin", "https://ann:secret@github.com/ann/tool.git")
	f.git("remote", "set-url", "--push", "origin", remote)
	f.git("checkout", "--quiet", "-b", "x")
	f.commitFiles("second", map[string]string{"b": "1\n"})
	return f, remote
}

// Scripts for a GitHub CLI that finds no pull request.
const (
	noPull    = `echo 'no pull requests found for branch "x"' >&2; exit 1`
	signedOut = `echo "To get started with GitHub CLI, please run:  gh auth login" >&2; exit 4`
	offline   = `echo "error connecting to api.github.com" >&2; echo "check your internet connection or https://githubstatus.com" >&2; exit 1`
)

func (f *fixture) openPull(q backend.ReviewPullRequest) backend.ReviewJob {
	f.Helper()
	id, err := f.m.OpenPull(f.Context(), "chat", q)
	f.noErr(err)
	return f.ended(id)
}

func TestPull_IsOpenedAfterPush(t *testing.T) {
	t.Parallel()
	f, remote := withPull(t)
	recorded := f.gh(`case "$1 $2" in "pr view") ` + noPull + `;; "pr create") cat >> ` + filepath.Join(f.home, "body") + `; echo "Creating" >&2; echo https://github.com/ann/tool/pull/7;; esac`)
	f.equal(f.form(backend.CommitAll).CompareURL, "https://github.com/ann/tool/compare/main...x?expand=1")
	j := f.openPull(backend.ReviewPullRequest{Title: "-t $(x)", Body: "two\nlines", Base: "main", Draft: true})
	if j.State != backend.JobDone || j.URL != "https://github.com/ann/tool/pull/7" || j.Step != backend.StepPull || !j.Pushed {
		t.Errorf("got %+v", j)
	}
	f.equal(f.gitIn(remote, "log", "-1", "--format=%s", "x"), "second")
	f.equal(read(t, filepath.Join(f.home, "body")), "two\nlines")
	log := read(t, recorded)
	if !strings.Contains(log, "[pr][create][--repo][github.com/ann/tool][--head][x][--title][-t $(x)][--body-file][-][--base][main][--draft]") || strings.Contains(log, f.dir) {
		t.Errorf("got %s", log)
	}
}

func TestPull_OfFork(t *testing.T) {
	t.Parallel()
	f, _ := withPull(t)
	f.git("remote", "add", "upstream", "git@github.com:org/tool.git")
	recorded := f.gh(`case "$2" in view) ` + noPull + `;; esac`)
	f.openPull(backend.ReviewPullRequest{Title: "t"})
	if log := read(t, recorded); !strings.Contains(log, "[--repo][github.com/org/tool][--head][ann:x]") {
		t.Errorf("got %s", log)
	}
}

func TestPull_WithoutCLI(t *testing.T) {
	t.Parallel()
	f, remote := withPull(t)
	for _, c := range []struct{ script, want string }{
		{signedOut, "GitHub CLI isn't signed in to github.com."},
		{offline, "Can't reach github.com."},
		{`echo '{"number":7,"state":"OPEN"}'`, "The branch already has pull request #7."},
	} {
		f.gh(c.script)
		if j := f.openPull(backend.ReviewPullRequest{Title: "t"}); j.State != backend.JobFailed || !strings.HasPrefix(j.Message.String(), c.want) || j.Pushed || j.Step != "" {
			t.Errorf("got %+v, want %s", j, c.want)
		}
	}
	if out := f.gitIn(remote, "branch", "--list", "x"); out != "" {
		t.Errorf("the branch was pushed: %s", out)
	}
	f.gh(`case "$2" in view) ` + noPull + `;; create) echo "Creating pull request for x into main" >&2; echo "no commits between main and x" >&2; exit 1;; esac`)
	if j := f.openPull(backend.ReviewPullRequest{Title: "t"}); j.State != backend.JobFailed || j.Message.String() != "Couldn't open the pull request: no commits between main and x" || !j.Pushed {
		t.Errorf("failed: got %+v", j)
	}
	f.git("remote", "set-url", "origin", remote)
	if _, err := f.m.OpenPull(t.Context(), "chat", backend.ReviewPullRequest{Title: "t"}); err == nil || !strings.Contains(err.Error(), "isn't on GitHub") {
		t.Errorf("got %v", err)
	}
	if got := f.form(backend.CommitAll).CompareURL; got != "" {
		t.Errorf("got %s", got)
	}
}

func TestPull_HasChecks(t *testing.T) {
	t.Parallel()
	f, _ := withPull(t)
	f.trusted.Store(false) // the pull request is shown nevertheless
	f.gh(`echo '{"number":7,"url":"https://github.com/ann/tool/pull/7","title":"T","state":"OPEN","isDraft":true,"baseRefName":"main","statusCheckRollup":[
{"__typename":"CheckRun","name":"test","status":"COMPLETED","conclusion":"SUCCESS","detailsUrl":"https://github.com/1"},
{"__typename":"CheckRun","name":"lint","status":"IN_PROGRESS","conclusion":"","detailsUrl":"javascript:x"},
{"__typename":"CheckRun","name":"e2e","status":"COMPLETED","conclusion":"TIMED_OUT"},
{"__typename":"StatusContext","context":"deploy","state":"PENDING","targetUrl":"https://example.org"},
{"__typename":"CheckRun","name":"docs","status":"COMPLETED","conclusion":"SKIPPED"}]}'`)
	pull, err := f.m.Pull(t.Context(), "chat")
	f.noErr(err)
	var checks []string
	for _, c := range pull.Checks {
		checks = append(checks, c.Name+" "+c.State+" "+c.URL)
	}
	f.equal(strings.Join(checks, "\n"), "test passed https://github.com/1\nlint pending \ne2e failed \ndeploy pending https://example.org\ndocs skipped ")
	if !pull.Available || pull.Number != 7 || pull.State != "open" || !pull.Draft || pull.Base != "main" || pull.URL == "" {
		t.Errorf("got %+v", pull)
	}
	for _, c := range []struct {
		script    string
		available bool
		message   string
	}{
		{script: noPull, available: true},
		{script: signedOut},
		{script: offline, message: "Can't reach github.com. Check your connection, then try again."},
		{script: `echo "HTTP 502: Bad Gateway" >&2; exit 1`, message: "GitHub CLI reported: HTTP 502: Bad Gateway"},
		{script: `echo '{"number":7,"state":"OPEN","headRefName":"other"}'`, available: true}, // another branch's pull request with that number
	} {
		f.gh(c.script)
		if pull, err := f.m.Pull(t.Context(), "chat"); err != nil || pull.Available != c.available || pull.Number != 0 || pull.Message.String() != c.message {
			t.Errorf("%s: got %+v, %v", c.script, pull, err)
		}
	}
}
