package tools

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

const grepSchema = `{
  "type": "object",
  "properties": {
    "pattern": {"type": "string", "description": "RE2 regular expression, matched against each line."},
    "path": {"type": "string", "description": "File or directory to search, absolute or relative to the chat's folder. Default: the chat's folder."},
    "glob": {"type": "string", "description": "Limit to files matching this glob, such as *.go or src/**/*.ts."},
    "output_mode": {"type": "string", "enum": ["content", "files", "count"], "description": "Matching lines (default), files with matches, or the number of matching lines per file."},
    "context": {"type": "integer", "minimum": 1, "maximum": 20, "description": "Lines to show before and after each match."},
    "ignore_case": {"type": "boolean", "description": "Ignore case."},
    "limit": {"type": "integer", "minimum": 1, "maximum": 1000, "description": "Maximum number of matching lines or files. Default 100."}
  },
  "required": ["pattern"],
  "additionalProperties": false
}`

// Limits of the grep tool.
const (
	defaultMatches = 100
	maxMatches     = 1000
	// maxSearched is the maximum size in bytes of a searched file.
	maxSearched = 8 << 20
	// searchTime is the time limit for a search.
	searchTime = 20 * time.Second
)

// The output modes of the grep tool.
const (
	modeContent = "content"
	modeFiles   = "files"
	modeCount   = "count"
)

type grepArgs struct {
	Pattern    string `json:"pattern"`
	Path       string `json:"path"`
	Glob       string `json:"glob"`
	OutputMode string `json:"output_mode"`
	Context    int    `json:"context"`
	IgnoreCase bool   `json:"ignore_case"`
	Limit      int    `json:"limit"`
}

func (a *grepArgs) check() error {
	if a.OutputMode == "" {
		a.OutputMode = modeContent
	}
	if a.OutputMode != modeContent && a.OutputMode != modeFiles && a.OutputMode != modeCount {
		return invalid("The argument \"output_mode\" must be content, files or count.")
	}
	if err := errors.Join(between("context", a.Context, 1, 20), between("limit", a.Limit, 1, maxMatches)); err != nil {
		return err
	}
	if a.Limit == 0 {
		a.Limit = defaultMatches
	}
	return nil
}

func (r *Registry) grep(ctx context.Context, c call) (Result, error) {
	var args grepArgs
	if err := decode(c.Arguments, &args); err != nil {
		return Result{}, err
	}
	if err := args.check(); err != nil {
		return Result{}, err
	}
	expr, err := newExpression(args.Pattern, args.IgnoreCase)
	if err != nil {
		return Result{}, err
	}
	place, err := c.locate(args.Path)
	if err != nil {
		return Result{Path: place.Path}, err
	}
	res := Result{Path: place.Path}
	tree, err := workspace.OpenTree(c.folder)
	if err != nil {
		return res, err
	}
	defer tree.Close()
	names, all, err := r.files(ctx, c, place, tree)
	if err != nil {
		return res, err
	}
	if args.Glob != "" {
		p, err := newPattern(args.Glob, "glob")
		if err != nil {
			return res, err
		}
		kept := names[:0]
		for _, name := range names {
			if ctx.Err() != nil {
				return res, ctx.Err()
			}
			if p.matches(place.Rel(), name) {
				kept = append(kept, name)
			}
		}
		names = kept
	}
	s := &search{tree: tree, expr: expr, args: args}
	within, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	s.run(within, r.prefilter(within, c.folder, tree, expr, names))
	if ctx.Err() != nil {
		return res, ctx.Err()
	}
	res.Text, res.Summary = s.text.String(), s.summary()
	if res.Text == "" {
		res.Text = "No matches. Only text files are searched, and files ignored by Git are skipped unless path is an ignored file or folder.\n"
	}
	switch {
	case within.Err() != nil:
		res.Text += fmt.Sprintf("[Search stopped after %v; there may be more matches. Narrow path or glob.]\n", searchTime)
	case s.full:
		res.Text += "[More matches not shown. Narrow pattern, path or glob, or raise limit.]\n"
	case args.OutputMode == modeCount && s.files > 0:
		res.Text += fmt.Sprintf("[%s in %s.]\n", backend.Count(s.matches, "1 line matches", "%d lines match"), backend.Count(s.files, "1 file", "%d files"))
	}
	if !all {
		res.Text += "[The folder has too many files to search them all. Set path to a folder in it.]\n"
	}
	return res, nil
}

// search searches several files and collects the output.
type search struct {
	tree *workspace.Tree
	expr *expression
	args grepArgs

	text    strings.Builder
	matches int  // matching lines shown or counted
	files   int  // files with matches
	full    bool // there are more matches than args.Limit or maxText allows
}

func (s *search) summary() backend.Message {
	fact := backend.Count(s.matches, "1 match", "%d matches")
	if s.args.OutputMode == modeFiles {
		fact = backend.Count(s.files, "1 file", "%d files")
	}
	if s.full {
		return backend.Say("more than %s", fact)
	}
	return fact
}

// run searches the files, several at the same time, until the limit is reached or ctx ends. It adds their
// matches in the order of the names.
func (s *search) run(ctx context.Context, names []string) {
	results := make(chan chan fileHits, 8) // in the order of names
	stop := make(chan struct{})
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(results)
		for _, name := range names {
			result := make(chan fileHits, 1)
			select {
			case results <- result:
			case <-stop:
				return
			case <-ctx.Done():
				return
			}
			go func() { result <- s.searchFile(ctx, name) }()
		}
	}()
	for result := range results {
		if s.add(<-result); s.full {
			break
		}
	}
	close(stop)
	for result := range results {
		<-result // so that no goroutine remains
	}
	<-done
}

// fileHits is the result for one file.
type fileHits struct {
	name  string
	lines []string // all lines, if they are to be shown
	hits  []int    // indexes of the matching lines
}

// add adds the result for a file to the output. If the matches exceed the limits, it sets full.
func (s *search) add(f fileHits) {
	if len(f.hits) == 0 {
		return
	}
	if s.args.OutputMode != modeContent && s.files == s.args.Limit || s.args.OutputMode == modeContent && s.matches == s.args.Limit {
		s.full = true
		return
	}
	var text string
	shown := len(f.hits)
	switch s.args.OutputMode {
	case modeFiles:
		text = f.name + "\n"
	case modeCount:
		text = fmt.Sprintf("%s: %d\n", f.name, len(f.hits))
	default:
		text, shown = f.show(s.args.Limit-s.matches, maxText-s.text.Len(), s.args.Context)
	}
	if shown == 0 || s.text.Len()+len(text) > maxText {
		s.full = true
		return
	}
	s.text.WriteString(text)
	s.files++
	s.matches += shown
	s.full = shown < len(f.hits)
}

// show returns the file's name and its first matching lines, at most limit. The parameter around is the number of
// lines of context before and after each match. Matches that would make the text longer than room bytes are omitted.
// The result shown is the number of matching lines that are included.
func (f fileHits) show(limit, room, around int) (text string, shown int) {
	var out strings.Builder
	out.WriteString(f.name + "\n")
	next := 0 // first line not shown yet
	for i, hit := range f.hits {
		var part strings.Builder
		from, to := max(next, hit-around), min(len(f.lines), hit+around+1)
		if i+1 < len(f.hits) {
			to = max(hit+1, min(to, f.hits[i+1])) // the next match starts there
		}
		if next > 0 && from > next && around > 0 {
			part.WriteString("  --\n")
		}
		for n := from; n < to; n++ {
			mark := "-"
			if n == hit {
				mark = ":"
			}
			fmt.Fprintf(&part, "  %d%s %s\n", n+1, mark, shortLine(f.lines[n]))
		}
		if i == limit || out.Len()+part.Len() > room {
			break
		}
		out.WriteString(part.String())
		next, shown = to, i+1
	}
	return out.String(), shown
}

// searchFile returns the matching lines of a file. It returns none for files that are
// unreadable, binary or too large.
func (s *search) searchFile(ctx context.Context, name string) fileHits {
	body, ok := s.load(name)
	if !ok {
		return fileHits{}
	}
	// Without carriage returns, a match in a line is also a match in the text. This rules out most files
	// without splitting them into lines.
	if bytes.IndexByte(body, '\r') < 0 && !s.expr.inAny(ctx, body) {
		return fileHits{}
	}
	all := strings.Split(strings.TrimSuffix(string(body), "\n"), "\n")
	f := fileHits{name: name}
	for i, line := range all {
		all[i] = strings.TrimSuffix(line, "\r")
		if s.expr.in(ctx, all[i]) {
			f.hits = append(f.hits, i)
		}
	}
	if ctx.Err() != nil {
		return fileHits{} // incomplete search
	}
	if s.args.OutputMode == modeContent && len(f.hits) > 0 {
		f.lines = all
	}
	return f
}

// load returns the text of a file without its byte order mark. It returns false if the
// file is unreadable, binary or too large.
func (s *search) load(name string) ([]byte, bool) {
	f, info, err := s.tree.Open(name)
	if err != nil {
		return nil, false
	}
	defer func() { _ = f.Close() }()
	if info.Size() > maxSearched {
		return nil, false
	}
	head := make([]byte, min(sniffBytes, info.Size()+1))
	n, err := io.ReadFull(f, head)
	if n == 0 || !isText(head[:n], err == nil) {
		return nil, false
	}
	rest, err := io.ReadAll(io.LimitReader(f, maxSearched))
	if err != nil {
		return nil, false
	}
	body := append(head[:n:n], rest...)
	if !isText(body, false) {
		return nil, false
	}
	return bytes.TrimPrefix(body, []byte("\xEF\xBB\xBF")), true
}

// prefilter uses ripgrep to find the files that may have matches, and returns their names. If ripgrep isn't installed
// or there are fewer than minFiltered files, prefilter returns all of the given names. The search then has the same
// result, but takes longer.
func (r *Registry) prefilter(ctx context.Context, folder string, tree *workspace.Tree, expr *expression, names []string) []string {
	rg := r.program(folder, "rg")
	if rg == "" || len(names) < minFiltered {
		return names
	}
	fixed := []string{"--no-config", "--no-ignore", "--hidden", "--text", "--files-with-matches", "--null", "--regexp=" + expr.rust, "--"}
	env := r.environment()
	matched := map[string]bool{}
	for at := 0; at < len(names); {
		args, size := append([]string(nil), fixed...), 0
		begin := at
		for ; at < len(names) && size < maxArguments(); at++ {
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
		if err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) { // 1 means no matches
			r.cfg.Log.Debug("couldn't run ripgrep", "err", err)
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

// minFiltered is the minimum number of files for which starting ripgrep is worthwhile.
const minFiltered = 16

// maxArguments returns the maximum total size in bytes of the file names on a command line.
func maxArguments() int {
	if runtime.GOOS == "windows" {
		return 20 << 10
	}
	return 100 << 10
}
