package repository

import (
	"cmp"
	"context"
	"errors"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Limits for a suggested pull request.
const (
	maxPullCommits = 50  // commits in the body
	maxPullTitle   = 200 // characters
	maxPullBody    = 20_000
)

// PullForm returns the form for a pull request that merges the current branch in a chat's folder into the branch base.
// If base is "", the default branch is used. PullForm runs no programs specified by the repository.
func (m *Manager) PullForm(ctx context.Context, chatID, base string) (backend.ReviewPullForm, error) {
	form := backend.ReviewPullForm{Bases: []string{}}
	r, err := m.open(chatID)
	if backend.CodeOf(err) == backend.CodeUnavailable {
		form.Message = backend.MessageOf(err)
		return form, nil
	}
	if err != nil {
		return form, err
	}
	if err := r.fillPullForm(ctx, &form, base); err != nil {
		if ctx.Err() != nil {
			return form, ctx.Err()
		}
		form.Message = backend.AsError(err).Message
	}
	return form, nil
}

// fillPullForm sets the fields of the form whose values are known. If no pull request can be opened, the error is the
// reason.
func (r *repo) fillPullForm(ctx context.Context, form *backend.ReviewPullForm, base string) error {
	form.Branch = r.branch(ctx)
	head, err := r.head(ctx)
	switch {
	case err != nil:
		return gitError(err)
	case form.Branch == "":
		return errNoBranch
	case head == "":
		return errNoCommits(form.Branch)
	}
	p, err := r.pulls(ctx)
	if err != nil {
		return err
	}
	form.Remote, form.Host = p.remote, p.host
	form.Bases = append(form.Bases, p.bases(ctx)...)
	form.Base = cmp.Or(base, p.defaultBase(form.Bases))
	if !p.isFork() && p.branch == cmp.Or(p.base, form.Base) {
		return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("You're on %s, the default branch. Create a branch for the pull request.", form.Branch)}
	}
	if err := p.addCommits(ctx, form); err != nil {
		return err
	}
	if err := r.checkTrust(ctx); err != nil {
		return err
	}
	pull, err := p.view(ctx)
	switch {
	case pull != nil && pull.State == openState:
		form.Pull = pull
	case err != nil:
		if e := (&backend.Error{}); !errors.As(err, &e) || !isOffline(e.Detail) {
			form.CompareURL = p.comparePage(form.Base)
		}
		return err
	}
	form.Login = p.login(ctx)
	return nil
}

// bases returns the branches into which a pull request can be merged, as of the last fetch.
func (p *pulls) bases(ctx context.Context) (names []string) {
	out := p.line(ctx, "for-each-ref", "--sort=-committerdate", "--format=%(refname)", "refs/remotes/"+p.into+"/")
	for ref := range strings.SplitSeq(out, "\n") {
		name, ok := strings.CutPrefix(ref, "refs/remotes/"+p.into+"/")
		if !ok || name == "HEAD" || !p.isFork() && name == p.branch && name != p.base {
			continue
		}
		if names = append(names, name); len(names) == backend.MaxPullBases {
			break
		}
	}
	if p.base != "" && !slices.Contains(names, p.base) {
		names = append(names, p.base)
	}
	return names
}

// defaultBase returns the default branch, or "" if it isn't known.
func (p *pulls) defaultBase(bases []string) string {
	if p.base != "" {
		return p.base
	}
	for _, name := range []string{"main", "master"} {
		if slices.Contains(bases, name) || !p.isFork() && name == p.branch {
			return name
		}
	}
	return ""
}

// addCommits sets the form's commit counts, and a title and body suggested for the commits. It returns an error if the
// base already contains all commits.
func (p *pulls) addCommits(ctx context.Context, form *backend.ReviewPullForm) error {
	form.Pushes = !p.isCurrent(ctx)
	switch there := p.ref(p.remote, p.branch); {
	case !form.Pushes:
	case p.line(ctx, "rev-parse", "--quiet", "--verify", there) != "":
		form.Push = p.count(ctx, "rev-list", "--count", "HEAD", "^"+there, "--")
	default:
		form.Push = p.count(ctx, "rev-list", "--count", "HEAD", "--not", "--remotes="+p.remote, "--")
	}
	commits, most := "HEAD", 1 // without a base, only the newest commit is certain to be new
	if into := p.ref(p.into, form.Base); form.Base != "" && p.line(ctx, "rev-parse", "--quiet", "--verify", into) != "" {
		commits, most = into+"..HEAD", maxPullCommits
		if form.Commits = p.count(ctx, "rev-list", "--count", commits, "--"); form.Commits == 0 {
			return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("There's nothing to merge. All commits on %s are already in %s.", form.Branch, form.Base)}
		}
	}
	out, err := p.read(ctx, "", nil, "log", "--no-show-signature", "--no-merges", "--max-count="+strconv.Itoa(most), "--format=%s%x00%b%x00", commits, "--")
	if err != nil {
		return gitError(err)
	}
	fields := strings.Split(strings.ToValidUTF8(string(out), "\uFFFD"), "\x00")
	var messages [][2]string // oldest first
	for i := 0; i+1 < len(fields); i += 2 {
		messages = append(messages, [2]string{strings.TrimSpace(fields[i]), strings.TrimSpace(fields[i+1])})
	}
	slices.Reverse(messages)
	form.Title, form.Body = suggestPull(messages, form.Branch, p.chat.Title)
	form.FromCommits = form.Body != ""
	if template := p.template(ctx); template != "" {
		form.FromTemplate = true
		form.Body = strings.TrimSpace(form.Body + "\n\n" + template)
	}
	return nil
}

// templateName matches the file name of a template for pull requests, in lowercase.
var templateName = regexp.MustCompile(`^pull_request_template\.(?:md|txt)$`)

// template returns the repository's template for the description of a pull request, as of HEAD, or "" if there is none.
// Like GitHub, it searches .github, the root and docs, in this order, and ignores case.
func (p *pulls) template(ctx context.Context) string {
	for _, folder := range [][]string{{".github/"}, nil, {"docs/"}} {
		args := append([]string{"ls-tree", "--full-tree", "--long", "-z", "HEAD", "--"}, folder...)
		out, _ := p.read(ctx, "", nil, args...) // fails if the folder doesn't exist or there is no commit
		for entry := range strings.SplitSeq(string(out), "\x00") {
			about, name, _ := strings.Cut(entry, "\t")
			fields := strings.Fields(about) // mode, type, hash, size
			if len(fields) != 4 || !strings.HasPrefix(fields[0], "100") || !templateName.MatchString(strings.ToLower(path.Base(name))) {
				continue
			}
			if size, err := strconv.Atoi(fields[3]); err != nil || size > maxPullBody {
				continue
			}
			text, err := p.read(ctx, "", nil, "cat-file", "blob", fields[2])
			if err == nil && utf8.Valid(text) {
				return strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n"))
			}
		}
	}
	return ""
}

// suggestPull returns a title and a body for a pull request. commits holds the subject and the body of each commit. A
// single commit provides both the title and the body. For several commits, the body lists their subjects, and the title
// is the chat's title. If the chat has no title, the branch's name as words is used instead.
func suggestPull(commits [][2]string, branch, chat string) (title, body string) {
	if len(commits) == 1 {
		title, body = commits[0][0], paragraphs(commits[0][1])
	} else {
		for _, c := range commits {
			body += "- " + c[0] + "\n"
		}
		if title = strings.TrimSpace(chat); title == "" || title == untitled {
			title = words(branch)
		}
	}
	return excerpt.FirstLine(title, maxPullTitle), strings.TrimSpace(excerpt.Head(body, maxPullBody))
}

// untitled is the title of a chat to which no other title has been given.
const untitled = "New chat"

// words returns the last component of a branch's name as words. The first letter is uppercase.
func words(branch string) string {
	name := branch[strings.LastIndexByte(branch, '/')+1:]
	text := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' }), " ")
	if text == "" {
		return branch
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

var (
	trailer   = regexp.MustCompile(`(?i)^(?:[a-z]+(?:-[a-z]+)*-by|change-id): `)
	plainLine = regexp.MustCompile(`^[^\s>|#*+\-` + "`" + `~\d]`) // not a list, quote, heading, table or code
)

// paragraphs returns the body of a commit with the lines of each paragraph joined, because GitHub preserves line
// breaks. It removes trailers at the end, such as Signed-off-by. Lists, quotes and code stay unchanged.
func paragraphs(body string) string {
	lines := strings.Split(strings.ReplaceAll(body, "\r\n", "\n"), "\n")
	for len(lines) > 0 && (strings.TrimSpace(lines[len(lines)-1]) == "" || trailer.MatchString(lines[len(lines)-1])) {
		lines = lines[:len(lines)-1]
	}
	var out strings.Builder
	before, isCode := "", false
	for i, line := range lines {
		fence := strings.HasPrefix(line, "```")
		joins := i > 0 && !isCode && !fence && plainLine.MatchString(line) && plainLine.MatchString(before)
		switch {
		case joins:
			out.WriteByte(' ')
		case i > 0:
			out.WriteByte('\n')
		}
		out.WriteString(strings.TrimRight(line, " \t"))
		before = line
		if fence {
			isCode = !isCode
		}
	}
	return out.String()
}

// comparePage returns the URL of the page on which the user can open the pull request. GitHub shows that page only if
// the branch has been pushed.
func (p *pulls) comparePage(base string) string {
	return comparePage("https://"+p.repository, base, p.head)
}

var loginForm = regexp.MustCompile(`^[\w-]{1,100}$`)

// login returns the name of the account that the GitHub CLI uses, or "" if it isn't known. The CLI reads the name from
// its settings, without sending a request to the server.
func (p *pulls) login(ctx context.Context) string {
	out, err := p.run(ctx, "config", "get", "user", "--host", p.host)
	if name := strings.TrimSpace(string(out)); err == nil && loginForm.MatchString(name) {
		return name
	}
	return ""
}
