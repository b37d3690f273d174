package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/voxpilot/voxpilot"

// owners lists the packages that may import each external module, so that every
// dependency has one owner, which wraps it for the other packages and can replace it.
// "main" is the root. A path covers all packages below it.
var owners = map[string][]string{
	"fyne.io/systray":                        {"backend/platform/tray"},
	"github.com/Masterminds/semver/v3":       {"backend/copilot", "backend/update"},
	"github.com/Microsoft/go-winio":          {"internal/localsocket"},
	"github.com/adrg/xdg":                    {"backend/environment"},
	"github.com/bmatcuk/doublestar/v4":       {"backend/tools"},
	"github.com/charmbracelet/x/xpty":        {"backend/agentauth"},
	"github.com/cli/oauth":                   {"backend/auth"},
	"github.com/coder/acp-go-sdk":            {"backend/acp", "backend/agent", "backend/agent/args", "backend/agent/session", "bench"},
	"github.com/coder/websocket":             {"bench"},
	"github.com/glebarez/sqlite":             {"backend/otherprograms", "backend/store", "backend/store/prepared"},
	"github.com/godbus/dbus/v5":              {"backend/platform/hotkey", "backend/platform/notify", "backend/platform/power", "backend/platform/tray", "internal/keychain", "internal/notifytest", "internal/sessionbus", "internal/traytest"},
	"github.com/gofrs/flock":                 {"backend/platform/instance", "backend/store"},
	"github.com/google/go-cmp":               {anyone},
	"github.com/jezek/xgb":                   {"backend/platform/hotkey", "bench", "internal/x11test"},
	"github.com/junegunn/fzf":                {"backend/workspace"},
	"github.com/landlock-lsm/go-landlock":    {"backend/sandbox/inside"},
	"github.com/modelcontextprotocol/go-sdk": {"backend/mcp"},
	"github.com/pressly/goose/v3":            {"backend/store"},
	"github.com/tidwall/gjson":               {anyone},
	"github.com/wailsapp/wails/v2":           {"main", "backend/desktop", "backend/quick", "bench/empty"},
	"github.com/yuin/goldmark":               {"backend/export"},
	"github.com/zalando/go-keyring":          {"internal/keychain", "internal/keychain/keychaintest"},
	"go.uber.org/goleak":                     {anyone},
	"golang.org/x/image":                     {"backend/workspace"},
	"golang.org/x/net":                       {"backend/environment", "backend/llm", "backend/question", "backend/sandbox/proxy", "internal/hostname"},
	"golang.org/x/sys":                       {anyone},
	"golang.org/x/text":                      {"backend/assistant", "backend/question", "backend/store/terms"},
	"gopkg.in/natefinch/lumberjack.v2":       {"backend/logfile"},
	"gorm.io/gorm":                           {"backend/store", "backend/store/column"},
	"modernc.org/libc":                       {"backend/store", "backend/store/prepared"},
	"modernc.org/sqlite":                     {"backend/store", "backend/store/prepared"},
	"mvdan.cc/sh/v3":                         {"backend/cmdline", "backend/danger"},
}

// anyone, as an entry of owners, marks a module that any package may import, because none of the module's types
// appears in an exported API.
const anyone = "*"

// arrows lists the packages of this module that a package may import in addition to backend, which every package may
// import. The packages in programs, and all tests, may import every package.
var arrows = map[string][]string{
	"backend/acp":                  {"internal/excerpt", "internal/jsontext"},
	"backend/agent":                {"backend/acp", "backend/agent/sandboxed", "backend/agent/lines", "backend/agent/replay", "backend/agent/session", "backend/agent/signin", "backend/guard", "backend/question", "internal/excerpt", "internal/process"},
	"backend/agent/args":           {"backend/acp", "backend/terminal"},
	"backend/agent/sandboxed":      {"backend/guard"},
	"backend/agent/replay":         {"backend/acp"},
	"backend/agent/request":        {"backend/cmdline", "backend/danger", "backend/diff", "backend/terminal", "backend/workspace", "internal/excerpt", "internal/process", "internal/realpath"},
	"backend/agent/result":         {"internal/excerpt"},
	"backend/agent/session":        {"backend/acp", "backend/agent/args", "backend/agent/sandboxed", "backend/agent/lines", "backend/agent/option", "backend/agent/replay", "backend/agent/request", "backend/agent/result", "backend/diff", "backend/guard", "backend/question", "backend/terminal", "backend/workspace", "internal/excerpt", "internal/process", "internal/realpath"},
	"backend/agent/signin":         {"internal/excerpt"},
	"backend/agentauth":            {"backend/agent", "backend/agent/signin", "internal/process"},
	"backend/assistant":            {"backend/llm", "internal/excerpt"},
	"backend/auth":                 {"internal/keychain"},
	"backend/blame":                {"backend/diff", "backend/snapshot", "backend/store", "backend/undo", "backend/workspace"},
	"backend/branch":               {"backend/copilot/sessionfiles", "backend/store", "backend/undo"},
	"backend/changes":              {"backend/diff", "internal/excerpt", "internal/realpath"},
	"backend/cmdline":              {"backend/workspace"},
	"backend/commandline":          {"backend/agent", "backend/auth", "backend/blame", "backend/copilot", "backend/data", "backend/desktop", "backend/doctor", "backend/engine", "backend/environment", "backend/logfile", "backend/overview", "backend/platform/instance", "backend/store", "backend/workspace", "internal/keychain", "internal/realpath"},
	"backend/commitmessage":        {"backend/agent", "backend/copilot/sessionfiles", "backend/llm", "backend/repository", "internal/excerpt"},
	"backend/copilot":              {"backend/copilot/sessionfiles", "internal/excerpt", "internal/process"},
	"backend/copilot/sessionfiles": {"internal/excerpt", "internal/jsontext", "internal/process"},
	"backend/data":                 {"backend/blame", "backend/changes", "backend/doctor", "backend/engine", "backend/environment", "backend/logfile", "backend/review", "backend/sessionindex", "backend/store", "backend/trust", "backend/undo", "backend/workspace", "internal/keychain"},
	"backend/desktop":              {"backend/changes", "backend/engine", "backend/i18n", "backend/logfile", "backend/overview", "backend/platform/autostart", "backend/platform/hotkey", "backend/platform/instance", "backend/platform/notify", "backend/platform/power", "backend/platform/tray", "backend/quick", "backend/store", "backend/update", "backend/webview", "internal/atomicfile"},
	"backend/engine":               {"backend/agent", "backend/agentauth", "backend/agent/replay", "backend/agent/sandboxed", "backend/agent/session", "backend/agent/signin", "backend/assistant", "backend/auth", "backend/blame", "backend/branch", "backend/commitmessage", "backend/copilot", "backend/copilot/sessionfiles", "backend/environment", "backend/eventbus", "backend/export", "backend/guard", "backend/guard/program", "backend/limit", "backend/llm", "backend/logfile", "backend/mcp", "backend/otherprograms", "backend/overview", "backend/permission", "backend/practice", "backend/question", "backend/repository", "backend/rescue", "backend/review", "backend/review/comment", "backend/review/suggest", "backend/sandbox/runs", "backend/sessionimport", "backend/sessionindex", "backend/sessionsearch", "backend/sessionuse", "backend/setup", "backend/store", "backend/tools", "backend/trust", "backend/typed", "backend/undo", "backend/update", "backend/wholeagent", "backend/workspace", "internal/atomicfile", "internal/keychain", "internal/process", "internal/realpath"},
	"backend/environment":          {"internal/process"},
	"backend/export":               {"backend/i18n"},
	"backend/guard":                {"internal/localsocket"},
	"backend/guard/program":        {},
	"backend/llm":                  {"internal/jsontext"},
	"backend/mcp":                  {"backend/tools"},
	"backend/permission":           {"backend/cmdline", "internal/hostname"},
	"backend/question":             {"internal/hostname"},
	"backend/platform/hotkey":      {"internal/sessionbus"},
	"backend/platform/instance":    {"internal/localsocket"},
	"backend/platform/notify":      {"backend/i18n", "internal/sessionbus"},
	"backend/platform/tray":        {"backend/i18n", "internal/sessionbus"},
	"backend/quick":                {"backend/engine", "backend/overview", "backend/webview", "internal/atomicfile", "internal/process"},
	"backend/repository":           {"backend/diff", "backend/repository/hookconfig", "backend/workspace", "internal/excerpt", "internal/process"},
	"backend/rescue":               {"backend/agent", "backend/copilot/sessionfiles", "backend/store"},
	"backend/review":               {"backend/diff", "backend/snapshot", "backend/store", "backend/undo", "backend/workspace"},
	"backend/screens":              {"backend/engine"},
	"backend/sandbox/proxy":        {"internal/hostname"},
	"backend/review/comment":       {"backend/snapshot", "backend/store", "backend/undo", "backend/workspace", "internal/excerpt"},
	"backend/review/suggest":       {"backend/review", "backend/review/comment", "internal/excerpt"},
	"backend/sandbox/runs":         {"backend/sandbox", "backend/sandbox/proxy", "backend/sandbox/sites", "backend/trust", "internal/hostname", "internal/process"},
	"backend/sandbox/sites":        {"internal/hostname", "internal/process"},
	"backend/sandbox":              {"backend/sandbox/inside", "backend/workspace"},
	"backend/sandbox/first":        {"backend/sandbox/inside"},
	"backend/sessionindex":         {"backend/copilot/sessionfiles", "internal/atomicfile", "internal/excerpt"},
	"backend/sessionsearch":        {"backend/copilot/sessionfiles", "backend/store", "internal/excerpt"},
	"backend/sessionimport":        {"backend/agent/request", "backend/agent/result", "backend/copilot/sessionfiles", "backend/diff", "backend/store", "internal/atomicfile", "internal/excerpt"},
	"backend/sessionuse":           {"backend/copilot/sessionfiles", "internal/atomicfile", "internal/process"},
	"backend/otherprograms":        {"backend/diff", "internal/atomicfile", "internal/excerpt"},
	"backend/setup":                {"backend/llm", "backend/platform/hotkey", "backend/platform/notify", "backend/workspace", "internal/hostname", "internal/keychain"},
	"backend/snapshot":             {"backend/diff", "backend/workspace", "internal/atomicfile"},
	"backend/store":                {"backend/store/branches", "backend/store/column", "backend/store/prepared", "backend/store/terms"},
	"backend/store/column":         {"backend/i18n"},
	"backend/terminal":             {"internal/excerpt", "internal/process"},
	"backend/tools":                {"backend/question", "backend/workspace", "internal/excerpt", "internal/realpath"},
	"backend/trust":                {"backend/diff", "backend/workspace", "internal/excerpt"},
	"backend/typed":                {},
	"backend/undo":                 {"backend/danger", "backend/diff", "backend/guard", "backend/snapshot", "backend/store", "backend/workspace", "internal/atomicfile", "internal/excerpt"},
	"backend/wholeagent":           {"backend/agent", "backend/sandbox/runs", "backend/trust"},
	"backend/workspace":            {"internal/realpath"},
	"bench/sandbox":                {"backend/guard/program", "backend/sandbox/runs", "backend/trust"},
	"bench/changes":                {"backend/snapshot"},
	"bench/recorded":               {"backend/snapshot", "backend/trust"},
	"bench/consumption":            {},
	"bench/sessions":               {"backend/copilot/sessionfiles", "backend/sessionindex"},
	"bench/imported":               {"backend/eventbus", "backend/sessionimport", "backend/store"},
	"internal/apptest":             {"backend/copilot", "backend/data", "backend/engine", "backend/environment", "backend/guard", "backend/practice", "backend/update", "backend/workspace", "internal/fakeagent", "internal/process"},
	"internal/copilottest":         {"internal/need"},
	"internal/hostile":             {"backend/trust"},
	"internal/notifytest":          {"internal/sessionbus"},
	"internal/process":             {"backend/workspace", "internal/excerpt"},
	"internal/traytest":            {"internal/need"},
}

// programs are the main packages. No other package imports them.
var programs = []string{"main", "backend/guard/hook", "bench", "bench/empty", "build/feed", "build/licenses", "build/package/sbom", "build/tsgen", "internal/fakegithub/cmd", "internal/longchat", "internal/notifytest/cmd", "internal/traytest/cmd", "internal/x11test"}

// source holds the properties of a Go file that the tests in this file check.
type source struct {
	pkg     string // its folder, slash-separated; "main" is the root
	file    string
	imports []string
	doc     bool // has a package comment
	lines   int
}

func TestImports_OwnersAndDirection(t *testing.T) {
	sources := parseSources(t)
	for _, broken := range check(sources) {
		t.Error(broken)
	}
	for _, unused := range unusedRules(sources) {
		t.Error(unused)
	}
}

func TestPackages_HavePackageComment(t *testing.T) {
	for _, pkg := range undocumented(parseSources(t)) {
		t.Errorf("package %s has no package comment: begin one of its files with what the package is for", pkg)
	}
}

// TestRoot_HasTwoFiles checks that the root has only app.go, the API of the window with one line per method, and
// main.go, the entry point.
func TestRoot_HasTwoFiles(t *testing.T) {
	var files []string
	for _, s := range parseSources(t) {
		if s.pkg == "main" && !strings.HasSuffix(s.file, "_test.go") {
			files = append(files, s.file)
		}
	}
	if want := []string{"app.go", "main.go"}; !slices.Equal(files, want) {
		t.Errorf("got %v, want %v", files, want)
	}
	file, err := parser.ParseFile(token.NewFileSet(), "app.go", nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, decl := range file.Decls {
		if d, is := decl.(*ast.GenDecl); is && d.Tok != token.IMPORT && d.Tok != token.TYPE {
			t.Error("app.go has more than the methods that the window can call")
		}
		f, is := decl.(*ast.FuncDecl)
		if is && (f.Recv == nil || !f.Name.IsExported() || f.Doc == nil || len(f.Body.List) != 1) {
			t.Errorf("%s is no method of one line with a comment", f.Name)
		}
	}
}

func TestImports_DetectBrokenRule(t *testing.T) {
	for name, s := range map[string]source{
		"a dependency of another's": {pkg: "backend/eventbus", imports: []string{"gorm.io/gorm/clause"}},
		"an unknown dependency":     {pkg: "backend/eventbus", imports: []string{"example.org/new"}},
		"an arrow back":             {pkg: "backend/store", imports: []string{module + "/backend/agent"}},
		"a word that is not plain":  {pkg: "backend", imports: []string{module + "/backend/store"}},
		"main as a library":         {pkg: "backend/store", imports: []string{module}},
	} {
		s.file = s.pkg + "/x.go"
		if len(check([]source{s})) != 1 {
			t.Errorf("%s is not found", name)
		}
	}
	if len(undocumented([]source{{pkg: "backend/x", file: "backend/x/x.go"}})) != 1 {
		t.Error("a package without a comment is not found")
	}
}

// check returns a sentence for every import that the tables owners and arrows don't allow.
func check(sources []source) []string {
	var broken []string
	for _, s := range sources {
		for _, path := range s.imports {
			own, inModule := strings.CutPrefix(path, module)
			switch {
			case inModule && (own == "" || own[0] == '/'):
				if strings.HasSuffix(s.file, "_test.go") || slices.Contains(programs, s.pkg) {
					continue
				}
				own = strings.TrimPrefix(own, "/")
				if own == "backend" && s.pkg != "backend" || own != "" && slices.Contains(arrows[s.pkg], own) {
					continue
				}
				broken = append(broken, fmt.Sprintf("%s imports %q: no arrow leads there (imports_test.go)", s.file, path))
			case strings.Contains(strings.SplitN(path, "/", 2)[0], "."):
				who := owners[ruleFor(path)]
				if slices.Contains(who, anyone) || slices.Contains(who, s.pkg) {
					continue
				}
				broken = append(broken, fmt.Sprintf("%s imports %q, which belongs to %v (imports_test.go)", s.file, path, who))
			}
		}
	}
	return broken
}

// ruleFor returns the entry of owners that applies to an import path.
func ruleFor(path string) string {
	for rule := range owners {
		if path == rule || strings.HasPrefix(path, rule+"/") {
			return rule
		}
	}
	return ""
}

// unusedRules returns a sentence for every table entry that no import needs, so that
// the tables stay current.
func unusedRules(sources []source) []string {
	used := map[string]bool{}
	for _, s := range sources {
		for _, path := range s.imports {
			if rule := ruleFor(path); rule != "" {
				used[rule+" in "+s.pkg], used[rule+" in "+anyone] = true, true
			}
			if !strings.HasSuffix(s.file, "_test.go") {
				used[s.pkg+" to "+strings.TrimPrefix(path, module+"/")] = true
			}
		}
	}
	var unused []string
	for _, rule := range slices.Sorted(maps.Keys(owners)) {
		for _, pkg := range owners[rule] {
			if !used[rule+" in "+pkg] {
				unused = append(unused, fmt.Sprintf("%s does not import %s any more: take it out of owners", pkg, rule))
			}
		}
	}
	for _, from := range slices.Sorted(maps.Keys(arrows)) {
		for _, to := range arrows[from] {
			if !used[from+" to "+to] {
				unused = append(unused, fmt.Sprintf("%s does not import %s any more: take it out of arrows", from, to))
			}
		}
	}
	return unused
}

// undocumented returns the packages without a package comment.
func undocumented(sources []source) []string {
	documented := map[string]bool{}
	for _, s := range sources {
		if !strings.HasSuffix(s.file, "_test.go") {
			documented[s.pkg] = documented[s.pkg] || s.doc
		}
	}
	var pkgs []string
	for _, pkg := range slices.Sorted(maps.Keys(documented)) {
		if !documented[pkg] {
			pkgs = append(pkgs, pkg)
		}
	}
	return pkgs
}

// parseSources parses the package clause and the imports of the module's Go files, including files for other systems
// and build tags. It skips the folder frontend and all folders named node_modules or testdata or with a leading dot.
func parseSources(t *testing.T) []source {
	t.Helper()
	var sources []source
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() {
			name := entry.Name()
			if name != "." && (strings.HasPrefix(name, ".") || name == "node_modules" || name == "testdata" || path == "frontend") {
				return fs.SkipDir
			}
			return nil
		}
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly|parser.ParseComments)
		if err != nil {
			return err
		}
		s := sourceOf(path, file)
		s.lines = bytes.Count(text, []byte("\n"))
		sources = append(sources, s)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return sources
}

func sourceOf(path string, file *ast.File) source {
	s := source{pkg: filepath.ToSlash(filepath.Dir(path)), file: filepath.ToSlash(path), doc: file.Doc != nil}
	if s.pkg == "." {
		s.pkg = "main"
	}
	for _, spec := range file.Imports {
		imported, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue // the compiler reports it
		}
		s.imports = append(s.imports, imported)
	}
	return s
}
