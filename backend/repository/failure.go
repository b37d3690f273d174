package repository

import (
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

var (
	errIdentity = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Git doesn't know who you are. Set user.name and user.email in Git's configuration.")}
	errNothing  = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("There's nothing to commit.")}
	errLocked   = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Another Git command is changing this repository. Wait for it to finish. If none is running, delete the file index.lock in the .git folder.")}
	errFull     = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The disk is full. Free up some space, then try again.")}
	errSigning  = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Couldn't sign the commit. Check your signing key and program in Git's configuration.")}
	errMoved    = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The branch has changed in the meantime. Check the changes, then try again.")}
)

// has reports whether text contains at least one of the parts.
func has(text string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(text, p) })
}

// withDetail returns a copy of err with the end of output as its Detail.
func withDetail(err *backend.Error, output string) error {
	e := *err
	e.Detail = excerpt.Tail(strings.TrimSpace(output), 4000)
	return &e
}

// localFailure returns the error for a git command that failed for a reason on this computer, such as a full disk. The
// parameter output is git's output. If the output shows no such reason, localFailure returns nil.
func localFailure(output string) error {
	switch {
	case has(output, "No space left on device", "Disk quota exceeded"):
		return withDetail(errFull, output)
	case has(output, ".lock': File exists"):
		return withDetail(errLocked, output)
	case has(output, "Please tell me who you are", "empty ident name", "no email was given", "no name was given", "unable to auto-detect email address", "user.useConfigOnly"):
		return withDetail(errIdentity, output)
	case has(output, "cannot lock ref") && has(output, "but expected"):
		return withDetail(errMoved, output)
	case has(output, "detected dubious ownership"):
		return withDetail(&backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("This folder belongs to another user, so Git refuses to use it. Add it to safe.directory in Git's configuration.")}, output)
	}
	return nil
}

// gitFailed returns the error for a git command that failed. The parameter output is git's output. If the output doesn't
// show a known reason, the error quotes it.
func gitFailed(output string) error {
	if err := localFailure(output); err != nil {
		return err
	}
	return withDetail(&backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Git reported: %s", reason(output))}, output)
}

// reason returns the reason of a failure from git's output: the first line that starts with "fatal: " or "error: ",
// without that prefix, or else the last line.
func reason(output string) string {
	lines := strings.Split(strings.TrimSpace(output), "\n")
	for _, line := range lines {
		for _, start := range []string{"fatal: ", "error: "} {
			if rest, ok := strings.CutPrefix(line, start); ok {
				return excerpt.FirstLine(rest, 300)
			}
		}
	}
	return excerpt.FirstLine(lines[len(lines)-1], 300)
}

// commitFailed returns the error for a commit that failed. hook is the name of the hook that failed, or "".
func commitFailed(output, hook string, signing bool) error {
	if hook != "" && !has(output, "No space left on device") {
		return withDetail(&backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The %s hook stopped the commit. See its output for the reason.", hook)}, output)
	}
	if err := localFailure(output); err != nil {
		return err
	}
	switch {
	case has(output, "failed to sign the data", "gpg failed to sign") || signing && has(output, "failed to write commit object"):
		return withDetail(errSigning, output)
	case has(output, "nothing to commit", "no changes added to commit", "nothing added to commit"):
		return withDetail(errNothing, output)
	case has(output, "empty commit message"):
		return withDetail(errNoMessage, output)
	}
	return gitFailed(output)
}

var errNoMessage = backend.Invalid("Enter a message for the commit.")

// pushFailed returns the error for a push that failed. hook is true if a pre-push hook exists. The parameter status is
// the standard output of git push --porcelain and of the hook, and the parameter output is the remaining output.
func pushFailed(output, status string, hook bool) error {
	var rejected, declined string
	reached := false
	for line := range strings.Lines(status) {
		reached = reached || strings.HasPrefix(line, "To ")
		f := strings.SplitN(strings.TrimSpace(line), "\t", 3)
		switch {
		case len(f) < 3 || f[0] != "!":
		case strings.HasPrefix(f[2], "[rejected]"):
			rejected = f[2]
		default: // [remote rejected], [remote failure]
			declined = f[2]
		}
	}
	because := func(text string) string {
		if _, rest, ok := strings.Cut(text, "("); ok {
			return excerpt.FirstLine(strings.TrimSuffix(rest, ")"), 200)
		}
		return excerpt.FirstLine(text, 200)
	}
	say := func(m backend.Message) error {
		return withDetail(&backend.Error{Code: backend.CodeUnavailable, Message: m}, output)
	}
	switch {
	case rejected != "" && has(rejected, "fetch first", "non-fast-forward", "stale info", "needs force"):
		return say(backend.Say("The remote branch has commits that you don't have. Pull them, then push again."))
	case rejected != "":
		return say(backend.Say("The push was rejected: %s", because(rejected)))
	case declined != "":
		return say(backend.Say("The remote declined the push: %s", because(declined)))
	case has(output, "Could not resolve", "Couldn't resolve", "Temporary failure in name resolution", "Connection refused", "Network is unreachable", "No route to host", "timed out", "Failed to connect", "Connection reset"):
		return say(backend.Say("Can't reach the remote. Check your connection, then push again."))
	case has(output, "Authentication failed", "Permission denied", "could not read Username", "could not read Password", "terminal prompts disabled",
		"Host key verification failed", "Invalid username or password", "The requested URL returned error: 401", "The requested URL returned error: 403", "correct access rights") &&
		!has(output, "does not appear to be a git repository"):
		return withDetail(&backend.Error{Code: backend.CodeAuth, Message: backend.Say("Couldn't sign in to the remote, or you don't have write access to it. Sign in or check your access in a terminal, then push again.")}, output)
	case has(output, "does not appear to be a git repository", "epository not found", "The requested URL returned error: 404"):
		return say(backend.Say("The remote repository doesn't exist, or you don't have access to it. Check its URL and your permissions."))
	case hook && !reached && has(output, "failed to push some refs"):
		return say(backend.Say("The %s hook stopped the push. See its output for the reason.", "pre-push"))
	}
	return gitFailed(output)
}
