package main

import (
	"fmt"
	"go/parser"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// Each /data/… route is registered on one line that contains its pattern, its handler method and a
// comment that describes the route. The first result of the method is the response type.
var (
	routes  = regexp.MustCompile(`HandleFunc\("GET /data/(\S+)", \w+\(\w+, \w+\.(\w+)\)\) *// (.*)`)
	methods = regexp.MustCompile(`(?m)^func \(\w+ \*?\w+\) (\w+)\(.*\*http\.Request\) \((?:\w+ )?(\S+), .*error\) \{`)
)

// writeResponses writes the response type of each /data/… route. All routes are registered in the same file, in the
// root folder or in a folder of backend.
func (g *generator) writeResponses() error {
	var table string
	for _, pattern := range []string{"*.go", "backend/*/*.go"} {
		files, err := filepath.Glob(pattern)
		if err != nil {
			return err
		}
		for _, name := range files {
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			if routes.Match(text) {
				table = name
			}
		}
	}
	p, err := g.load(filepath.Dir(table))
	if err != nil {
		return err
	}
	text, err := os.ReadFile(table)
	if err != nil {
		return err
	}
	g.WriteString("\n/** The response types of GET /data/…, by route. */\nexport interface Answers {\n")
	for _, m := range routes.FindAllStringSubmatch(string(text), -1) {
		if err := g.writeResponse(p, m[1], m[2], m[3]); err != nil {
			return fmt.Errorf("the response of %s: %w", m[1], err)
		}
	}
	g.WriteString("}\n")
	return nil
}

func (g *generator) writeResponse(p *pkg, route, method, doc string) error {
	for name, file := range p.files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for _, m := range methods.FindAllStringSubmatch(string(text), -1) {
			if m[1] != method {
				continue
			}
			if m[2] == "body" {
				return nil // not JSON
			}
			answer, err := parser.ParseExpr(m[2])
			if err != nil {
				return err
			}
			ts, err := typeOf(answer, g.in(p, file))
			if strings.HasPrefix(m[2], "*") {
				ts += " | null"
			}
			if strings.Contains(route, "-") {
				route = strconv.Quote(route)
			}
			comment(&g.Buffer, "  ", doc)
			fmt.Fprintf(g, "  %s: %s;\n", route, ts)
			return err
		}
	}
	return fmt.Errorf("%s has no method %s", p.dir, method)
}

// writeKinds writes a table of the event kinds with the properties that the page needs.
func (g *generator) writeKinds() {
	g.WriteString(`
/**
 * The properties of each kind of event: the field with the ID of its chat, and whether
 * it belongs to the snapshot of that chat instead of the app's.
 */
export const kinds: { [K in keyof Required<Event>]: { chat?: keyof NonNullable<Event[K]>; transcript?: boolean } } = {
`)
	event := reflect.TypeFor[backend.Event]()
	for i, k := range backend.Kinds {
		chat := ""
		if k.Chat != "" {
			chat = "chat: " + strconv.Quote(jsonName(event.Field(i).Type.Elem(), k.Chat)) + ", "
		}
		fmt.Fprintf(g, "  %s: { %stranscript: %t },\n", jsonName(event, k.Name), chat, k.Transcript)
	}
	g.WriteString("};\n")
}

// jsonName returns the JSON name of a struct field.
func jsonName(of reflect.Type, field string) string {
	f, _ := of.FieldByName(field)
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
