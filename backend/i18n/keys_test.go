package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// sayers maps the names of functions that create messages to the indexes of their key arguments.
var sayers = map[string][]int{"Say": {0}, "Problem": {0}, "Invalid": {0}, "Count": {1, 2}}

// allKeys returns all message keys in the code, each with its source position.
func allKeys(t *testing.T) map[string]string {
	t.Helper()
	folders := map[string][]*ast.File{}
	at := token.NewFileSet()
	for _, root := range []string{"../../app.go", "../../main.go", "..", "../../internal"} {
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
				return err
			}
			file, err := parser.ParseFile(at, path, nil, parser.SkipObjectResolution)
			folders[filepath.Dir(path)] = append(folders[filepath.Dir(path)], file)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	keys := map[string]string{}
	for folder, files := range folders {
		here := maps.Clone(sayers)
		for range 3 { // forwarders may call forwarders
			for _, file := range files {
				forwarders(file, here)
			}
		}
		if folder == ".." {
			here["join"] = []int{1}
		}
		if slices.Contains([]string{"../../internal/apptest", "../../internal/fakeagent", "."}, folder) {
			continue
		}
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				call, is := n.(*ast.CallExpr)
				if !is {
					return true
				}
				name := calleeName(call)
				if name == "Count" && len(call.Args) != 3 {
					return true // from package strings
				}
				for _, i := range here[name] {
					switch arg := call.Args[i].(type) {
					case *ast.BasicLit:
						key, err := strconv.Unquote(arg.Value)
						if err != nil {
							t.Fatal(err)
						}
						keys[key] = at.Position(arg.Pos()).String()
					case *ast.Ident:
						if arg.Name == "format" || arg.Name == "one" || arg.Name == "many" {
							continue // a parameter of a forwarder
						}
						t.Errorf("%s: the key of a message is not a literal", at.Position(arg.Pos()))
					default:
						t.Errorf("%s: the key of a message is not a literal", at.Position(arg.Pos()))
					}
				}
				return true
			})
		}
	}
	return keys
}

// calleeName returns the name of the called function.
func calleeName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// forwarders finds the functions in file that pass their format and arguments on to a function that creates messages.
// It adds them to the given map.
func forwarders(file *ast.File, here map[string][]int) {
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if n.Body != nil {
				forwarder(n.Name.Name, n.Type, n.Body, here)
			}
		case *ast.AssignStmt:
			name, is := n.Lhs[0].(*ast.Ident)
			if f, isFunc := n.Rhs[0].(*ast.FuncLit); is && isFunc {
				forwarder(name.Name, f.Type, f.Body, here)
			}
		}
		return true
	})
}

func forwarder(name string, of *ast.FuncType, body *ast.BlockStmt, here map[string][]int) {
	at, i := -1, 0
	for _, field := range of.Params.List {
		for _, param := range field.Names {
			if param.Name == "format" {
				at = i
			}
			i++
		}
	}
	if at < 0 {
		return
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if call, is := n.(*ast.CallExpr); is && call.Ellipsis.IsValid() {
			if here[calleeName(call)] != nil {
				here[name] = []int{at}
			}
		}
		return true
	})
}

var argPlaceholder = regexp.MustCompile(`\{\d+\}`)

var verbs = regexp.MustCompile(`%(?:\.\d+)?[a-zA-Z%]`)

// TestCatalogs_AreComplete checks that the catalogs have exactly the keys used in the
// code, and that each translation has a placeholder for each argument.
func TestCatalogs_AreComplete(t *testing.T) {
	keys := allKeys(t)
	if len(keys) < 500 {
		t.Fatalf("got %d keys: the sentences are not found any more", len(keys))
	}
	for _, language := range Languages {
		words := In(language).texts
		for key, where := range keys {
			if words[key] == "" {
				t.Errorf("%s: %s has no words for %q", where, language, key)
			}
		}
		for key, text := range words {
			if keys[key] == "" {
				t.Errorf("%s has words for %q, which is not said", language, key)
				continue
			}
			var want []string
			for _, v := range verbs.FindAllString(key, -1) {
				if v != "%%" {
					want = append(want, "{"+strconv.Itoa(len(want))+"}")
				}
			}
			got := slices.Compact(slices.Sorted(slices.Values(argPlaceholder.FindAllString(text, -1))))
			if !slices.Equal(got, want) {
				t.Errorf("%s says %q as %q: got the places %v, want %v", language, key, text, got, want)
			}
		}
	}
}
