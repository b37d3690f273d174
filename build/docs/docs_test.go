// Package docs draws the packages and the way of the data into
// docs/how-it-works.md, from the code, so that the drawings cannot be wrong.
//
//	go test ./build/docs          fails if the page or an import is not so
//	go test ./build/docs -update  draws the page again
//
// It writes between pairs of markers, <!-- drawn: NAME --> and <!-- end -->, and
// fails if an import leads up from one layer to another.
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

var update = flag.Bool("update", false, "draw the page again")

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

// draw returns the page with new drawings.
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
	if text, err = put(text, "way", way); err == nil {
		text, err = put(text, "packages", packages)
	}
	return text, err
}

// put replaces what stands between the markers of a drawing.
func put(page []byte, name, drawing string) ([]byte, error) {
	begin, end := "<!-- drawn: "+name+" -->\n", "<!-- end -->"
	head, rest, ok1 := strings.Cut(string(page), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("there is no place for %s", begin)
	}
	return []byte(head + begin + "```\n" + drawing + "```\n" + end + tail), nil
}

// A pkg is what a drawing needs of a package.
type pkg struct {
	what    string // the first sentence of its comment, without its name
	imports map[string]bool
	makes   bool // events
	routes  int  // of /data/… that it answers
}

// code is packages by folder; "main" is the root.
type code map[string]*pkg

// read parses the files of all systems. The program is made of what shipped has;
// beside are all other packages.
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
	// named is the name of a package or program at the beginning of its comment.
	named = regexp.MustCompile(`^(Package \w+|Command \w+|The program \w+|[A-Z]\w+) `)
	event = regexp.MustCompile(`\bbackend\.Event\{+\w+:`)
	route = regexp.MustCompile(`"GET /data/`)
)

// maxWhat is how long a sentence is drawn whole, in bytes; of a longer one what
// stands before its colon.
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
		path, _ := strconv.Unquote(spec.Path.Value) // it has been parsed
		if own, ok := strings.CutPrefix(path, module+"/"); ok {
			p.imports[own] = true
		}
	}
	p.makes = p.makes || event.Match(text)
	p.routes += len(route.FindAll(text, -1))
	return nil
}

// drawPackages draws each layer with its packages, those that import others of the
// layer first, and then those beside the program. All import the words, so that
// these arrows are left out.
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
	b.WriteString("Beside the program: what builds, tests and measures it\n")
	for _, name := range slices.Sorted(maps.Keys(beside)) {
		fmt.Fprintf(&b, "  %-26s %s\n", name, beside[name].what)
	}
	return b.String(), nil
}

// sorted puts packages before those that they import.
func (c code) sorted(names []string) (sorted []string) {
	for len(names) > 0 {
		at := slices.IndexFunc(names, func(name string) bool {
			return !slices.ContainsFunc(names, func(other string) bool { return c[other].imports[name] })
		})
		sorted, names = append(sorted, names[at]), slices.Delete(names, at, at+1)
	}
	return sorted
}

// drawWay draws how calls go down and facts come up. It fails where the page's
// files do not import each other that way.
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
		if p.makes && short != "store" && short != "feed" {
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
	return fmt.Sprintf(`A call goes down                      A fact comes up

  frontend/src/components               frontend/src/components
    ↓                                     ↑
  frontend/src/state                    frontend/src/state
    ↓                                     ↑ batches of events, in order
  frontend/src/bridge.ts                frontend/src/bridge.ts
    ↓ %-3d methods                         ↑
  App                                   backend/eventbus → backend/store
    ↓                                     ↑ %d kinds of events: %d stored, %d retained in memory, %d neither
  %-37s %s

The page reads what is too large for a batch by %s.
`, bytes.Count(calls, []byte("): Promise<")), len(backend.Kinds), kept[backend.Stored], kept[backend.Retained], kept[backend.Transient],
		below, strings.Join(makers, ", "), data), nil
}

// pageImports reports whether a file, or one below a folder, imports a path that
// begins so.
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
