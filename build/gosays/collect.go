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
	"backend/cmdline",
	"backend/danger", "backend/export", "backend/platform/instance", "backend/mcp", "backend/platform/notify/words.go", "backend/practice", "backend/terminal",
	"backend/platform/tray",
	"backend/agent/session/services.go", "backend/agent/session/commands.go", "backend/agent/result",
	"backend/assistant/main_recap.go", "backend/assistant/main_talk.go", "backend/assistant/main_tools.go", "backend/assistant/main_with.go",
	"backend/assistant/recap.go", "backend/assistant/title_words.go",
	"backend/workspace/name.go", "backend/workspace/read.go", "backend/workspace/write.go",
	"backend/commandline/ask.go", "backend/commandline/commandline.go", "backend/commandline/hand_over.go", "backend/desktop/strings.go", "backend/quick/window.go",
}

// labels are the files whose strings are short lines that the window shows.
var labels = []string{"backend/assistant/doing.go"}

// told are the folders of which the window shows whole sentences alone, such as why a
// tool failed.
var told = []string{"backend/tools"}

// glued are the folders whose strings are put together to what the window shows.
var glued = []string{"backend/doctor"}

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
			case d.IsDir() && (d.Name() == "testdata" || folder == "." && path != "."):
				return fs.SkipDir
			case d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go"):
				return nil
			}
			return file(path, slices.ContainsFunc(others, func(o string) bool { return slash == o || strings.HasPrefix(slash, o+"/") }), said)
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

// file adds what a file says; of one that is not for the window, the facts of tools
// alone are.
func file(path string, isOther bool, said map[string]bool) error {
	source, err := os.ReadFile(path) //nolint:gosec // one of our own
	if err != nil {
		return err
	}
	parsed, err := parser.ParseFile(token.NewFileSet(), path, source, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	facts(parsed, said)
	if isOther {
		return nil
	}
	says := func(s string) bool { return isSentence(s) || isFragment(s) }
	slash := filepath.ToSlash(path)
	switch {
	case slices.Contains(labels, slash):
		says = begins.MatchString
	case slices.ContainsFunc(told, func(t string) bool { return strings.HasPrefix(slash, t+"/") }):
		says = isSentence
	case slices.ContainsFunc(glued, func(g string) bool { return strings.HasPrefix(slash, g+"/") }):
		says = func(s string) bool { return isSentence(s) || isPiece(s) }
	}
	sentences(parsed, says, said)
	return nil
}

// sentences adds those below a node.
func sentences(below ast.Node, says func(string) bool, said map[string]bool) {
	ast.Inspect(below, func(n ast.Node) bool {
		e, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		if call, ok := e.(*ast.CallExpr); ok && isLogged(call) {
			return false
		}
		if within := compared(e); within != nil {
			for _, part := range within {
				sentences(part, isSentence, said)
			}
			return false
		}
		text, ok := template(e)
		if !ok {
			return true
		}
		if text = strings.TrimSpace(text); says(text) && !slices.Contains(unsaid, text) {
			said[text] = true
		}
		for _, part := range varying(e) { // it may say something by itself
			sentences(part, says, said)
		}
		return false
	})
}

// facts adds what tools say of what came out: all that becomes a Fact, that a func
// of that name answers, and that is counted.
func facts(below ast.Node, said map[string]bool) {
	says := func(s string) bool { return word.MatchString(placeholder.ReplaceAllString(s, "")) }
	ast.Inspect(below, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && f.Name == "count" && len(n.Args) == 3 {
				one, isOne := template(n.Args[1])
				if many, isMany := template(n.Args[2]); isOne && isMany {
					said["1 "+one], said["{n} "+many] = true, true
				}
				return false
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && key.Name == "Fact" {
				phrases(n.Value, says, said)
			}
		case *ast.AssignStmt:
			for i, to := range n.Lhs {
				if f, ok := to.(*ast.SelectorExpr); ok && f.Sel.Name == "Fact" {
					phrases(n.Rhs[min(i, len(n.Rhs)-1)], says, said)
				}
			}
		case *ast.FuncDecl:
			if n.Name.Name == "fact" || n.Name.Name == "Summary" || n.Name.Name == "factOf" {
				ast.Inspect(n, func(n ast.Node) bool {
					if r, ok := n.(*ast.ReturnStmt); ok && len(r.Results) > 0 {
						phrases(r.Results[0], says, said)
					}
					return true
				})
			}
		}
		return true
	})
}

// phrases adds what an expression says as a whole, not what the calls in it are given.
func phrases(e ast.Expr, says func(string) bool, said map[string]bool) {
	if text, ok := template(e); ok && says(text) {
		said[strings.TrimSpace(text)] = true
	}
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

// compared are the parts of an expression whose strings are compared, looked for or
// handed to a program: words of another one, of which none but a whole sentence is
// ours. nil where e is none.
func compared(e ast.Expr) []ast.Expr {
	switch e := e.(type) {
	case *ast.CallExpr:
		f, ok := e.Fun.(*ast.SelectorExpr)
		if !ok {
			return nil
		}
		of, _ := f.X.(*ast.Ident)
		if f.Sel.Name == "names" || of != nil && slices.Contains([]string{"bytes", "exec", "filepath", "os", "regexp", "slices", "strings"}, of.Name) {
			return e.Args
		}
	case *ast.CompositeLit:
		if list, ok := e.Type.(*ast.ArrayType); ok {
			if of, ok := list.Elt.(*ast.Ident); ok && of.Name == "string" {
				return e.Elts
			}
		}
	}
	return nil
}

// template is a string, with {0}, {1}, … for what varies; false where e is not put
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
	ends        = regexp.MustCompile(`(?:[.?…:]["”)]? \{\d+\}|[.?…]["”)]?)$`)
	undone      = regexp.MustCompile(`^(?:A|GitHub|The|This|VoxPilot|Your)\b.* (?:could not be|was not|were not|cannot be) \pL+$`)
	query       = regexp.MustCompile(`^(?:DELETE|FROM|INSERT|SELECT|UPDATE|VACUUM|WITH) `)
)

func isSentence(s string) bool {
	plain := placeholder.ReplaceAllString(s, "")
	return len(word.FindAllString(plain, 2)) == 2 && begins.MatchString(s) && !query.MatchString(s) && (ends.MatchString(s) || undone.MatchString(s))
}

// What tells a part of a sentence from other strings: two words of small letters
// beside each other.
var (
	beside  = regexp.MustCompile(`^\p{Lu}\p{Ll}+ \p{Ll}+ \{\d+\}$|(?:^|[ ("])\p{Ll}+[,;:]? (?:\{\d+\} )?\p{Ll}{2,}`)
	foreign = regexp.MustCompile(`^[<\[\\]|^\{\D|\n|=|^--|^sudo |:$|^[;&|]|\p{Ll}_\p{Ll}|^\p{Ll}+ (?:is|are) to be `)
)

func isFragment(s string) bool {
	return beside.MatchString(s) && !query.MatchString(s) && !foreign.MatchString(s)
}

// isPiece is a part of what is put together: all with a space and a word, but names.
func isPiece(s string) bool {
	return strings.Contains(s, " ") && piece.MatchString(s)
}

var piece = regexp.MustCompile(`^[^\p{Lu}].*\p{Ll}{2,}|\{\d+\}.*\p{Ll}{2,}`)
