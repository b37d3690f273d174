// Package language checks VoxPilot's messages, comments and names for phrases that
// aren't plain English. Each rule bans a pattern and suggests a better phrase.
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

// rule bans the text that its pattern matches.
type rule struct {
	pattern string
	instead string
}

// sourceText is a piece of text in a source file.
type sourceText struct {
	file string
	line int
	text string
}

// sentenceRules apply to the text that VoxPilot shows to users.
var sentenceRules = []rule{
	{`\b([Cc]ould|[Dd]id|[Dd]oes|[Dd]o|[Ii]s|[Aa]re|[Ww]as|[Ww]ere|[Hh]as|[Hh]ave|[Ww]ould) not\b|\b[Cc]annot\b`, "a contraction: couldn't, can't, isn't"},
	{`^(A|An|No|The|This|Your) [^.]* couldn't be \w+ed\.?$`, "Couldn't + verb + object"},
	{`\bany ?more\b`, "no longer"},
	{`(?i)\b(nobody|somebody|whoever|anybody)\b`, "the actor: you, the agent, another program"},
	{`\b[Ww]ho (asks|answers|calls|reads|writes|waits)\b`, "the actor"},
	{`\b([Ww]hat|[Ww]hich) answers\b`, "the model or agent"},
	{`\bgo(es)? on\b`, "continue"},
	{`\b(begin|begins|began|begun)\b`, "start"},
	{`\bat work\b`, "running"},
	{`\bby itself\b`, "automatically, on its own"},
	{`\bfor good\b`, "permanently"},
	{`\b(anew|afresh)\b`, "again"},
	{`\basks? for a pause\b`, "is rate-limiting requests"},
	{`\bwhere there (is|are) no`, "if there is no"},
	{`\b(is|are|was|were) told\b`, "receives, is notified"},
	{`\bwhat (came|comes) of\b`, "result"},
	{`\bof (ours|its own|their own)\b`, "a possessive"},
	{`\bin the place of\b`, "instead of"},
	{`(?i)\bthrow away\b`, "Discard"},
	{`(?i)\btakes? (it |them )?out of\b`, "Remove from"},
	{`(?i)\blets? go of\b`, "discard"},
	{`\b(is|are) not there\b|\bisn't there\b`, "doesn't exist"},
	{`\b(did not|didn't|does not|doesn't) work\b`, "name what failed"},
	{`\bis gone\b`, "no longer exists, has exited"},
	{`\bis well\b|\ball is well\b`, "is healthy"},
	{`\pL’\pL`, "a straight apostrophe"},
	{`(?i)\b(colou[r]|behaviou[r]|cancel[l]ed|favourit[e]|licenc[e]|organis|recognis|analys)`, "US spelling"},
}

// commentRules hold for comments of Go and TypeScript.
var commentRules = []rule{
	{`^\w+ (is|are) (what|where|how|who|why|whether|when)\b`, "a noun, or a verb for a function"},
	{`\b(says|say|tells|tell|knows|know) (whether|what|why|how|which|where)\b`, "reports whether, returns, describes"},
	{`\bwhere there (is|are|was) (none|no|nothing)\b`, "if there is none"},
	{`\bwhat (came|comes|becomes) of\b`, "result, outcome"},
	{`\bany ?more\b`, "no longer"},
	{`\b([mM]u|[mM]utex|[lL]ock) is held\b`, "The caller must hold x.mu."},
	{`(?i)\b(nobody|somebody|anybody)\b`, "the actor: caller, user, client, process"},
	{`\bwho (asks|answers|calls|reads|writes|waits)\b`, "the actor"},
	{`\b(is|are|was|were) told\b`, "receives, is notified"},
	{`\bgo(es)? on\b`, "continues"},
	{`\b(begun|anew|afresh)\b`, "started, again"},
	{`\bat work\b`, "running, busy"},
	{`\bby itself\b`, "automatically, on its own"},
	{`\bfor good\b`, "permanently"},
	{`\bof ours\b`, "a possessive"},
	{`\bin the place of\b`, "instead of, replaces"},
	{`\blets? go of\b`, "discards, releases"},
	{`\belsewhere\b`, "external, in another …"},
}

// bannedNames are participles and vague words that no declaration outside of a function
// may use for its name.
var bannedNames = []string{
	"again", "asked", "asking", "away", "awake", "begins", "begun", "blind", "box", "came", "comes", "desk", "does", "doing",
	"elsewhere", "enroll", "finding", "given", "gives", "glimpse", "goes", "gone", "happening", "happens", "heard", "hears",
	"held", "hush", "kept", "left", "lets", "living", "looking", "looks", "misfit", "nobody", "occasion", "office", "past",
	"place", "reach", "renounce", "said", "saw", "says", "sees", "shown", "somebody", "spot", "strike", "taken", "takes",
	"tame", "tells", "told", "unasked", "waits", "wanted", "wants", "world",
}

// nameExceptions are declared names that bannedNames contains, with the reason for each exception.
var nameExceptions = map[string]string{
	"Looking": "a bound method of the app",
	"Shown":   "a JSON field",
	"Place":   "a JSON field",
}

// designTexts are texts of the page that a rule bans and that the specification of the
// product prescribes.
var designTexts = []string{
	"The previous ${who} session could not be restored. A new session has been started. Your conversation history in VoxPilot is intact.",
}

// commentExceptions are parts of comments that a rule bans.
var commentExceptions = []string{
	"nobody returns an event", // a helper
	"as the user nobody",      // the Unix user
}

func TestSentences(t *testing.T) {
	t.Chdir("../..")
	check(t, sentenceRules, slices.Concat(goSentences(t), pageSentences(t)), func(p sourceText) string {
		if i := slices.Index(designTexts, p.text); i >= 0 {
			return designTexts[i]
		}
		return ""
	}, designTexts)
}

func TestComments(t *testing.T) {
	t.Chdir("../..")
	check(t, commentRules, slices.Concat(goComments(t), pageComments(t)), func(p sourceText) string {
		for _, part := range commentExceptions {
			if strings.Contains(p.text, part) {
				return part
			}
		}
		return ""
	}, commentExceptions)
}

func TestNames(t *testing.T) {
	t.Chdir("../..")
	used := map[string]bool{}
	for _, p := range goNames(t) {
		switch {
		case !slices.Contains(bannedNames, strings.ToLower(p.text)):
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

// check reports the places that match a rule, except those for which exempt returns one
// of the exceptions, and the exceptions that aren't needed.
func check(t *testing.T, rules []rule, places []sourceText, exempt func(sourceText) string, exceptions []string) {
	t.Helper()
	if len(places) < 500 {
		t.Fatalf("only %d texts found", len(places))
	}
	used := map[string]bool{}
	for _, r := range rules {
		pattern := regexp.MustCompile(r.pattern)
		for _, p := range places {
			at := pattern.FindString(p.text)
			if at == "" {
				continue
			}
			if e := exempt(p); e != "" {
				used[e] = true
				continue
			}
			t.Errorf("%s:%d: %q: use %s: %s", p.file, p.line, at, r.instead, p.text)
		}
	}
	for _, e := range exceptions {
		if !used[e] {
			t.Errorf("no text needs the exception %q", e)
		}
	}
}

// goSentences returns the sentences of Go: a test of backend/i18n checks that each is a
// key of the catalogs.
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
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !slices.Contains([]string{".ts", ".tsx", ".mjs"}, filepath.Ext(file)) {
				return err
			}
			for i, line := range lines(t, file) {
				if isComment(line) {
					found = append(found, sourceText{file, i + 1, strings.TrimSpace(strings.TrimLeft(strings.TrimSpace(line), "/* "))})
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return found
}

func isComment(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "//") || strings.HasPrefix(line, "/*") || strings.HasPrefix(line, "* ")
}

// goNames returns the names that Go code declares outside of functions: of types, their
// fields and methods, functions, variables and constants.
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

// goFiles calls visit for each handwritten Go file, in order.
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
