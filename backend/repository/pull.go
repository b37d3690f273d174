package repository

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/process"
)

// pulls opens and finds the pull requests of a branch with the GitHub CLI, which runs outside of the repository.
type pulls struct {
	*repo
	gh         string
	host       string
	repository string // HOST/OWNER/NAME that pull requests are opened in
	head       string // the branch there, or OWNER:BRANCH of a fork
	remote     string // remote of the branch, and its name there
	branch     string
}

var (
	errNoGH = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("VoxPilot opens pull requests with the GitHub CLI. Install it and sign in with gh auth login, or use the compare page.")}
	errNoPR = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The remote isn't on GitHub, so VoxPilot can't open a pull request.")}
)

// pulls returns errNoGH if the GitHub CLI isn't installed, and errNoPR if the remote isn't on GitHub.
func (r *repo) pulls(ctx context.Context) (*pulls, error) {
	branch := r.branch(ctx)
	if branch == "" {
		return nil, errNoBranch
	}
	t := r.tracking(ctx, branch)
	own, err := url.Parse(webPage(r.line(ctx, "remote", "get-url", t.push)))
	if t.push == "" || err != nil || own.Host == "" {
		return nil, errNoPR
	}
	p := &pulls{repo: r, gh: workspace.Program(r.chat.Folder, r.m.cfg.LoginPath(), "gh"), host: own.Host, repository: own.Host + own.Path, head: t.pushBranch, remote: t.push, branch: t.pushBranch}
	if p.gh == "" {
		return nil, errNoGH
	}
	const original = "upstream" // gh, too, takes this remote of a fork for the repository that it was forked from
	if t.push != original && slices.Contains(t.remotes, original) {
		if of, err := url.Parse(webPage(r.line(ctx, "remote", "get-url", original))); err == nil && of.Host == own.Host && of.Path != own.Path {
			p.repository = of.Host + of.Path
			p.head = strings.Split(own.Path, "/")[1] + ":" + t.pushBranch
		}
	}
	return p, nil
}

func (p *pulls) command(args ...string) program {
	return program{
		path: p.gh, args: args, dir: process.NeutralFolder(),
		env: p.m.environment("GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "GH_FORCE_TTY=", "NO_COLOR=1", "GH_PAGER=cat"),
	}
}

// run runs the GitHub CLI and returns its standard output and whether it succeeded.
func (p *pulls) run(ctx context.Context, args ...string) (out []byte, said string, ok bool, err error) {
	c, body, errs := p.command(args...), &limited{most: 4 << 20}, &tail{most: 4096}
	c.stdout, c.output = body, errs
	code, err := c.run(ctx)
	return body.Bytes(), errs.String(), code == 0, err
}

// isSignedIn reports whether the GitHub CLI has a sign-in for the host.
func (p *pulls) isSignedIn(ctx context.Context) bool {
	_, _, ok, err := p.run(ctx, "auth", "status", "--hostname", p.host)
	return ok && err == nil
}

// Pull returns the pull request of the current branch in a chat's folder, with its checks. If there is none, or the
// GitHub CLI can't say, the result has no number. It runs nothing that the repository names.
func (m *Manager) Pull(ctx context.Context, chatID string) (pull backend.ReviewPull, err error) {
	r, err := m.open(chatID)
	if err != nil {
		if backend.CodeOf(err) == backend.CodeUnavailable {
			err = nil // no repository
		}
		return pull, err
	}
	p, err := r.pulls(ctx)
	if err != nil {
		return pull, ctx.Err()
	}
	out, said, ok, err := p.run(ctx, "pr", "view", p.head, "--repo", p.repository, "--json", "number,url,title,state,isDraft,baseRefName,statusCheckRollup")
	switch {
	case err != nil:
		return pull, err
	case !ok:
		pull.Available = strings.Contains(said, "no pull requests found") || p.isSignedIn(ctx)
		return pull, ctx.Err()
	}
	var answer struct {
		Number  int
		URL     string
		Title   string
		State   string
		IsDraft bool
		Base    string     `json:"baseRefName"`
		Checks  []ghStatus `json:"statusCheckRollup"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return pull, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read the answer of the GitHub CLI."), Detail: err.Error()}
	}
	pull = backend.ReviewPull{Available: true, Number: answer.Number, URL: webURL(answer.URL), Title: answer.Title, State: strings.ToLower(answer.State), Draft: answer.IsDraft, Base: answer.Base}
	for _, c := range answer.Checks {
		pull.Checks = append(pull.Checks, c.check())
	}
	return pull, nil
}

// webURL returns address if it's a web address, and "" otherwise.
func webURL(address string) string {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return address
}

// ghStatus is a check run, or a commit status, as the GitHub CLI prints it.
type ghStatus struct {
	Name, Status, Conclusion, DetailsURL string
	Context, State, TargetURL            string
}

func (s ghStatus) check() backend.ReviewCheck {
	c := backend.ReviewCheck{Name: s.Name, URL: webURL(s.DetailsURL), State: "pending"}
	result := s.Conclusion
	if s.Context != "" {
		c.Name, c.URL, result = s.Context, webURL(s.TargetURL), s.State
	}
	switch strings.ToUpper(result) {
	case "SUCCESS":
		c.State = "passed"
	case "NEUTRAL", "SKIPPED", "STALE":
		c.State = "skipped"
	case "FAILURE", "ERROR", "CANCELLED", "TIMED_OUT", "ACTION_REQUIRED", "STARTUP_FAILURE":
		c.State = "failed"
	}
	return c
}

// OpenPull starts to open a pull request for the current branch and returns the ID of the job. The job first pushes
// the branch if the remote doesn't have its newest commit. It fails at once if the GitHub CLI isn't installed.
func (m *Manager) OpenPull(ctx context.Context, chatID string, q backend.ReviewPullRequest) (jobID string, err error) {
	if strings.TrimSpace(q.Title) == "" {
		return "", backend.Invalid("Enter a title for the pull request.")
	}
	r, err := m.openTrusted(ctx, chatID)
	if err != nil {
		return "", err
	}
	if _, err := r.pulls(ctx); err != nil {
		return "", err
	}
	return m.start(r, func(ctx context.Context, j *job) error { return r.openPull(ctx, j, q) })
}

func (r *repo) openPull(ctx context.Context, j *job, q backend.ReviewPullRequest) error {
	p, err := r.pulls(ctx)
	if err != nil {
		return err
	}
	if !p.isSignedIn(ctx) {
		return errors.Join(ctx.Err(), errNoGH)
	}
	if there := r.line(ctx, "rev-parse", "--quiet", "--verify", "refs/remotes/"+p.remote+"/"+p.branch); there == "" || there != r.line(ctx, "rev-parse", "HEAD") {
		if err := r.push(ctx, j, backend.ReviewPushRequest{}); err != nil {
			return err
		}
	}
	j.step(backend.StepPull)
	args := []string{"pr", "create", "--repo", p.repository, "--head", p.head, "--title", q.Title, "--body-file", "-"}
	if q.Base != "" {
		args = append(args, "--base", q.Base)
	}
	if q.Draft {
		args = append(args, "--draft")
	}
	c := p.command(args...)
	body, err := inputFile([]byte(q.Body))
	if err != nil {
		return notWritten(err)
	}
	defer discard(body)
	out := &limited{most: 64 << 10}
	c.input, c.stdout = body, out
	code, said, err := j.run(ctx, c)
	switch {
	case err != nil:
		return err
	case code != 0:
		return withDetail(&backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't open the pull request: %s", excerpt.FirstLine(strings.TrimSpace(said), 300))}, said)
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	j.change(func(info *backend.ReviewJob) { info.URL = webURL(string(lines[len(lines)-1])) })
	return nil
}
