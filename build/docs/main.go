// Command docs draws the packages and the way of the data into a page, from the
// code, so that the drawings cannot be wrong.
//
// Usage, from the project's root:
//
//	go run ./build/docs docs/how-it-works.md
//
// It writes between pairs of markers, <!-- drawn: NAME --> and <!-- end -->, and
// fails if an import leads up from one layer to another.
package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"io/fs"
	"log"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

const module = "github.com/voxpilot/voxpilot"

func main() {
	log.SetFlags(0)
	if len(os.Args) != 2 {
		log.Fatal("usage: docs <page>")
	}
	if err := run(os.Args[1]); err != nil {
		log.Fatal("docs: ", err)
	}
}

func run(page string) error {
	c, beside, err := read(".")
	if err != nil {
		return err
	}
	packages, err := c.drawPackages(beside)
	if err != nil {
		return err
	}
	way, err := c.drawWay()
	if err != nil {
		return err
	}
	kinds, err := c.drawKinds()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	for name, drawing := range map[string]string{"packages": packages, "way": way, "kinds": kinds} {
		if text, err = put(text, name, drawing); err != nil {
			return fmt.Errorf("%s: %w", page, err)
		}
	}
	return os.WriteFile(page, text, 0o644)
}

// put replaces what stands between the markers of a drawing.
func put(page []byte, name, drawing string) ([]byte, error) {
	begin, end := "<!-- drawn: "+name+" -->\n", "<!-- end -->"
	head, rest, ok1 := strings.Cut(string(page), begin)
	_, tail, ok2 := strings.Cut(rest, end)
	if !ok1 || !ok2 {
		return nil, fmt.Errorf("there is no place for %s", begin)
	}
	return []byte(head + begin + drawing + end + tail), nil
}

// A pkg is what a drawing needs of a package.
type pkg struct {
	what    string // the first sentence of its comment, without its name
	imports map[string]bool
	makes   map[string]bool // names of kinds of events
	routes  int             // of /data/… that it answers
	calls   map[string]bool // methods that the window can call
}

// code is packages by folder; "main" is the root.
type code map[string]*pkg

// read parses the files of all systems below root. The program is made of what
// shipped has; beside are all other packages.
func read(root string) (shipped, beside code, err error) {
	all := code{}
	shipped = code{}
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
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
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		all.add(filepath.ToSlash(filepath.Dir(path)), file)
		return nil
	})
	var ship func(name string)
	ship = func(name string) {
		if p := all[name]; p != nil && shipped[name] == nil {
			shipped[name] = p
			delete(all, name)
			for imported := range p.imports {
				ship(imported)
			}
		}
	}
	ship("main")
	return shipped, all, err
}

// maxWhat is how long a sentence is drawn whole, in bytes; of a longer one what
// stands before its colon.
const maxWhat = 140

// named is the name of a package or program at the beginning of its comment.
var named = regexp.MustCompile(`^(Package \w+|Command \w+|The program \w+|[A-Z]\w+) `)

func (c code) add(dir string, file *ast.File) {
	if dir == "." {
		dir = "main"
	}
	p := c[dir]
	if p == nil {
		p = &pkg{imports: map[string]bool{}, makes: map[string]bool{}, calls: map[string]bool{}}
		c[dir] = p
	}
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
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if star, ok := receiver(n).(*ast.StarExpr); ok && isNamed(star.X, "App") && n.Name.IsExported() {
				p.calls[n.Name.Name] = true
			}
		case *ast.CompositeLit:
			if list, ok := n.Type.(*ast.ArrayType); ok && isEvent(list.Elt) {
				for _, element := range n.Elts {
					p.note(element)
				}
			} else if isEvent(n.Type) {
				p.note(n)
			}
		case *ast.BasicLit:
			if strings.HasPrefix(n.Value, `"GET /data/`) {
				p.routes++
			}
		}
		return true
	})
}

// note notes the kind of an event that is made.
func (p *pkg) note(event ast.Expr) {
	if made, ok := event.(*ast.CompositeLit); ok && len(made.Elts) == 1 {
		if field, ok := made.Elts[0].(*ast.KeyValueExpr); ok {
			p.makes[fmt.Sprint(field.Key)] = true
		}
	}
}

func isEvent(e ast.Expr) bool {
	of, ok := e.(*ast.SelectorExpr)
	return ok && of.Sel.Name == "Event" && isNamed(of.X, "backend")
}

func receiver(f *ast.FuncDecl) ast.Expr {
	if f.Recv == nil {
		return nil
	}
	return f.Recv.List[0].Type
}

func isNamed(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// drawPackages draws each layer with its packages, those that import others of the
// layer first, and then those beside the program. All import the words, so that
// these arrows are left out.
func (c code) drawPackages(beside code) (string, error) {
	var b strings.Builder
	b.WriteString("```\n")
	for i, l := range layers {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(c)) {
			if layerOf(name) < 0 {
				return "", fmt.Errorf("package %s is in no layer (build/docs/layers.go)", name)
			}
			if layerOf(name) == i {
				names = append(names, name)
			}
		}
		if len(names) == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n", l.name)
		for _, name := range c.sorted(names) {
			fmt.Fprintf(&b, "  %-26s %s\n", name, c[name].what)
			var to []string
			for _, imported := range slices.Sorted(maps.Keys(c[name].imports)) {
				if c[imported] == nil || imported == "backend" {
					continue
				}
				if layerOf(imported) < i {
					return "", fmt.Errorf("%s imports %s, which is in a layer above it (build/docs/layers.go)", name, imported)
				}
				to = append(to, strings.TrimPrefix(imported, "backend/"))
			}
			if len(to) > 0 {
				fmt.Fprintf(&b, "  %-26s ↓ %s\n", "", strings.Join(to, ", "))
			}
		}
		b.WriteString("\n")
	}
	b.WriteString("Beside the program: what builds, tests and measures it\n")
	for _, name := range slices.Sorted(maps.Keys(beside)) {
		fmt.Fprintf(&b, "  %-26s %s\n", name, beside[name].what)
	}
	return b.String() + "```\n", nil
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
	for _, step := range [][2]string{{"components", "state"}, {"state", "bridge"}, {"bridge.ts", "calls"}, {"bridge.ts", "state/types"}} {
		ok, err := pageImports("frontend/src/"+step[0], step[1])
		if err != nil || !ok {
			return "", fmt.Errorf("frontend/src/%s does not import %s (%w)", step[0], step[1], err)
		}
	}
	var makers, data []string
	calls, routes, count := 0, 0, map[backend.Lifetime]int{}
	for _, name := range slices.Sorted(maps.Keys(c)) {
		p := c[name]
		calls, routes = calls+len(p.calls), routes+p.routes
		if len(p.makes) > 0 && name != "backend/store" && name != "backend/feed" {
			makers = append(makers, strings.TrimPrefix(name, "backend/"))
		}
		if p.routes > 0 {
			data = append(data, name)
		}
	}
	for _, k := range backend.Kinds {
		count[k.Lifetime]++
	}
	below := "the packages of backend/"
	if c["backend/engine"] != nil {
		below = "backend/engine"
	}
	return fmt.Sprintf("```\n"+`A call goes down                        A fact comes up

  frontend/src/components                 frontend/src/components
    ↓                                       ↑
  frontend/src/state                      frontend/src/state
    ↓                                       ↑ batches of events, in order
  frontend/src/bridge.ts                  frontend/src/bridge.ts
    ↓ %-3d methods                           ↑
  App                                     backend/feed → backend/store
    ↓                                       ↑ %d kinds of events: %d stored, %d retained in memory, %d neither
  %-39s %s

The page reads what is too large for a batch from GET /data/…: %d routes in %s.
`+"```\n", calls, len(backend.Kinds), count[backend.Stored], count[backend.Retained], count[backend.Transient],
		below, strings.Join(makers, ", "), routes, strings.Join(data, ", ")), nil
}

// pageImports reports whether a file, or one below a folder, imports a path that
// begins so.
func pageImports(from, to string) (found bool, err error) {
	err = filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || found {
			return err
		}
		text, err := os.ReadFile(path)
		for _, dots := range []string{"./", "../", "../../"} {
			found = found || bytes.Contains(text, []byte(` from "`+dots+to))
		}
		return err
	})
	return found, err
}

// drawKinds draws what happens to events of each kind, and which packages make them.
func (c code) drawKinds() (string, error) {
	var b strings.Builder
	b.WriteString("| Event | About | Lifetime | Made by |\n| --- | --- | --- | --- |\n")
	for _, k := range backend.Kinds {
		var makers []string
		for _, name := range slices.Sorted(maps.Keys(c)) {
			if c[name].makes[k.Name] && name != "backend/store" {
				makers = append(makers, strings.TrimPrefix(name, "backend/"))
			}
		}
		if len(makers) == 0 {
			return "", fmt.Errorf("no package makes a backend.Event{%s: …}", k.Name)
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", k.Name, k.Subject, k.Lifetime, strings.Join(makers, ", "))
	}
	return b.String(), nil
}
