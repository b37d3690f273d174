package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

const module = "github.com/voxpilot/voxpilot/"

// A pkg is the source of a package.
type pkg struct {
	dir    string
	fset   *token.FileSet
	files  []*ast.File
	decls  []*decl
	unions map[string][]string // values of the constants of a named string type
	consts []*ast.ValueSpec    // untyped constants
}

// A decl is an exported type.
type decl struct {
	pkg  *pkg
	file *ast.File
	spec *ast.TypeSpec
	name string // in TypeScript: //tsgen:name may give another one
	doc  string
}

// isTable reports whether a word is of the table of kinds, of which the page gets
// what writeKinds writes.
func (d *decl) isTable() bool {
	return filepath.Base(d.pkg.fset.Position(d.file.Pos()).Filename) == "kinds.go"
}

func load(dir string) (*pkg, error) {
	p := &pkg{dir: dir, fset: token.NewFileSet(), unions: map[string][]string{}}
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	slices.Sort(names)
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(p.fset, name, nil, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		p.files = append(p.files, f)
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				p.collect(f, g)
			}
		}
	}
	return p, nil
}

func (p *pkg) collect(f *ast.File, g *ast.GenDecl) {
	for _, s := range g.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() {
				d := &decl{pkg: p, file: f, spec: s, doc: g.Doc.Text(), name: s.Name.Name}
				if name := directive(g.Doc, "//tsgen:name "); name != "" {
					d.name, d.doc = name, strings.Replace(d.doc, d.name, name, 1)
				}
				p.decls = append(p.decls, d)
			}
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

// directive is what stands behind a prefix in a line of a comment.
func directive(doc *ast.CommentGroup, prefix string) string {
	if doc != nil {
		for _, line := range doc.List {
			if value, ok := strings.CutPrefix(line.Text, prefix); ok {
				return value
			}
		}
	}
	return ""
}

// imported is the folder of a package of this module that a file imports, "" where
// it imports none of that name.
func imported(file *ast.File, name string) string {
	for _, spec := range file.Imports {
		full, err := strconv.Unquote(spec.Path.Value)
		if dir, ok := strings.CutPrefix(full, module); err == nil && ok && (path.Base(full) == name || spec.Name != nil && spec.Name.Name == name) {
			return dir
		}
	}
	return ""
}
