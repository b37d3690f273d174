package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// routes is how a handler of /data/… is registered.
const routes = `HandleFunc("GET /data/`

// writeAnswers writes what each route of /data/… answers: the first result of the
// method that is registered for it, in a package below root.
func (g *generator) writeAnswers(root string) error {
	dir, err := folderOf(root, routes)
	if err != nil {
		return err
	}
	p, err := load(dir)
	if err != nil {
		return err
	}
	g.others[dir] = p
	g.WriteString("\n/** What GET /data/… answers, by route. */\nexport interface Answers {\n")
	for _, f := range p.files {
		comments := map[int]string{} // by line
		for _, c := range f.Comments {
			comments[p.fset.Position(c.Pos()).Line] = c.Text()
		}
		ast.Inspect(f, func(n ast.Node) bool {
			route, method := routeOf(n)
			if method == "" || err != nil {
				return err == nil
			}
			err = g.writeAnswer(p, route, method, comments[p.fset.Position(n.Pos()).Line])
			return false
		})
	}
	g.WriteString("}\n")
	return err
}

// folderOf is the folder of the first file of Go below root that has a text in it.
func folderOf(root, text string) (dir string, err error) {
	err = filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || dir != "" {
			return err
		}
		if entry.IsDir() && (name == "frontend" || name == "build" || entry.Name() == "node_modules") {
			return fs.SkipDir
		}
		if filepath.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(name)
		if bytes.Contains(source, []byte(text)) {
			dir = filepath.ToSlash(filepath.Dir(name))
		}
		return err
	})
	if err == nil && dir == "" {
		err = fmt.Errorf("no file has %s in it", text)
	}
	return dir, err
}

// routeOf reads HandleFunc("GET /data/ROUTE", FUNCTION(…, OBJECT.METHOD)).
func routeOf(n ast.Node) (route, method string) {
	call, ok := n.(*ast.CallExpr)
	if !ok || len(call.Args) != 2 {
		return "", ""
	}
	pattern, ok := call.Args[0].(*ast.BasicLit)
	if !ok {
		return "", ""
	}
	text, err := strconv.Unquote(pattern.Value)
	route, ok = strings.CutPrefix(text, "GET /data/")
	handler, isCall := call.Args[1].(*ast.CallExpr)
	if err != nil || !ok || !isCall || len(handler.Args) == 0 {
		return "", ""
	}
	if m, ok := handler.Args[len(handler.Args)-1].(*ast.SelectorExpr); ok {
		return route, m.Sel.Name
	}
	return "", ""
}

func (g *generator) writeAnswer(p *pkg, route, method, doc string) error {
	for _, f := range p.files {
		for _, d := range f.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Name.Name != method || !takesRequest(fn) {
				continue
			}
			answer := fn.Type.Results.List[0].Type
			if name, ok := answer.(*ast.Ident); ok && !name.IsExported() {
				return nil // it is not JSON
			}
			ts, err := typeOf(answer, g.in(p, f))
			if err != nil {
				return fmt.Errorf("the answer of %s: %w", route, err)
			}
			if _, ok := answer.(*ast.StarExpr); ok {
				ts += " | null"
			}
			comment(&g.Buffer, "  ", doc)
			if strings.Contains(route, "-") {
				route = strconv.Quote(route)
			}
			fmt.Fprintf(g, "  %s: %s;\n", route, ts)
			return nil
		}
	}
	return fmt.Errorf("%s has no method %s, which is to answer %s", p.dir, method, route)
}

// takesRequest reports whether the last parameter of a method is a *http.Request.
func takesRequest(fn *ast.FuncDecl) bool {
	params := fn.Type.Params.List
	if fn.Recv == nil || len(params) == 0 {
		return false
	}
	star, _ := params[len(params)-1].Type.(*ast.StarExpr)
	if star == nil {
		return false
	}
	request, ok := star.X.(*ast.SelectorExpr)
	return ok && request.Sel.Name == "Request"
}

// writeKinds writes what the page needs of the table of kinds.
func (g *generator) writeKinds() {
	g.WriteString(`
/** What holds for all events of one kind. */
export interface EventKind {
  /** The field of its value that names the chat it is about. */
  chat?: string;
  /** The snapshot of the chat has it, and not that of the app. */
  transcript?: boolean;
}

export const kinds: { [K in keyof Required<Event>]: EventKind & { chat?: keyof NonNullable<Event[K]> } } = {
`)
	event := reflect.TypeFor[backend.Event]()
	for _, k := range backend.Kinds {
		field, _ := event.FieldByName(k.Name)
		var row []string
		if k.Chat != "" {
			row = append(row, fmt.Sprintf("chat: %q", jsonName(field.Type.Elem(), k.Chat)))
		}
		if k.Transcript {
			row = append(row, "transcript: true")
		}
		fmt.Fprintf(g, "  %s: {%s},\n", jsonName(event, k.Name), strings.Join(row, ", "))
	}
	g.WriteString("};\n")
}

// jsonName is the name of a field of a struct in JSON.
func jsonName(of reflect.Type, field string) string {
	f, _ := of.FieldByName(field)
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
