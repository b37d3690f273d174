package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// others are the folders and files whose sentences are for agents, models, terminals
// or logs, or are shown outside of the window in words of their own.
var others = []string{
	"backend/export", "backend/instance", "backend/mcp", "backend/notify/words.go", "backend/practice", "backend/terminal",
	"backend/tools", "backend/tray",
	"backend/agent/client.go", "backend/agent/commands.go",
	"backend/assistant/main_recap.go", "backend/assistant/main_talk.go", "backend/assistant/main_tools.go", "backend/assistant/main_with.go",
	"backend/assistant/recap.go",
	"backend/workspace/name.go", "backend/workspace/read.go", "backend/workspace/write.go",
	"app_ask.go", "app_instance.go", "app_quit.go", "cli.go", "link.go",
}

// labels are the files whose strings are short lines that the window shows.
var labels = []string{"backend/assistant/doing.go"}

// collect is every sentence of the Go files below the folders, in order and each
// once. "." stands for its own files alone.
func collect(folders []string) ([]string, error) {
	said := map[string]bool{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			slash := filepath.ToSlash(path)
			switch {
			case slices.Contains(others, slash), d.IsDir() && d.Name() == "testdata":
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			case d.IsDir() && folder == "." && path != ".":
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return sentences(path, said)
		})
		if err != nil {
			return nil, err
		}
	}
	list := make([]string, 0, len(said))
	for s := range said {
		list = append(list, s)
	}
	slices.Sort(list)
	return list, nil
}

// sentences adds those of a file.
func sentences(path string, said map[string]bool) error {
	source, err := os.ReadFile(path) //nolint:gosec // one of our own
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	says := isSentence
	if slices.Contains(labels, filepath.ToSlash(path)) {
		says = func(s string) bool { return begins.MatchString(s) }
	}
	ast.Inspect(file, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if call, ok := e.(*ast.CallExpr); ok && isLogged(call) {
			return false
		}
		text, ok := template(e)
		if !ok {
			return true
		}
		if text = strings.TrimSpace(text); says(text) {
			said[text] = true
		}
		// What varies in it may say something by itself.
		for _, part := range varying(e) {
			ast.Inspect(part, func(n ast.Node) bool {
				if e, ok := n.(ast.Expr); ok {
					if text, ok := template(e); ok && says(strings.TrimSpace(text)) {
						said[strings.TrimSpace(text)] = true
						return false
					}
				}
				return true
			})
		}
		return false
	})
	return nil
}

// isLogged says whether what a call is given goes to the log or ends the program.
func isLogged(call *ast.CallExpr) bool {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name == "panic"
	case *ast.SelectorExpr:
		return slices.Contains([]string{"Debug", "Info", "Warn", "Error"}, f.Sel.Name) && len(call.Args) > 0
	}
	return false
}

// template is a string, with {n} for what varies; false where e is not put
// together of strings.
func template(e ast.Expr) (string, bool) {
	var b strings.Builder
	n := 0
	if !write(&b, e, &n) {
		return "", false
	}
	return b.String(), true
}

// verb is one of a format that stands for something.
var verb = regexp.MustCompile(`%(?:\.\d+)?[sdqvwfx]|%%`)

func write(b *strings.Builder, e ast.Expr, n *int) bool {
	vary := func() {
		fmt.Fprintf(b, "{%d}", *n)
		*n++
	}
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return false
		}
		s, err := strconv.Unquote(e.Value)
		format(b, s, n)
		return err == nil
	case *ast.ParenExpr:
		return write(b, e.X, n)
	case *ast.CallExpr:
		if !isFormat(e) {
			return false
		}
		lit, ok := e.Args[0].(*ast.BasicLit)
		if !ok {
			return false
		}
		return write(b, lit, n)
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return false
		}
		var left strings.Builder
		m := *n
		leftIs := write(&left, e.X, &m)
		var right strings.Builder
		if leftIs {
			b.WriteString(left.String())
			*n = m
		} else {
			vary()
		}
		m = *n
		if rightIs := write(&right, e.Y, &m); rightIs {
			b.WriteString(right.String())
			*n = m
			return true
		}
		vary()
		return leftIs
	}
	return false
}

// format writes a string, which may be the format of a function of our own.
func format(b *strings.Builder, s string, n *int) {
	at := 0
	for _, m := range verb.FindAllStringIndex(s, -1) {
		b.WriteString(s[at:m[0]])
		switch s[m[0]:m[1]] {
		case "%%":
			b.WriteString("%")
		case "%q":
			fmt.Fprintf(b, `"{%d}"`, *n)
			*n++
		default:
			fmt.Fprintf(b, "{%d}", *n)
			*n++
		}
		at = m[1]
	}
	b.WriteString(s[at:])
}

func isFormat(call *ast.CallExpr) bool {
	f, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || len(call.Args) == 0 {
		return false
	}
	x, ok := f.X.(*ast.Ident)
	return ok && x.Name == "fmt" && (f.Sel.Name == "Sprintf" || f.Sel.Name == "Errorf")
}

// varying are the parts of e that its template has no words of.
func varying(e ast.Expr) (parts []ast.Expr) {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return varying(e.X)
	case *ast.CallExpr:
		if isFormat(e) {
			return e.Args[1:]
		}
		return []ast.Expr{e}
	case *ast.BinaryExpr:
		if e.Op == token.ADD {
			return append(varying(e.X), varying(e.Y)...)
		}
		return []ast.Expr{e}
	case *ast.BasicLit:
		return nil
	}
	return []ast.Expr{e}
}

// What tells a sentence from other strings: where it begins and ends, and two
// words besides what varies. What says that something was not done may be the
// beginning of one.
var (
	placeholder = regexp.MustCompile(`\{\d+\}`)
	word        = regexp.MustCompile(`\pL{2,}`)
	begins      = regexp.MustCompile(`^(?:["“]?\p{Lu}|\{\d+\}[ ,:.{])`)
	ends        = regexp.MustCompile(`(?:[.?…]["”)]?|: \{\d+\})$`)
	undone      = regexp.MustCompile(`^(?:A|GitHub|The|This|VoxPilot|Your)\b.* (?:could not be|was not|were not|cannot be) \pL+$`)
	query       = regexp.MustCompile(`^(?:DELETE|FROM|INSERT|SELECT|UPDATE|VACUUM|WITH) `)
)

func isSentence(s string) bool {
	plain := placeholder.ReplaceAllString(s, "")
	return len(word.FindAllString(plain, 2)) == 2 && begins.MatchString(s) && !query.MatchString(s) && (ends.MatchString(s) || undone.MatchString(s))
}
