package review

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // Git's object names
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// repository reads the git repository of a chat's folder. Its git commands run none of the programs that the
// repository's configuration names: filters, hooks, text conversions, external diffs and file system monitors.
type repository struct {
	folder, program string
	env             []string
	at              workspace.Repository
	settings        *settings
}

// gitTime is the time limit for a git command. It only ends commands that hang: in a folder with several hundred
// thousand files, a command can take many seconds while the computer is busy.
const gitTime = 5 * time.Minute

// repositoryOf returns the repository that contains a folder. It returns nil if there is none, if the repository is
// bare or if git isn't installed.
func (m *Manager) repositoryOf(folder string) *repository {
	real := workspace.WithoutLinks(folder)
	r := &repository{folder: real, at: workspace.FindRepository(real), settings: &settings{}}
	r.program = workspace.Program(folder, m.cfg.LoginPath(), "git")
	r.env = workspace.GitEnvironment(m.cfg.LoginPath())
	if r.at.Dir == "" || r.at.Root == r.at.Dir || r.program == "" {
		return nil
	}
	return r
}

func (r *repository) command(ctx context.Context, args ...string) *exec.Cmd {
	options := append(workspace.GitOptions(), "-c", "core.untrackedCache=false")
	return workspace.Command(ctx, r.folder, r.program, r.env, append(options, args...)...)
}

// run runs a git command and returns its standard output.
func (r *repository) run(ctx context.Context, stdin io.Reader, args ...string) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := r.command(ctx, args...)
	cmd.Stdin = stdin
	out, err := cmd.Output()
	if err != nil {
		return nil, gitError(err)
	}
	return out, nil
}

// line returns the output of a git command that prints one line, or "" if the command fails.
func (r *repository) line(ctx context.Context, args ...string) string {
	out, err := r.run(ctx, nil, args...)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func gitError(err error) error {
	detail := err.Error()
	var exit *exec.ExitError
	if errors.As(err, &exit) && len(exit.Stderr) > 0 {
		detail = strings.TrimSpace(string(exit.Stderr))
	}
	var filter workspace.FilterError
	if errors.As(err, &filter) {
		detail = filter.Error()
	}
	return &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Git couldn't read this repository."), Detail: detail}
}

// commit returns the full hash of the commit with the given name, or "" if there is none.
func (r *repository) commit(ctx context.Context, name string) string {
	return r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
}

// head returns the hash of the checked-out commit. If the branch has no commit yet, unborn is true, and the hash is
// that of the empty tree.
func (r *repository) head(ctx context.Context) (name string, unborn bool) {
	if name = r.commit(ctx, "HEAD"); name != "" {
		return name, false
	}
	return r.line(ctx, "hash-object", "-t", "tree", "--stdin"), true
}

// rawChange is a difference in one file between two trees, or between two of a tree, the index and the disk. The hash
// for a side is "" if the file doesn't exist on that side, or if the side is on disk and its hash isn't known.
type rawChange struct {
	path             string
	oldMode, newMode string // "" for a side that doesn't exist
	old, new         string
	unmerged         bool
	resolved         bool // the index had a conflict in the file, which was then added without a difference
}

func (c rawChange) isSubmodule() bool {
	return c.oldMode == submoduleMode || c.newMode == submoduleMode
}

const submoduleMode = "160000"

// changes runs the git command in args, such as diff-tree, and returns the differences that it reports. The given
// options are global options of git, which are placed before the command.
func (r *repository) changes(ctx context.Context, options []string, args ...string) ([]rawChange, error) {
	all := append(append([]string{}, options...), args[0], "--raw", "-z", "--no-renames", "--no-abbrev", "--no-ext-diff", "--no-textconv", "--ignore-submodules=dirty", "--relative")
	out, err := r.run(ctx, nil, append(append(all, args[1:]...), "--")...)
	if err != nil {
		return nil, err
	}
	var list []rawChange
	fields := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		meta := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(meta) != 5 {
			return nil, gitError(fmt.Errorf("unexpected output %q", fields[i]))
		}
		known := func(s string) string {
			if strings.Trim(s, "0") == "" {
				return ""
			}
			return s
		}
		list = append(list, rawChange{
			path: fields[i+1], oldMode: known(meta[0]), newMode: known(meta[1]), old: known(meta[2]), new: known(meta[3]), unmerged: meta[4] == "U",
		})
	}
	return list, nil
}

// filtersOff returns options that keep git from running the repository's filters when it compares the index with the
// disk.
func (r *repository) filtersOff(ctx context.Context) ([]string, error) {
	options, err := workspace.FiltersOff(ctx, r.folder, r.program, r.env)
	if err != nil {
		return nil, gitError(err)
	}
	return options, nil
}

// untracked returns the files that are neither tracked nor ignored by git, and the untracked repositories inside the
// folder. The files in these repositories aren't returned.
func (r *repository) untracked(ctx context.Context) (files, nested []string, err error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "--others", "--exclude-standard")
	if err != nil || len(out) == 0 {
		return nil, nil, err
	}
	for path := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if dir, is := strings.CutSuffix(path, "/"); is {
			nested = append(nested, dir)
		} else {
			files = append(files, path)
		}
	}
	return files, nested, nil
}

// resolved returns the files whose conflicts were resolved by adding them to the index. Git keeps this record until the
// next commit.
func (r *repository) resolved(ctx context.Context) ([]string, error) {
	out, err := r.run(ctx, nil, "ls-files", "-z", "--resolve-undo")
	var list []string
	for entry := range strings.SplitSeq(string(out), "\x00") {
		_, path, _ := strings.Cut(entry, "\t")
		if path != "" && !slices.Contains(list, path) { // each side of a conflict has an entry
			list = append(list, path)
		}
	}
	return list, err
}

// blobName returns the hash by which git identifies content. The parameter like is any hash in the repository. Its
// length shows which hash function the repository uses.
func blobName(content []byte, like string) string {
	var h hash.Hash
	if h = sha1.New(); len(like) == hex.EncodedLen(sha256.Size) { //nolint:gosec // Git's object names
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(content))
	_, _ = h.Write(content)
	return hex.EncodeToString(h.Sum(nil))
}

// errMissing is the error for an object that isn't in the repository.
var errMissing = &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("Git doesn't have this version of the file.")}

// blobs reads the objects with the given names and calls the function got for each of them, in order. It passes nil as
// content if the object is larger than limit bytes, and errMissing as err if the object is missing.
func (r *repository) blobs(ctx context.Context, names []string, limit int64, got func(i int, content []byte, size int64, err error)) error {
	if len(names) == 0 {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	cmd := r.command(ctx, "cat-file", "--batch")
	var stderr bytes.Buffer
	cmd.Stdin, cmd.Stderr = strings.NewReader(strings.Join(names, "\n")+"\n"), &stderr
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return gitError(err)
	}
	read := func() error {
		in := bufio.NewReaderSize(out, 64<<10)
		for i := range names {
			head, err := in.ReadString('\n')
			if err != nil {
				return err
			}
			fields := strings.Fields(head)
			if len(fields) < 3 || fields[len(fields)-1] == "missing" {
				got(i, nil, 0, errMissing)
				continue
			}
			size, err := strconv.ParseInt(fields[2], 10, 64)
			if err != nil {
				return err
			}
			var content []byte
			if size > limit {
				_, err = io.CopyN(io.Discard, in, size)
			} else {
				content = make([]byte, size)
				_, err = io.ReadFull(in, content)
			}
			if err == nil {
				_, err = in.Discard(1)
			}
			if err != nil {
				return err
			}
			got(i, content, size, nil)
		}
		return nil
	}
	err = read()
	if err != nil {
		cancel()
	}
	if e := cmd.Wait(); err == nil {
		err = e
	}
	if err != nil {
		return gitError(errors.Join(err, errors.New(strings.TrimSpace(stderr.String()))))
	}
	return nil
}

// isHash reports whether s has the form of an object's hash or of the start of such a hash.
func isHash(s string) bool {
	return len(s) >= 4 && len(s) <= hex.EncodedLen(sha256.Size) && strings.Trim(s, "0123456789abcdef") == ""
}

// entry returns the mode and hash of a path in a tree, or "" for both if the tree doesn't contain the path.
func (r *repository) entry(ctx context.Context, tree, path string) (mode, blob string) {
	out, err := r.run(ctx, nil, "ls-tree", "-z", "--end-of-options", tree, path)
	fields := strings.Fields(string(out))
	if err != nil || len(fields) < 3 {
		return "", ""
	}
	return fields[0], fields[2]
}

// submoduleHead returns the hash of the commit that is checked out in a submodule, or "" if the submodule isn't checked
// out.
func (r *repository) submoduleHead(ctx context.Context, path string) string {
	sub := r.inside(path)
	if workspace.FindRepository(sub.folder).Root != sub.folder {
		return "" // it isn't checked out
	}
	return sub.commit(ctx, "HEAD")
}
