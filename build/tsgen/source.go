package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/voxpilot/voxpilot/"

// pkg is the parsed source of a package.
type pkg struct {
	dir    string
	files  map[string]*ast.File // by path
	decls  []*decl
	unions map[string][]string // values of the constants of a named string type
	consts []*ast.ValueSpec    // untyped constants
}

// decl is an exported type.
type decl struct {
	pkg  *pkg
	file *ast.File
	spec *ast.TypeSpec
	name string // in TypeScript; //tsgen:name may override it
	doc  string
}

// isMessage reports whether the type is backend.Message. The page translates messages when they arrive, so their
// TypeScript type is string.
func (d *decl) isMessage() bool {
	return d.spec.Name.Name == "Message" && filepath.Base(d.pkg.dir) == "backend"
}

// load returns the parsed package in a folder. It parses each package only once.
func (g *generator) load(dir string) (*pkg, error) {
	if p := g.packages[dir]; p != nil {
		return p, nil
	}
	p := &pkg{dir: dir, files: map[string]*ast.File{}, unions: map[string][]string{}}
	g.packages[dir] = p
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		if p.files[name], err = parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(p.files)) {
		for _, d := range p.files[name].Decls {
			if group, ok := d.(*ast.GenDecl); ok {
				p.collect(p.files[name], group)
			}
		}
	}
	return p, err
}

func (p *pkg) collect(f *ast.File, g *ast.GenDecl) {
	for _, s := range g.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if !s.Name.IsExported() {
				continue
			}
			d := &decl{pkg: p, file: f, spec: s, doc: g.Doc.Text(), name: s.Name.Name}
			if g.Doc != nil {
				if name, ok := strings.CutPrefix(g.Doc.List[len(g.Doc.List)-1].Text, "//tsgen:name "); ok {
					d.name, d.doc = name, strings.Replace(d.doc, d.name, name, 1)
				}
			}
			p.decls = append(p.decls, d)
		case *ast.ValueSpec:
			if g.Tok != token.CONST {
				continue
			}
			if t, ok := s.Type.(*ast.Ident); ok {
				for _, v := range s.Values {
					if lit, ok := v.(*ast.BasicLit); ok && lit.Kind == token.STRING {
						p.unions[t.Name] = append(p.unions[t.Name], lit.Value)
					}
				}
			} else if s.Type == nil && s.Names[0].IsExported() {
				p.consts = append(p.consts, s)
			}
		}
	}
}

// folderOf returns the folder of the package that a qualifier refers to in a file of p. The qualifier "" refers to p
// itself.
func folderOf(p *pkg, file *ast.File, qualifier string) string {
	for _, spec := range file.Imports {
		full, _ := strconv.Unquote(spec.Path.Value) // already parsed
		if qualifier != "" && path.Base(full) == qualifier {
			return strings.TrimPrefix(full, module)
		}
	}
	return p.dir
}

// in returns a function that returns the TypeScript name of a type used in a file of p. Types that are new to the
// generator are added to the pending ones.
func (g *generator) in(p *pkg, file *ast.File) func(qualifier, name string) (string, error) {
	return func(qualifier, name string) (string, error) {
		dir := folderOf(p, file, qualifier)
		of, err := g.load(dir)
		if err != nil {
			return "", err
		}
		for _, d := range of.decls {
			if d.spec.Name.Name != name {
				continue
			}
			if d.isMessage() {
				return "string", nil
			}
			if known := g.names[d.name]; known == nil {
				g.names[d.name] = d
				g.todo = append(g.todo, d)
			} else if known != d {
				return "", fmt.Errorf("two types are named %s: give the one of %s another name with //tsgen:name", d.name, dir)
			}
			return d.name, nil
		}
		return "", fmt.Errorf("unknown type %s of %s", name, dir)
	}
}
