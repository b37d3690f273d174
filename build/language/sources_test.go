package language

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// sourceText is a piece of text in a source file.
type sourceText struct {
	file string
	line int
	text string
}

// goSentences returns the UI texts of the Go code. They are the keys of the translation catalogs; a test of
// backend/i18n checks that the catalogs are complete.
func goSentences(t *testing.T) (found []sourceText) {
	t.Helper()
	const file = "backend/i18n/de.json"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var catalog map[string]string
	if err := json.Unmarshal(text, &catalog); err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(string(text), "\n") {
		quoted := regexp.MustCompile(`^\s*("(?:[^"\\]|\\.)*")`).FindStringSubmatch(line)
		if quoted == nil {
			continue
		}
		var key string
		if err := json.Unmarshal([]byte(quoted[1]), &key); err != nil {
			t.Fatal(err)
		}
		found = append(found, sourceText{file, i + 1, key})
	}
	return found
}

// pageSentences returns the English texts of the page.
func pageSentences(t *testing.T) (found []sourceText) {
	t.Helper()
	literal := regexp.MustCompile("\"(?:[^\"\\\\\n]|\\\\.)*\"|`(?:[^`\\\\]|\\\\.)*`")
	files, err := filepath.Glob("frontend/src/i18n/*.ts")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.Contains(file, ".test.") {
			continue
		}
		for i, line := range lines(t, file) {
			if isComment(line) || strings.HasPrefix(line, "import") {
				continue
			}
			for _, text := range literal.FindAllString(line, -1) {
				found = append(found, sourceText{file, i + 1, strings.Trim(text, "\"`")})
			}
		}
	}
	return found
}

// docSentences returns the sentences of the docs and of the Markdown files that models read, without code and link
// targets.
func docSentences(t *testing.T) (found []sourceText) {
	t.Helper()
	hidden := regexp.MustCompile("(?s)```.*?```|`[^`]*`|<!--.*?-->|<[^>]*>|\\]\\([^)]*\\)")
	end := regexp.MustCompile(`[.!?:] |\n\s*\n|\n\s*(- |\d+\. |\||#)|\*\*| \| `)
	for _, pattern := range []string{"*.md", "docs/*.md", "backend/*/*.md", "backend/practice/*/*.md"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("%s: %d files: %v", pattern, len(files), err)
		}
		for _, file := range files {
			text := hidden.ReplaceAllStringFunc(strings.Join(lines(t, file), "\n"), func(code string) string {
				return "…" + strings.Repeat("\n", strings.Count(code, "\n"))
			})
			if head, table, ok := strings.Cut(text, "| Design | Window |"); ok { // words of the design, which aren't the window's
				text = head + regexp.MustCompile(`(?m)^\| [^|]* \|`).ReplaceAllString(table, "|")
			}
			line := 1
			for len(text) > 0 {
				at := end.FindStringIndex(text)
				if at == nil {
					at = []int{len(text), len(text)}
				}
				if sentence := strings.Join(strings.Fields(text[:at[0]]), " "); sentence != "" {
					found = append(found, sourceText{file, line, sentence})
				}
				line += strings.Count(text[:at[1]], "\n")
				text = text[at[1]:]
			}
		}
	}
	return found
}

// modelSentences returns the string literals in the Go code of the packages that write to models: descriptions,
// results and recaps.
func modelSentences(t *testing.T) (found []sourceText) {
	t.Helper()
	goFiles(t, func(file string, set *token.FileSet, parsed *ast.File) {
		if !regexp.MustCompile(`^backend/(assistant|mcp|practice|tools)/`).MatchString(filepath.ToSlash(file)) || strings.HasSuffix(file, "_test.go") {
			return
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if literal, ok := n.(*ast.BasicLit); ok && literal.Kind == token.STRING {
				found = append(found, sourceText{file, set.Position(literal.Pos()).Line, strings.Trim(literal.Value, "\"`")})
			}
			return true
		})
	})
	return found
}

// goComments returns the comments in the Go files, one sourceText per comment block.
func goComments(t *testing.T) (found []sourceText) {
	t.Helper()
	goFiles(t, func(file string, set *token.FileSet, parsed *ast.File) {
		for _, group := range parsed.Comments {
			text := strings.Join(strings.Fields(group.Text()), " ")
			found = append(found, sourceText{file, set.Position(group.Pos()).Line, text})
		}
	})
	return found
}

// pageComments returns the comments in the page's sources, one sourceText per line.
func pageComments(t *testing.T) (found []sourceText) {
	t.Helper()
	for _, root := range []string{"frontend/src", "frontend/e2e"} {
		pageFiles(t, root, func(file string) {
			for i, line := range lines(t, file) {
				if isComment(line) {
					found = append(found, sourceText{file, i + 1, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "/* "))})
				}
			}
		})
	}
	return found
}

// pageFiles calls visit for each TypeScript and JavaScript file below root, in lexical order.
func pageFiles(t *testing.T, root string, visit func(file string)) {
	t.Helper()
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains([]string{".ts", ".tsx", ".mjs"}, filepath.Ext(file)) {
			visit(file)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "* ")
}

// goNames returns the names that Go code declares outside of functions: those of types, fields, methods, functions,
// variables and constants.
func goNames(t *testing.T) (found []sourceText) {
	t.Helper()
	goFiles(t, func(file string, set *token.FileSet, parsed *ast.File) {
		add := func(names ...*ast.Ident) {
			for _, name := range names {
				found = append(found, sourceText{file, set.Position(name.Pos()).Line, name.Name})
			}
		}
		for _, d := range parsed.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				add(d.Name)
			case *ast.GenDecl:
				ast.Inspect(d, func(n ast.Node) bool {
					switch n := n.(type) {
					case *ast.FuncLit, *ast.FuncType:
						return false
					case *ast.TypeSpec:
						add(n.Name)
					case *ast.ValueSpec:
						add(n.Names...)
					case *ast.Field:
						add(n.Names...)
					}
					return true
				})
			}
		}
	})
	return found
}

// pageNames returns the names that the page's sources, except tests, declare at the top level.
func pageNames(t *testing.T) (found []sourceText) {
	t.Helper()
	declaration := regexp.MustCompile(`^(?:export )?(?:default )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+|[\[{][^\]}]*)`)
	pageFiles(t, "frontend/src", func(file string) {
		if strings.Contains(file, ".test.") || strings.Contains(file, "testing.") {
			return
		}
		for i, line := range lines(t, file) {
			match := declaration.FindStringSubmatch(line)
			if match == nil {
				continue
			}
			for name := range strings.SplitSeq(strings.Trim(match[1], "[{ "), ",") { // several names, as in: const [open, setOpen] = …
				_, alias, renames := strings.Cut(name, ":")
				if renames {
					name = alias
				}
				found = append(found, sourceText{file, i + 1, strings.TrimSpace(name)})
			}
		}
	})
	return found
}

// goFiles calls visit for each handwritten Go file, in lexical order.
func goFiles(t *testing.T, visit func(file string, set *token.FileSet, parsed *ast.File)) {
	t.Helper()
	err := filepath.WalkDir(".", func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "node_modules" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(file) != ".go":
			return nil
		}
		set := token.NewFileSet()
		parsed, err := parser.ParseFile(set, file, nil, parser.ParseComments|parser.SkipObjectResolution)
		if err == nil && !ast.IsGenerated(parsed) {
			visit(file, set, parsed)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func lines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(string(text), "\n")
}
