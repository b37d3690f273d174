// Package docs generates the package and data flow diagrams of docs/how-it-works.md
// from the code, so that they can't become outdated.
//
//	go test ./build/docs          fails if the page is outdated or an import is invalid
//	go test ./build/docs -update  regenerates the page
//
// Each diagram is written between two markers, <!-- drawn: NAME --> and <!-- end -->. An
// import is invalid if the imported package is in a higher layer.
//
// A test also checks that each release in CHANGELOG.md is short.
package docs

import (
	"bytes"
	"flag"
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/voxpilot/voxpilot/backend"
)

const module = "github.com/voxpilot/voxpilot"

const page = "docs/how-it-works.md"

var update = flag.Bool("update", false, "regenerate the page")

// TestChangelog_IsShort checks that the changes of a release take at most 60 lines, so that users read them.
func TestChangelog_IsShort(t *testing.T) {
	text, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	releases := strings.Split(string(text), "\n## ")[1:]
	if len(releases) == 0 {
		t.Error("no release found")
	}
	for _, release := range releases {
		if n := strings.Count(release, "\n"); n > 60 {
			name, _, _ := strings.Cut(release, "\n")
			t.Errorf("%s has %d lines", name, n)
		}
	}
}

func TestPage_HasTheDrawings(t *testing.T) {
	t.Chdir("../..")
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := draw(text)
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(page, drawn, 0o644); err != nil {
			t.Fatal(err)
		}
	} else if diff := cmp.Diff(string(text), string(drawn)); diff != "" {
		t.Errorf("%s is not what the code says, run make docs (-got +want):\n%s", page, diff)
	}
}

// draw returns the page with regenerated diagrams.
func draw(text []byte) ([]byte, error) {
	shipped, beside, err := read()
	if err != nil {
		return nil, err
	}
	packages, err := shipped.drawPackages(beside)
	if err != nil {
		return nil, err
	}
	way, err := shipped.drawWay()
	if err != nil {
		return nil, err
	}
	if text, err = replaceMarked(text, "way", way); err == nil {
		text, err = replaceMarked(text, "packages", packages)
	}
	return text, err
}

// replaceMarked replaces the text between the markers of the named diagram with the given drawing. It fails if the page
// lacks the markers.
func replaceMarked(page []byte, name, drawing string) ([]byte, error) {
	begin, end := "<!-- drawn: "+name+" -->\n", "<!-- end -->"
	head, rest, ok1 := strings.Cut(string(page), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("there is no place for %s", begin)
	}
	return []byte(head + begin + "```\n" + drawing + "```\n" + end + tail), nil
}

// pkg holds the properties of a package that the diagrams need.
type pkg struct {
	what    string // the first sentence of the package comment, without the name
	imports map[string]bool
	makes   bool // emits events
	routes  int  // number of /data/… routes
}

// code maps folders to packages. The root folder is called "main".
type code map[string]*pkg

// read parses the Go files for all operating systems. It returns the packages of the program (shipped)
// and all other packages (beside).
func read() (shipped, beside code, err error) {
	beside, shipped = code{}, code{}
	err = filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		name := entry.Name()
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (len(name) > 1 && name[0] == '.' || name == "node_modules" || name == "testdata" || path == "frontend"):
			return fs.SkipDir
		case entry.IsDir() || filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		return beside.add(path)
	})
	var ship func(name string)
	ship = func(name string) {
		if p := beside[name]; p != nil {
			shipped[name] = p
			delete(beside, name)
			for imported := range p.imports {
				ship(imported)
			}
		}
	}
	ship("main")
	return shipped, beside, err
}

var (
	// named matches the package or program name at the start of a package comment.
	named = regexp.MustCompile(`^(Package \w+|Command \w+|The program \w+|[A-Z]\w+) `)
	event = regexp.MustCompile(`\bbackend\.Event\{+\w+:`)
	route = regexp.MustCompile(`"GET /data/`)
)

// maxWhat is the maximum length in bytes of a sentence that describes a package; a
// longer one is cut at its colon.
const maxWhat = 140

func (c code) add(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return err
	}
	dir := filepath.ToSlash(filepath.Dir(path))
	if dir == "." {
		dir = "main"
	}
	if c[dir] == nil {
		c[dir] = &pkg{imports: map[string]bool{}}
	}
	p := c[dir]
	if file.Doc != nil {
		p.what = named.ReplaceAllString(new(doc.Package).Synopsis(file.Doc.Text()), "")
		if len(p.what) > maxWhat {
			p.what, _, _ = strings.Cut(p.what, ": ")
		}
		p.what = strings.TrimRight(p.what, ".:")
	}
	for _, spec := range file.Imports {
		path, _ := strconv.Unquote(spec.Path.Value) // already parsed
		if own, ok := strings.CutPrefix(path, module+"/"); ok {
			p.imports[own] = true
		}
	}
	p.makes = p.makes || event.Match(text)
	p.routes += len(route.FindAll(text, -1))
	return nil
}

// drawPackages draws each layer with its packages, followed by the packages outside the program. Within a layer, a
// package comes before those it imports. Imports of backend are omitted, since all packages import it.
func (c code) drawPackages(beside code) (string, error) {
	var b strings.Builder
	floors := make([][]string, len(layers))
	for _, name := range slices.Sorted(maps.Keys(c)) {
		i := layerOf(name)
		if i < 0 {
			return "", fmt.Errorf("package %s is in no layer (build/docs/layers_test.go)", name)
		}
		floors[i] = append(floors[i], name)
	}
	for i, floor := range floors {
		if len(floor) > 0 {
			fmt.Fprintf(&b, "%s\n", layers[i].name)
		}
		for _, name := range c.sorted(floor) {
			fmt.Fprintf(&b, "  %-26s %s\n", name, c[name].what)
			var to []string
			for _, imported := range slices.Sorted(maps.Keys(c[name].imports)) {
				if layerOf(imported) < i {
					return "", fmt.Errorf("%s imports %s, which is in a layer above it (build/docs/layers_test.go)", name, imported)
				}
				if imported != "backend" {
					to = append(to, strings.TrimPrefix(imported, "backend/"))
				}
			}
			if len(to) > 0 {
				fmt.Fprintf(&b, "  %-26s ↓ %s\n", "", strings.Join(to, ", "))
			}
		}
		if len(floor) > 0 {
			b.WriteString("\n")
		}
	}
	b.WriteString("Not shipped: build, test and benchmark packages\n")
	for _, name := range slices.Sorted(maps.Keys(beside)) {
		fmt.Fprintf(&b, "  %-26s %s\n", name, beside[name].what)
	}
	return b.String(), nil
}

// sorted returns the named packages in an order in which each one comes before those that it imports.
func (c code) sorted(names []string) (sorted []string) {
	for len(names) > 0 {
		at := slices.IndexFunc(names, func(name string) bool {
			return !slices.ContainsFunc(names, func(other string) bool { return c[other].imports[name] })
		})
		sorted, names = append(sorted, names[at]), slices.Delete(names, at, at+1)
	}
	return sorted
}

// drawWay draws the path of calls down through the layers and the path of events back up. It fails if
// the files of the frontend don't import each other along that path.
func (c code) drawWay() (string, error) {
	for _, step := range [][2]string{{"components", "state/"}, {"state", "bridge"}, {"bridge.ts", "calls"}, {"bridge.ts", "state/types"}} {
		if ok, err := pageImports("frontend/src/"+step[0], step[1]); err != nil || !ok {
			return "", fmt.Errorf("frontend/src/%s does not import %s (%w)", step[0], step[1], err)
		}
	}
	calls, err := os.ReadFile("frontend/src/calls.ts")
	if err != nil {
		return "", err
	}
	below, data, makers := "the packages of backend/", "", []string{}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		p, short := c[name], strings.TrimPrefix(name, "backend/")
		if layers[layerOf(name)].packages[0] == "backend/engine" {
			below = name
		}
		if p.makes && short != "store" && short != "eventbus" {
			makers = append(makers, short)
		}
		if p.routes > 0 {
			data += fmt.Sprintf("GET /data/…: %d routes in %s", p.routes, name)
		}
	}
	kept := map[backend.Lifetime]int{}
	for _, k := range backend.Kinds {
		kept[k.Lifetime]++
	}
	return fmt.Sprintf(`A call goes down                      An event comes up

  frontend/src/components               frontend/src/components
    ↓                                     ↑
  frontend/src/state                    frontend/src/state
    ↓                                     ↑ batches of events, in order
  frontend/src/bridge.ts                frontend/src/bridge.ts
    ↓ %-36s↑
  App                                   backend/eventbus → backend/store
    ↓                                     ↑ %d kinds of events: %d stored, %d retained in memory, %d neither
  %-37s %s

Data too large for a batch is read with %s.
`, fmt.Sprintf("%d methods", bytes.Count(calls, []byte("): Promise<"))), len(backend.Kinds), kept[backend.Stored], kept[backend.Retained], kept[backend.Transient],
		below, strings.Join(makers, ", "), data), nil
}

// pageImports reports whether any frontend file at a path (from) imports a file whose path starts with a given text
// (to). The path is that of a single file or of a folder.
func pageImports(from, to string) (found bool, err error) {
	imports := regexp.MustCompile(` from "(\./|(\.\./)+)` + to)
	err = filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || found {
			return err
		}
		text, err := os.ReadFile(path)
		found = imports.Match(text)
		return err
	})
	return found, err
}
