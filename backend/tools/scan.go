package tools

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/voxpilot/voxpilot/backend/workspace"
)

// look finds the lines of a file that match. What cannot be read, is no text in
// UTF-8 or is too large has none.
func (s *search) look(ctx context.Context, name string) found {
	body, ok := s.load(name)
	if !ok {
		return found{}
	}
	// A line that matches is also found in the whole, but that the ends of
	// lines may differ; so most files are done with at once.
	if bytes.IndexByte(body, '\r') < 0 && !s.expr.inAny(ctx, body) {
		return found{}
	}
	all := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	f := found{name: name}
	for i, line := range all {
		all[i] = strings.TrimSuffix(line, "\r")
		if s.expr.in(ctx, all[i]) {
			f.hits = append(f.hits, i)
		}
	}
	if ctx.Err() != nil {
		return found{} // it was not looked through
	}
	if s.args.OutputMode == modeContent && len(f.hits) > 0 {
		f.lines = all
	}
	return f
}

// load is the text of a file, without a byte order mark.
func (s *search) load(name string) ([]byte, bool) {
	f, info, err := s.tree.Open(name)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	if info.Size() > mostSearched {
		return nil, false
	}
	head := make([]byte, min(sniffed, info.Size()+1))
	n, err := io.ReadFull(f, head)
	if n == 0 || !isText(head[:n], err == nil) {
		return nil, false
	}
	rest, err := io.ReadAll(io.LimitReader(f, mostSearched))
	if err != nil {
		return nil, false
	}
	body := append(head[:n:n], rest...)
	if !isText(body, false) {
		return nil, false
	}
	return bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")), true
}

// sift leaves out files that do not match, where ripgrep is there to tell so
// fast. It decides nothing else: which files there are, which lines match and
// what is shown is the same without it.
func (b *Box) sift(ctx context.Context, folder string, tree *workspace.Tree, expr *expression, names []string) []string {
	rg := b.program(folder, "rg")
	if rg == "" || len(names) < leastSifted {
		return names
	}
	fixed := []string{"--no-config", "--no-ignore", "--hidden", "--text", "--files-with-matches", "--null", "--regexp=" + expr.rust, "--"}
	env := b.environment()
	matched := map[string]bool{}
	for at := 0; at < len(names); {
		args, size := append([]string(nil), fixed...), 0
		begin := at
		for ; at < len(names) && size < mostArguments(); at++ {
			if _, ok := tree.Stat(names[at]); ok {
				args = append(args, "."+string(filepath.Separator)+filepath.FromSlash(names[at]))
				size += len(names[at]) + 16
			}
		}
		if len(args) == len(fixed) {
			continue
		}
		out, err := run(ctx, folder, rg, env, 2*size+1000, args...)
		var exit *exec.ExitError
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1 is that nothing matches
			b.cfg.Log.Debug("ripgrep did not search", "err", err)
			for _, name := range names[begin:at] {
				matched[name] = true
			}
			continue
		}
		for name := range strings.SplitSeq(string(out), "\x00") {
			matched[strings.TrimPrefix(filepath.ToSlash(name), "./")] = true
		}
	}
	kept := names[:0:0]
	for _, name := range names {
		if matched[name] {
			kept = append(kept, name)
		}
	}
	return kept
}

// leastSifted is the number of files from which on ripgrep is worth its start.
const leastSifted = 16

// mostArguments is the size of the names of files that fit on a command line.
func mostArguments() int {
	if runtime.GOOS == "windows" {
		return 20 << 10
	}
	return 100 << 10
}
