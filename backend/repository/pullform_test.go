package repository_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

func (f *fixture) pullForm(base string) backend.ReviewPullForm {
	f.Helper()
	form, err := f.m.PullForm(f.Context(), "chat", base)
	f.noErr(err)
	return form
}

func TestPullForm_SuggestsFromOneCommit(t *testing.T) {
	t.Parallel()
	f, remote := withPull(t)
	f.title = "Fix the race"
	f.commitFiles("Share one exchange\n\nLate callers wait\nfor the first one.\n\n- a\n- b\n\n```\nx\ny\n```\n\nSigned-off-by: Ann <ann@example.org>", map[string]string{"c": "1\n"})
	f.git("reset", "--quiet", "--soft", "main")
	f.git("commit", "--quiet", "--reuse-message", "ORIG_HEAD")
	f.git("push", "--quiet", remote, "main:release")
	f.git("update-ref", "refs/remotes/origin/release", "main")
	recorded := f.gh(`case "$2" in view) ` + noPull + `;; get) echo octocat;; esac`)
	before := f.state()
	got := f.pullForm("")
	f.unchanged(before)
	f.equal(got.Title, "Share one exchange")
	f.equal(got.Body, "Late callers wait for the first one.\n\n- a\n- b\n\n```\nx\ny\n```")
	f.equal(strings.Join(got.Bases, " "), "main release")
	if !got.Message.IsZero() || got.Branch != "x" || got.Base != "main" || got.Commits != 1 || !got.Pushes || got.Push != 1 || got.Remote != "origin" || got.Host != "github.com" || got.Login != "octocat" || got.Pull != nil || got.CompareURL != "" {
		t.Errorf("got %+v", got)
	}
	if log := read(t, recorded); !strings.Contains(log, "[--][x]") || strings.Contains(log, "[create]") || strings.Contains(log, f.dir) {
		t.Errorf("got %s", log)
	}
	if got := f.pullForm("release"); got.Base != "release" || got.Commits != 1 {
		t.Errorf("got %+v", got)
	}
}

func TestPullForm_SuggestsFromSeveralCommits(t *testing.T) {
	t.Parallel()
	f, remote := withPull(t)
	f.gh(noPull)
	f.git("push", "--quiet", remote, "x")
	f.git("update-ref", "refs/remotes/origin/x", "x")
	f.commitFiles("third", map[string]string{"c": "1\n"})
	f.git("branch", "--quiet", "--move", "fix/token-refresh_race")
	f.git("config", "branch.fix/token-refresh_race.remote", "origin")
	f.git("config", "branch.fix/token-refresh_race.merge", "refs/heads/x")
	f.git("config", "push.default", "upstream")
	got := f.pullForm("")
	f.equal(got.Title, "Token refresh race")
	f.equal(got.Body, "- second\n- third")
	if got.Commits != 2 || got.Push != 1 || !got.Pushes || got.Login != "" {
		t.Errorf("got %+v", got)
	}
	f.title = "Fix the race"
	f.equal(f.pullForm("").Title, "Fix the race")
}

func TestPullForm_AddsTemplate(t *testing.T) {
	t.Parallel()
	f, _ := withPull(t)
	f.gh(noPull)
	f.commitFiles("root", map[string]string{"PULL_REQUEST_TEMPLATE.txt": "## Tests\r\n\r\n- [ ] added\r\n", "sub/pull_request_template.md": "not here", "docs/template.md": "nor here"})
	form := f.pullForm("")
	f.equal(form.Body, "- second\n- root\n\n## Tests\n\n- [ ] added")
	if !form.FromCommits || !form.FromTemplate {
		t.Errorf("the sources are %v and %v", form.FromCommits, form.FromTemplate)
	}
	f.noErr(os.MkdirAll(filepath.Join(f.dir, ".github"), 0o700))
	f.noErr(os.Symlink(filepath.Join(f.home, "secret"), filepath.Join(f.dir, ".github", "pull_request_template.md")))
	f.commitFiles("link", map[string]string{".github/other.md": "x\n"})
	f.git("add", "--all")
	f.git("commit", "--quiet", "--amend", "--no-edit")
	if got := f.pullForm("").Body; !strings.HasSuffix(got, "- link\n\n## Tests\n\n- [ ] added") {
		t.Errorf("with a symbolic link: %q", got)
	}
	f.commitFiles("folder", map[string]string{".github/Pull_Request_Template.md": "First"})
	if got := f.pullForm("").Body; !strings.HasSuffix(got, "- folder\n\nFirst") {
		t.Errorf("with a template in .github: %q", got)
	}
}

// TestPullForm_TellsWhereBodyIsFrom checks that the form reports whether its description comes from the commits or from
// a template, and that a commit without a body adds nothing to the description.
func TestPullForm_TellsWhereBodyIsFrom(t *testing.T) {
	t.Parallel()
	f, _ := withPull(t)
	f.gh(noPull)
	if form := f.pullForm(""); form.Commits != 1 || form.FromCommits != (form.Body != "") || form.FromTemplate {
		t.Errorf("without a template, got %+v", form)
	}
	f.write("PULL_REQUEST_TEMPLATE.md", "## Tests\n")
	f.git("add", "--all")
	f.git("commit", "--quiet", "--amend", "-m", "Only a subject")
	if form := f.pullForm(""); form.Body != "## Tests" || form.FromCommits || !form.FromTemplate {
		t.Errorf("with only a template, got %+v", form)
	}
}

func TestPullForm_SaysWhyNot(t *testing.T) {
	t.Parallel()
	f, remote := withPull(t)
	compare := "https://github.com/ann/tool/compare/main...x?expand=1"
	check := func(want, compareURL string) {
		t.Helper()
		if got := f.pullForm(""); !strings.HasPrefix(got.Message.String(), want) || got.CompareURL != compareURL || got.Pull != nil {
			t.Errorf("got %q, %q and %+v; want %q, %q", got.Message, got.CompareURL, got.Pull, want, compareURL)
		}
	}
	f.gh(signedOut)
	check("GitHub CLI isn't signed in to github.com. Run gh auth login", compare)
	f.gh(offline)
	check("Can't reach github.com.", "")
	f.gh(`echo "GraphQL: Could not resolve to a Repository" >&2; exit 1`)
	check("GitHub CLI reported: GraphQL: Could not resolve", compare)
	recorded := f.gh(noPull)
	asked := len(read(t, recorded))
	f.trusted.Store(false)
	check("Trust this folder first.", "")
	f.trusted.Store(true)
	f.git("reset", "--quiet", "--hard", "main")
	check("There's nothing to merge. All commits on x are already in main.", "")
	f.git("checkout", "--quiet", "main")
	check("You're on main, the default branch.", "")
	f.git("checkout", "--quiet", "--detach")
	check("No branch is checked out.", "")
	f.git("checkout", "--quiet", "x")
	f.git("remote", "set-url", "origin", remote)
	check("The remote isn't on GitHub", "")
	f.git("remote", "rename", "origin", "one")
	f.git("remote", "add", "two", remote)
	check("Push the branch first", "")
	f.git("remote", "remove", "one")
	f.git("remote", "remove", "two")
	check("This repository has no remote", "")
	f.git("checkout", "--quiet", "--orphan", "new")
	check("The branch new has no commits yet.", "")
	if log := read(t, recorded); strings.Contains(log[asked:], "[") {
		t.Errorf("the GitHub CLI was asked: %s", log[asked:])
	}
}

func TestPullForm_WithoutCLI(t *testing.T) {
	t.Parallel()
	f, _ := withPull(t)
	git, err := exec.LookPath("git")
	f.noErr(err)
	f.onlyPath = filepath.Join(f.home, "only")
	f.noErr(os.MkdirAll(f.onlyPath, 0o700))
	f.noErr(os.Symlink(git, filepath.Join(f.onlyPath, "git")))
	if got := f.pullForm(""); !strings.Contains(got.Message.String(), "Install it") || got.CompareURL != "https://github.com/ann/tool/compare/main...x?expand=1" || got.Title != "second" {
		t.Errorf("got %+v", got)
	}
	if pull, err := f.m.Pull(t.Context(), "chat"); err != nil || pull.Available {
		t.Errorf("got %+v, %v", pull, err)
	}
	if _, err := f.m.OpenPull(t.Context(), "chat", backend.ReviewPullRequest{Title: "t"}); err == nil || !strings.Contains(err.Error(), "Install it") {
		t.Errorf("got %v", err)
	}
}

func TestPullForm_OfBranchWithPullRequest(t *testing.T) {
	t.Parallel()
	f, _ := withPull(t)
	for state, has := range map[string]bool{"OPEN": true, "MERGED": false, "CLOSED": false} {
		f.gh(`case "$2" in view) echo '{"number":7,"url":"https://github.com/ann/tool/pull/7","state":"` + state + `","headRefName":"x"}';; esac`)
		if got := f.pullForm(""); !got.Message.IsZero() || (got.Pull != nil) != has || has && got.Pull.Number != 7 {
			t.Errorf("%s: got %+v", state, got)
		}
	}
}

func TestPullForm_OfFork(t *testing.T) {
	t.Parallel()
	f, remote := withPull(t)
	f.git("remote", "add", "upstream", "git@github.com:org/tool.git")
	f.git("update-ref", "refs/remotes/upstream/develop", "main")
	f.git("symbolic-ref", "refs/remotes/upstream/HEAD", "refs/remotes/upstream/develop")
	f.gh(signedOut)
	got := f.pullForm("")
	if got.Base != "develop" || strings.Join(got.Bases, " ") != "develop" || got.Commits != 1 || got.CompareURL != "https://github.com/org/tool/compare/develop...ann:x?expand=1" {
		t.Errorf("got %+v", got)
	}
	f.gh(noPull)
	f.git("checkout", "--quiet", "main") // a pull request from a fork's default branch is possible, too
	f.git("merge", "--quiet", "x")
	if got := f.pullForm(""); !got.Message.IsZero() || got.Commits != 1 {
		t.Errorf("got %+v", got)
	}
	if log := f.gitIn(remote, "log", "-1", "--format=%s", "main"); log != "first" {
		t.Errorf("got %s", log)
	}
}
