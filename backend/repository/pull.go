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

// pulls finds and opens the pull requests of a branch with the GitHub CLI. The CLI runs outside the repository and with
// its own sign-in, because VoxPilot's environment contains no tokens.
type pulls struct {
	*repo
	gh         string // "" if it isn't installed
	host       string
	repository string // HOST/OWNER/NAME of the repository that receives pull requests
	into       string // name of that repository's remote
	head       string // the branch; OWNER:BRANCH if it is in a fork
	remote     string // name of the branch's remote
	branch     string // name of the branch on that remote
	base       string // default branch of the repository that receives pull requests, or "" if it is unknown
}

var (
	errNoGH     = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("GitHub CLI isn't installed. Install it and run gh auth login in a terminal, or use the compare page.")}
	errNoPR     = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The remote isn't on GitHub, so VoxPilot can't open a pull request.")}
	errNoTarget = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Push the branch first, so that VoxPilot knows which remote to use.")}
)

// pulls returns a *pulls for the current branch. It returns errNoBranch for a detached HEAD, and errNoRemote,
// errNoTarget or errNoPR if the branch has no remote on GitHub.
func (r *repo) pulls(ctx context.Context) (*pulls, error) {
	branch := r.branch(ctx)
	if branch == "" {
		return nil, errNoBranch
	}
	t := r.tracking(ctx, branch)
	switch {
	case len(t.remotes) == 0:
		return nil, errNoRemote
	case t.push == "":
		return nil, errNoTarget
	}
	own, err := url.Parse(webPage(r.line(ctx, "remote", "get-url", t.push)))
	if err != nil || own.Host == "" {
		return nil, errNoPR
	}
	p := &pulls{
		repo: r, gh: workspace.Program(r.chat.Folder, r.m.cfg.LoginPath(), "gh"), host: own.Host, repository: own.Host + own.Path,
		into: t.push, head: t.pushBranch, remote: t.push, branch: t.pushBranch, base: t.base,
	}
	const original = "upstream" // like gh, assume that this is the remote of the repository from which a fork was made
	if t.push != original && slices.Contains(t.remotes, original) {
		if of, err := url.Parse(webPage(r.line(ctx, "remote", "get-url", original))); err == nil && of.Host == own.Host && of.Path != own.Path {
			p.repository, p.into = of.Host+of.Path, original
			p.head = strings.Split(own.Path, "/")[1] + ":" + t.pushBranch
			p.base = r.defaultBranch(ctx, original)
		}
	}
	return p, nil
}

// isFork reports whether the branch is in a fork, so that its pull requests go to another repository.
func (p *pulls) isFork() bool { return p.into != p.remote }

func (p *pulls) command(args ...string) program {
	return program{
		path: p.gh, args: args, dir: process.NeutralFolder(),
		env: p.m.environment("GH_PROMPT_DISABLED=1", "GH_NO_UPDATE_NOTIFIER=1", "GH_FORCE_TTY=", "NO_COLOR=1", "GH_PAGER=cat"),
	}
}

// run runs the GitHub CLI and returns its standard output. If the CLI fails, the error is a *backend.Error with the
// reason.
func (p *pulls) run(ctx context.Context, args ...string) ([]byte, error) {
	if p.gh == "" {
		return nil, errNoGH
	}
	c, out, errs := p.command(args...), &limited{most: 4 << 20}, &tail{most: 4096}
	c.stdout, c.output = out, errs
	code, err := c.run(ctx)
	switch {
	case err != nil:
		return nil, err
	case code != 0:
		output := errs.String()
		return nil, p.failed(code, output, backend.Say("GitHub CLI reported: %s", ghReason(output)))
	}
	return out.Bytes(), nil
}

// view returns the pull request of the branch, or nil if there is none. If the GitHub CLI can't look for it, the error
// is a *backend.Error with the reason.
func (p *pulls) view(ctx context.Context) (*backend.ReviewPull, error) {
	out, err := p.run(ctx, "pr", "view", "--repo", p.repository, "--json", "number,url,title,state,isDraft,baseRefName,headRefName,statusCheckRollup", "--", p.head)
	if e := (&backend.Error{}); errors.As(err, &e) && strings.Contains(e.Detail, "no pull requests found") {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var answer struct {
		Number  int
		URL     string
		Title   string
		State   string
		IsDraft bool
		Base    string     `json:"baseRefName"`
		Head    string     `json:"headRefName"`
		Checks  []ghStatus `json:"statusCheckRollup"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't read GitHub CLI's response. Update GitHub CLI, then try again."), Detail: err.Error()}
	}
	if answer.Number == 0 || answer.Head != "" && answer.Head != p.branch { // gh took the branch's name for a number
		return nil, nil
	}
	pull := &backend.ReviewPull{Available: true, Number: answer.Number, URL: webURL(answer.URL), Title: answer.Title, State: strings.ToLower(answer.State), Draft: answer.IsDraft, Base: answer.Base}
	for _, c := range answer.Checks {
		pull.Checks = append(pull.Checks, c.check())
	}
	return pull, nil
}

// Pull returns the pull request of the current branch in a chat's folder, with its checks. If there is no pull request,
// Number is 0 in the result. If the GitHub CLI couldn't look for one, Available is false. Pull runs no programs
// specified by the repository.
func (m *Manager) Pull(ctx context.Context, chatID string) (backend.ReviewPull, error) {
	r, err := m.open(chatID)
	if err != nil {
		if backend.CodeOf(err) == backend.CodeUnavailable {
			err = nil // the folder isn't in a repository
		}
		return backend.ReviewPull{}, err
	}
	p, err := r.pulls(ctx)
	if err != nil {
		return backend.ReviewPull{}, ctx.Err()
	}
	pull, err := p.view(ctx)
	switch {
	case err != nil:
		m.cfg.Log.Info("couldn't look for a pull request", "chat", chatID, "err", err)
		if e := backend.AsError(err); ctx.Err() == nil && !errors.Is(err, errNoGH) && !isSignedOut(e.Detail) {
			return backend.ReviewPull{Message: e.Message}, nil
		}
		return backend.ReviewPull{}, ctx.Err()
	case pull == nil:
		return backend.ReviewPull{Available: true}, nil
	}
	return *pull, nil
}

// webURL returns address if it is an HTTP or HTTPS URL, and "" otherwise.
func webURL(address string) string {
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" {
		return ""
	}
	return address
}

// ghStatus is a check run or a commit status in the GitHub CLI's JSON output.
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

// OpenPull starts a job that opens a pull request for the current branch, and returns the job's ID. The job first
// pushes the branch if its newest commit isn't on the remote. OpenPull returns an error at once if the title is empty,
// the user doesn't trust the folder, no branch is checked out, the branch has no remote on GitHub or the GitHub CLI
// isn't installed.
func (m *Manager) OpenPull(ctx context.Context, chatID string, q backend.ReviewPullRequest) (jobID string, err error) {
	if strings.TrimSpace(q.Title) == "" {
		return "", backend.Invalid("Enter a title for the pull request.")
	}
	r, err := m.openTrusted(ctx, chatID)
	if err != nil {
		return "", err
	}
	p, err := r.pulls(ctx)
	switch {
	case err != nil:
		return "", err
	case p.gh == "":
		return "", errNoGH
	}
	return m.start(r, func(ctx context.Context, j *job) error { return r.openPull(ctx, j, q) })
}

// openPull opens a pull request as part of the job j. It pushes the branch, if necessary, after it has checked that
// the branch has no open pull request.
func (r *repo) openPull(ctx context.Context, j *job, q backend.ReviewPullRequest) error {
	p, err := r.pulls(ctx)
	if err != nil {
		return err
	}
	pull, err := p.view(ctx)
	switch {
	case err != nil:
		return err
	case pull != nil && pull.State == openState:
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The branch already has pull request #%d.", pull.Number)}
	}
	if !p.isCurrent(ctx) {
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
		return fileError(err)
	}
	defer discard(body)
	out := &limited{most: 64 << 10}
	c.input, c.stdout = body, out
	code, output, err := j.run(ctx, c)
	switch {
	case err != nil:
		return err
	case code != 0:
		return p.failed(code, output, backend.Say("Couldn't open the pull request: %s", ghReason(output)))
	}
	lines := bytes.Split(bytes.TrimSpace(out.Bytes()), []byte("\n"))
	j.change(func(info *backend.ReviewJob) { info.URL = webURL(string(lines[len(lines)-1])) })
	return nil
}

// openState is the value of ReviewPull.State for a pull request that is neither merged nor closed.
const openState = "open"

// isCurrent reports whether the remote-tracking branch is at HEAD, so that the remote had the newest commit at the last
// fetch or push.
func (p *pulls) isCurrent(ctx context.Context) bool {
	there := p.line(ctx, "rev-parse", "--quiet", "--verify", p.ref(p.remote, p.branch))
	return there != "" && there == p.line(ctx, "rev-parse", "HEAD")
}

// ref returns the full name of a remote-tracking branch.
func (p *pulls) ref(remote, branch string) string { return "refs/remotes/" + remote + "/" + branch }

// failed returns the error for a failed command of the GitHub CLI, given the CLI's exit code and its output. Exit code
// 4 means that a sign-in is needed. If neither the code nor the output shows a known reason, the error has the given
// message.
func (p *pulls) failed(code int, output string, other backend.Message) error {
	switch {
	case code == 4 || isSignedOut(output):
		other = backend.Say("GitHub CLI isn't signed in to %s. Run gh auth login in a terminal, or use the compare page.", p.host)
	case isOffline(output):
		other = backend.Say("Can't reach %s. Check your connection, then try again.", p.host)
	}
	return withDetail(&backend.Error{Code: backend.CodeUnavailable, Message: other}, output)
}

// isSignedOut reports whether output, the output of the GitHub CLI, shows that it isn't signed in.
func isSignedOut(output string) bool { return has(output, "gh auth login", "Bad credentials") }

// isOffline reports whether output, the output of the GitHub CLI, shows that it couldn't reach the server.
func isOffline(output string) bool {
	return has(output, "error connecting to", "check your internet connection", "dial tcp", "no such host", "network is unreachable", "connection refused", "i/o timeout", "TLS handshake timeout")
}

// ghReason returns the first line of the GitHub CLI's output that is neither a progress message nor a warning. If there
// is no such line, it returns the first one.
func ghReason(output string) string {
	for line := range strings.Lines(output) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "Creating ") && !strings.HasPrefix(line, "Warning: ") {
			return excerpt.FirstLine(line, 300)
		}
	}
	return excerpt.FirstLine(strings.TrimSpace(output), 300)
}
