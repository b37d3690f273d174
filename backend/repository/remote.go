package repository

import (
	"context"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// scpForm matches the short form of an SSH address, such as git@github.com:owner/name.
var scpForm = regexp.MustCompile(`^(?:[^@/\s]+@)?([A-Za-z0-9.-]+):([^:\s]+)$`)

// webPage returns the address of a repository's web page, without credentials. remote is the repository's address as a
// git remote. webPage returns "" if the remote is neither on GitHub nor on a company's GitHub server.
func webPage(remote string) string {
	var host, path string
	if u, err := url.Parse(remote); err == nil && u.Host != "" {
		switch u.Scheme {
		case "https", "http":
			host = u.Host // may include a port
		case "ssh", "git", "git+ssh", "ssh+git":
			host = u.Hostname()
		default:
			return ""
		}
		path = u.Path
	} else if m := scpForm.FindStringSubmatch(remote); m != nil {
		host, path = m[1], m[2]
	}
	host = strings.ToLower(host)
	switch name, _, _ := strings.Cut(host, ":"); {
	case name == "ssh.github.com" || name == "www.github.com":
		host = "github.com"
	case name != "github.com" && !strings.HasSuffix(name, ".ghe.com") && !slices.Contains(strings.Split(name, "."), "github"):
		return ""
	}
	path = strings.TrimSuffix(strings.Trim(path, "/"), ".git")
	if parts := strings.Split(path, "/"); len(parts) != 2 || slices.Contains(parts, "") || slices.Contains(parts, "..") {
		return ""
	}
	return (&url.URL{Scheme: "https", Host: host, Path: "/" + path}).String()
}

// comparePage returns the address of the page on which the user can open a pull request for a branch on GitHub, or ""
// if there is none. base is the branch to merge into; if it is "", GitHub uses the default branch.
func comparePage(remote, base, branch string) string {
	page := webPage(remote)
	if page == "" || branch == "" || base == branch {
		return ""
	}
	escape := func(name string) string { // escapes everything except slashes
		return strings.ReplaceAll(url.PathEscape(name), "%2F", "/")
	}
	if base != "" {
		return page + "/compare/" + escape(base) + "..." + escape(branch) + "?expand=1"
	}
	return page + "/compare/" + escape(branch) + "?expand=1"
}

// tracking describes the upstream of a branch and the destination of its pushes.
type tracking struct {
	remotes        []string
	upstream       string // such as "origin/main"; "" if there is none
	upstreamRemote string
	push           string // remote to push to; "" if there is none or the user must choose
	pushBranch     string // the branch's name on that remote
	base           string // default branch of the push remote; "" if unknown
	// foreign is true if the upstream is a branch with another name on the push remote. git push then refuses to push,
	// unless push.default is set to a mode other than simple.
	foreign bool
}

// setsUpstream reports whether a push to the branch's own remote sets the upstream.
func (t tracking) setsUpstream() bool { return t.upstream == "" || t.foreign }

// target returns the remote-tracking branch of the branch to push to. It may not exist yet.
func (t tracking) target() string { return "refs/remotes/" + t.push + "/" + t.pushBranch }

// tracking returns the upstream of the branch and the destination of its pushes. If branch is "", because HEAD is
// detached, it returns only the remotes.
func (r *repo) tracking(ctx context.Context, branch string) (t tracking) {
	t.remotes = strings.Fields(r.line(ctx, "remote"))
	if branch == "" {
		return t
	}
	var follows string // full name of the upstream on its remote
	out := r.line(ctx, "for-each-ref", "--format=%(upstream:short)%00%(upstream:remotename)%00%(push:remotename)%00%(push:remoteref)%00%(upstream:remoteref)", "refs/heads/"+branch)
	first, _, _ := strings.Cut(out, "\n") // the pattern also matches refs/heads/branch/…
	if f := strings.Split(first, "\x00"); len(f) == 5 {
		t.upstream, t.upstreamRemote, t.push, follows = f[0], f[1], f[2], f[4]
		t.pushBranch = strings.TrimPrefix(f[3], "refs/heads/")
	}
	if t.upstreamRemote == "." { // the upstream is a branch of the same repository
		t.upstreamRemote = ""
	}
	if !slices.Contains(t.remotes, t.push) {
		t.push, t.pushBranch = t.upstreamRemote, ""
	}
	if t.push == "" {
		switch {
		case len(t.remotes) == 1:
			t.push = t.remotes[0]
		case slices.Contains(t.remotes, "origin"):
			t.push = "origin"
		}
	}
	if t.pushBranch == "" {
		t.pushBranch = branch
		if t.push != "" && t.push == t.upstreamRemote && follows != "refs/heads/"+branch {
			mode := r.line(ctx, "config", "--get", "push.default")
			t.foreign = mode == "" || strings.EqualFold(mode, "simple")
		}
	}
	t.base = r.defaultBranch(ctx, t.push)
	return t
}

// defaultBranch returns the remote's default branch, as recorded by git when the repository was cloned, or "" if it
// isn't known.
func (r *repo) defaultBranch(ctx context.Context, remote string) string {
	if remote == "" {
		return ""
	}
	ref := r.line(ctx, "symbolic-ref", "--quiet", "refs/remotes/"+remote+"/HEAD")
	name, ok := strings.CutPrefix(ref, "refs/remotes/"+remote+"/")
	if !ok {
		return ""
	}
	return name
}
