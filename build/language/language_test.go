// Package language checks VoxPilot's messages, comments and names for phrases that
// aren't plain English. Each rule bans a pattern and suggests a better phrase.
package language

import (
	"go/ast"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestSentences(t *testing.T) {
	t.Chdir("../..")
	texts := slices.Concat(goSentences(t), pageSentences(t), docSentences(t), modelSentences(t))
	check(t, sentenceRules, texts, sentenceExceptions)
}

func TestComments(t *testing.T) {
	t.Chdir("../..")
	check(t, commentRules, slices.Concat(goComments(t), pageComments(t)), commentExceptions)
}

// TestComments_StartWithName checks that a comment on a function, type, variable or constant in Go starts with its name.
func TestComments_StartWithName(t *testing.T) {
	t.Chdir("../..")
	n := 0
	goFiles(t, func(file string, set *token.FileSet, parsed *ast.File) {
		for _, d := range parsed.Decls {
			names, doc := documented(d)
			words := strings.FieldsFunc(doc.Text(), func(r rune) bool { return unicode.IsSpace(r) || r == ',' })
			if len(names) == 0 || len(words) == 0 {
				continue
			}
			n++
			if len(words) > 1 && slices.Contains([]string{"A", "An", "The"}, words[0]) { // as in "A Reader is"
				words = words[1:]
			}
			if !slices.Contains(names, words[0]) {
				t.Errorf("%s:%d: the comment on %s starts with %q", file, set.Position(doc.Pos()).Line, names[0], words[0])
			}
		}
	})
	if n < 5000 {
		t.Errorf("only %d comments found", n)
	}
}

// documented returns the names in a declaration, and its comment. It returns no names for a group in parentheses, whose
// comment may describe the group.
func documented(d ast.Decl) (names []string, doc *ast.CommentGroup) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		return []string{d.Name.Name}, d.Doc
	case *ast.GenDecl:
		if d.Lparen.IsValid() {
			return nil, nil
		}
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				names = append(names, spec.Name.Name)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names = append(names, name.Name)
				}
			}
		}
		return names, d.Doc
	}
	return nil, nil
}

func TestNames(t *testing.T) {
	t.Chdir("../..")
	page, used := pageNames(t), map[string]bool{}
	if len(page) < 1000 {
		t.Fatalf("only %d names found in the page", len(page))
	}
	for _, p := range slices.Concat(goNames(t), page) {
		switch {
		case !isVague(p.text):
		case nameExceptions[p.text] != "":
			used[p.text] = true
		default:
			t.Errorf("%s:%d: the name %s is vague: use a noun for a value, a verb for a function", p.file, p.line, p.text)
		}
	}
	for name := range nameExceptions {
		if !used[name] {
			t.Errorf("no declaration needs the exception %s", name)
		}
	}
}

// isVague reports whether a name is banned or contains a banned part. Names of tests may contain banned parts.
func isVague(name string) bool {
	if slices.Contains(bannedNames, strings.ToLower(name)) {
		return true
	}
	return !strings.HasPrefix(name, "Test") && slices.ContainsFunc(nameParts.FindAllString(name, -1), func(part string) bool {
		return slices.Contains(bannedParts, strings.ToLower(part))
	})
}

// check fails the test for each text that matches a rule, unless the text contains an exception. It also fails for each
// exception that isn't needed. An exception of a single word applies only if it is the whole text.
func check(t *testing.T, rules []rule, places []sourceText, exceptions map[string]string) {
	t.Helper()
	if len(places) < 500 {
		t.Fatalf("only %d texts found", len(places))
	}
	used := map[string]bool{}
	for _, r := range rules {
		pattern := regexp.MustCompile(r.pattern)
	next:
		for _, p := range places {
			at := pattern.FindString(p.text)
			if at == "" {
				continue
			}
			for e := range exceptions {
				if p.text == e || strings.Contains(e, " ") && strings.Contains(p.text, e) {
					used[e] = true
					continue next
				}
			}
			t.Errorf("%s:%d: %q: use %s: %s", p.file, p.line, at, r.instead, p.text)
		}
	}
	for e := range exceptions {
		if !used[e] {
			t.Errorf("no text needs the exception %q", e)
		}
	}
}
