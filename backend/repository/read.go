package repository

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// maxRead is the maximum size in bytes of the output that is read from a git command.
const maxRead = 64 << 20

// readError is the error of a git command that was run by repo.read or a similar method.
type readError struct {
	err    error
	stderr string
}

func (e *readError) Error() string { return fmt.Sprintf("%v: %s", e.err, e.stderr) }
func (e *readError) Unwrap() error { return e.err }

// read runs a git command that doesn't change the repository, and returns its standard output. The command runs in the
// repository's root. If index isn't "", the command uses that index instead of the repository's. Git runs no programs
// specified by the repository.
func (r *repo) read(ctx context.Context, index string, input []byte, args ...string) ([]byte, error) {
	return r.readWith(ctx, workspace.GitOptions(), index, input, args...)
}

func (r *repo) readWith(ctx context.Context, options []string, index string, input []byte, args ...string) ([]byte, error) {
	out, err := r.readUpTo(ctx, maxRead, options, index, input, args...)
	if err == nil && out.over {
		return nil, &backend.Error{Code: backend.CodeTooLarge, Message: backend.Say("Git's output is too large for VoxPilot to read. Use Git in a terminal instead.")}
	}
	return out.Bytes(), err
}

// readUpTo is like readWith, but truncates output that has more than most bytes, and returns the output of a command
// that fails.
func (r *repo) readUpTo(ctx context.Context, most int, options []string, index string, input []byte, args ...string) (*limited, error) {
	env := r.m.environment("LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=none")
	if index != "" {
		env = append(env, "GIT_INDEX_FILE="+index)
	}
	cmd := workspace.Command(ctx, r.Root, r.git, env, slices.Concat(options, args)...)
	if input != nil {
		cmd.Stdin = bytes.NewReader(input)
	}
	out, errs := &limited{most: most}, &limited{most: 4096}
	cmd.Stdout, cmd.Stderr = out, errs
	if err := cmd.Run(); err != nil {
		return out, errors.Join(ctx.Err(), &readError{err, excerpt.FirstLine(errs.String(), 500)})
	}
	return out, nil
}

// limited is a buffer with a maximum size. If it is full, it discards further data and sets the field over.
type limited struct {
	bytes.Buffer
	most int // maximum size in bytes
	over bool
}

func (l *limited) Write(p []byte) (int, error) {
	if room := l.most - l.Len(); len(p) > room {
		l.over = true
		_, _ = l.Buffer.Write(p[:max(room, 0)])
		return len(p), nil
	}
	return l.Buffer.Write(p)
}

// line returns the output of a git command without the line break at its end, or "" if the command fails.
func (r *repo) line(ctx context.Context, args ...string) string {
	out, err := r.read(ctx, "", nil, args...)
	if err != nil {
		return ""
	}
	return strings.TrimRight(string(out), "\r\n")
}

// exitCode returns the exit code of the program that failed with err, or -1 if err contains no exit code.
func exitCode(err error) int {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode()
	}
	return -1
}

// head returns the hash of the commit at HEAD, or "" if there is none.
func (r *repo) head(ctx context.Context) (string, error) {
	out, err := r.read(ctx, "", nil, "rev-parse", "--quiet", "--verify", "HEAD^{commit}")
	if err != nil && (ctx.Err() != nil || exitCode(err) != 1) {
		return "", err
	}
	return strings.TrimSpace(string(out)), nil
}

// headOr returns the commit hash head or, if head is "", the hash of the empty tree.
func (r *repo) headOr(ctx context.Context, head string) (string, error) {
	if head != "" {
		return head, nil
	}
	out, err := r.read(ctx, "", []byte{}, "hash-object", "-t", "tree", "--stdin")
	return strings.TrimSpace(string(out)), err
}

// entry is the mode and hash of a file in an index or a tree. The zero entry means that the file doesn't exist there.
type entry struct{ mode, hash string }

// change is a difference between a tree and another tree, an index or the files on disk.
type change struct {
	path     string
	from, to entry
	status   byte // the letter in the output of git diff --raw
}

// binaryCount is the number of lines that git diff --numstat reports for a binary file.
const binaryCount = "-\t-"

// changesOf parses the output of git diff --raw -z --no-renames --no-abbrev.
func changesOf(out []byte) []change {
	changes, _ := countedChanges(out)
	return changes
}

// countedChanges does the same as changesOf. With --numstat, it also returns the numbers of added and removed lines by
// path, in git's format.
func countedChanges(out []byte) (changes []change, counts map[string]string) {
	counts = map[string]string{}
	fields := strings.Split(string(out), "\x00")
	for i := 0; i+1 < len(fields); i++ {
		raw, is := strings.CutPrefix(fields[i], ":")
		if !is {
			if n := strings.SplitN(fields[i], "\t", 3); len(n) == 3 {
				counts[n[2]] = n[0] + "\t" + n[1]
			}
			continue
		}
		i++
		f := strings.Fields(raw)
		if len(f) < 5 {
			continue
		}
		c := change{path: fields[i], from: entry{f[0], f[2]}, to: entry{f[1], f[3]}, status: f[4][0]}
		if c.from.mode == "000000" {
			c.from = entry{}
		}
		if c.to.mode == "000000" {
			c.to = entry{}
		}
		changes = append(changes, c)
	}
	return changes, counts
}

// staged returns the differences between a tree or commit and an index. If index is "", the repository's own index is
// used.
func (r *repo) staged(ctx context.Context, index, tree string) ([]change, error) {
	out, err := r.read(ctx, index, nil, "diff-index", "--cached", "--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=none", tree, "--")
	return changesOf(out), err
}

// between returns the differences between two commits or trees.
func (r *repo) between(ctx context.Context, from, to string) ([]change, error) {
	out, err := r.read(ctx, "", nil, "diff-tree", "-r", "--raw", "-z", "--no-renames", "--no-abbrev", from, to, "--")
	return changesOf(out), err
}

// entries returns the entries of an index by path, except those of files with conflicts. If paths are given, it returns
// only the entries of these files.
func (r *repo) entries(ctx context.Context, index string, paths ...string) (map[string]entry, error) {
	out, err := r.read(ctx, index, nil, append([]string{"ls-files", "--stage", "-z", "--full-name", "--"}, paths...)...)
	files := map[string]entry{}
	for f := range strings.SplitSeq(string(out), "\x00") {
		if of, name, ok := strings.Cut(f, "\t"); ok {
			if p := strings.Fields(of); len(p) == 3 && p[2] == "0" {
				files[name] = entry{p[0], p[1]}
			}
		}
	}
	return files, err
}

// inTree returns the entry of a file in a commit or tree, or the zero entry if the file doesn't exist there.
func (r *repo) inTree(ctx context.Context, tree, file string) (entry, error) {
	out, err := r.read(ctx, "", nil, "ls-tree", "-z", "--full-tree", tree, "--", file)
	if f := strings.Fields(strings.SplitN(string(out), "\t", 2)[0]); err == nil && len(f) == 3 {
		return entry{f[0], f[2]}, nil
	}
	return entry{}, err
}

// hasConflicts reports whether the index contains files with conflicts.
func (r *repo) hasConflicts(ctx context.Context) (bool, error) {
	out, err := r.read(ctx, "", nil, "ls-files", "--unmerged", "-z")
	return len(out) > 0, err
}

// count returns the number that a git command prints, or 0 if the command fails.
func (r *repo) count(ctx context.Context, args ...string) int {
	n, _ := strconv.Atoi(r.line(ctx, args...))
	return n
}

// isPushed reports whether a remote-tracking branch contains the commit.
func (r *repo) isPushed(ctx context.Context, sha string) (bool, error) {
	name, err := r.pushedTo(ctx, sha, "refs/remotes")
	return name != "", err
}

// pushedTo returns a remote-tracking branch that contains the commit, such as "origin/main", or "" if there is none. It
// looks at the branches below the first of the references, then at those below the next.
func (r *repo) pushedTo(ctx context.Context, sha string, references ...string) (string, error) {
	const name = "%(if)%(symref)%(then)%(symref:lstrip=2)%(else)%(refname:lstrip=2)%(end)" // for HEAD, its branch
	for _, ref := range references {
		out, err := r.read(ctx, "", nil, "for-each-ref", "--count=1", "--contains="+sha, "--format="+name, ref)
		if err != nil || len(out) > 0 {
			return strings.TrimSpace(string(out)), err
		}
	}
	return "", nil
}

// commitAt returns a description of the commit sha, its complete message and the hashes of its parents.
func (r *repo) commitAt(ctx context.Context, sha string) (c backend.ReviewCommit, message string, parents []string, err error) {
	out, err := r.read(ctx, "", nil, "log", "-1", "--no-show-signature", "--format=%H%x00%h%x00%P%x00%s%x00%B", sha, "--")
	f := strings.SplitN(strings.ToValidUTF8(string(out), "\uFFFD"), "\x00", 5)
	if err != nil || len(f) < 5 {
		return c, "", nil, errors.Join(err, ctx.Err())
	}
	return backend.ReviewCommit{SHA: f[0], Short: f[1], Subject: f[3]}, strings.TrimRight(f[4], "\n"), strings.Fields(f[2]), nil
}
