package language

import (
	"cmp"
	"go/ast"
	"go/token"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// drawVar is the name of the environment variable with the seed of a draw.
const drawVar = "VOXPILOT_DRAW"

// The numbers of UI texts and doc comments in a draw.
const (
	drawnSentences = 100
	drawnComments  = 40
)

// TestDraw_SameForASeed checks that two draws of UI texts and doc comments with the same seed are equal. With -v, it
// prints the draw for the seed in drawVar, so that a reader can mark the texts that don't sound natural.
func TestDraw_SameForASeed(t *testing.T) {
	t.Chdir("../..")
	seed, err := strconv.ParseUint(cmp.Or(os.Getenv(drawVar), "1"), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	sentences, comments := slices.Concat(pageSentences(t), goSentences(t)), docComments(t)
	drawn := draw(sentences, comments, seed)
	if len(drawn) != drawnSentences+drawnComments {
		t.Fatalf("got %d entries", len(drawn))
	}
	texts := map[string]bool{}
	for i, p := range drawn {
		if texts[p.text] || words(p.text) < 3 {
			t.Errorf("%s:%d: drawn twice, or too short: %q", p.file, p.line, p.text)
		}
		texts[p.text] = true
		t.Logf("%d. %s:%d: %s", i+1, p.file, p.line, p.text)
	}
	if !slices.Equal(drawn, draw(sentences, comments, seed)) {
		t.Errorf("another draw for the same seed %d", seed)
	}
	if slices.Equal(drawn, draw(sentences, comments, seed+1)) {
		t.Errorf("the same draw for the seeds %d and %d", seed, seed+1)
	}
}

// draw returns randomly chosen sentences, followed by randomly chosen comments. It skips texts with fewer than three
// words and returns no text twice.
func draw(sentences, comments []sourceText, seed uint64) (drawn []sourceText) {
	random, seen := rand.New(rand.NewPCG(seed, 0)), map[string]bool{} //nolint:gosec // a draw that can be repeated
	for _, part := range []struct {
		all []sourceText
		n   int
	}{{sentences, drawnSentences}, {comments, drawnComments}} {
		last := len(drawn) + part.n
		for _, i := range random.Perm(len(part.all)) {
			if p := part.all[i]; len(drawn) < last && !seen[p.text] && words(p.text) >= 3 {
				seen[p.text], drawn = true, append(drawn, p)
			}
		}
	}
	return drawn
}

// words returns the number of words of two or more letters in text.
func words(text string) int { return len(regexp.MustCompile(`[A-Za-z]{2,}`).FindAllString(text, -1)) }

// docComments returns the comments on declarations in Go code and in the page's sources.
func docComments(t *testing.T) (found []sourceText) {
	t.Helper()
	goFiles(t, func(file string, set *token.FileSet, parsed *ast.File) {
		add := func(docs ...*ast.CommentGroup) {
			for _, doc := range docs {
				if doc != nil {
					found = append(found, sourceText{file, set.Position(doc.Pos()).Line, strings.Join(strings.Fields(doc.Text()), " ")})
				}
			}
		}
		add(parsed.Doc)
		for _, d := range parsed.Decls {
			ast.Inspect(d, func(n ast.Node) bool {
				switch n := n.(type) {
				case *ast.BlockStmt:
					return false
				case *ast.FuncDecl:
					add(n.Doc)
				case *ast.GenDecl:
					if n.Tok != token.IMPORT { // import "C" has C code as its comment
						add(n.Doc)
					}
				case *ast.TypeSpec:
					add(n.Doc)
				case *ast.ValueSpec:
					add(n.Doc)
				case *ast.Field:
					add(n.Doc)
				}
				return true
			})
		}
	})
	declaration := regexp.MustCompile(`^\s*(export|function|const|type|interface|class|async)\b`)
	pageFiles(t, "frontend/src", func(file string) {
		all := lines(t, file)
		if strings.Contains(file, ".test.") || strings.Contains(all[0], "generated") {
			return
		}
		var text []string
		for i, line := range all {
			line = strings.TrimSpace(line)
			if isComment(line) || line == "*" || line == "*/" {
				text = append(text, strings.Trim(line, "/* "))
				continue
			}
			if len(text) > 0 && declaration.MatchString(line) {
				found = append(found, sourceText{file, i + 1 - len(text), strings.Join(strings.Fields(strings.Join(text, " ")), " ")})
			}
			text = nil
		}
	})
	return found
}
