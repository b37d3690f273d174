package docs

import (
	"strings"
	"testing"
)

// imports returns a package that imports the given packages.
func imports(packages ...string) *pkg {
	p := &pkg{imports: map[string]bool{}}
	for _, name := range packages {
		p.imports[name] = true
	}
	return p
}

func TestDrawPackages_ArrowUpFails(t *testing.T) {
	c := code{
		"main":              imports("backend/desktop"),
		"backend/desktop":   imports("backend/engine"),
		"backend/engine":    imports("backend/store", "backend"),
		"backend/store":     imports("backend/changes"),
		"backend/changes":   imports("internal/realpath"),
		"internal/realpath": imports(),
		"backend":           imports(),
	}
	drawing, err := c.drawPackages(nil)
	if err != nil {
		t.Fatal(err)
	}
	if store, changes := strings.Index(drawing, "backend/store"), strings.Index(drawing, "backend/changes"); store < 0 || changes < store {
		t.Errorf("got changes above store, which imports it:\n%s", drawing)
	}
	for from, to := range map[string]string{"backend/engine": "backend/desktop", "internal/realpath": "backend/store", "backend": "internal/realpath"} {
		c[from].imports[to] = true
		if _, err := c.drawPackages(nil); err == nil || !strings.Contains(err.Error(), from+" imports "+to) {
			t.Errorf("%s imports %s: got %v", from, to, err)
		}
		delete(c[from].imports, to)
	}
	c["elsewhere"] = imports()
	if _, err := c.drawPackages(nil); err == nil {
		t.Error("a package in no layer: got no error")
	}
}

func TestPut_ReplacesTextBetweenMarkers(t *testing.T) {
	page := "before\n<!-- drawn: x -->\nold\n<!-- end -->\nafter\n"
	got, err := replaceMarked([]byte(page), "x", "new\n")
	if want := strings.Replace(page, "old", "```\nnew\n```", 1); err != nil || string(got) != want {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
	if _, err := replaceMarked([]byte(page), "y", "new\n"); err == nil {
		t.Error("no markers: got no error")
	}
}
