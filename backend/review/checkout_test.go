package review_test

import (
	"os"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
)

const utf16Hello = "\xff\xfeh\x00e\x00l\x00l\x00o\x00\n\x00"

// TestPutBack_RefusesEncodedFiles checks that files are neither compared nor reverted if git stores them in another form
// than on disk.
func TestPutBack_RefusesEncodedFiles(t *testing.T) {
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	e.git("config", "filter.up.clean", "tr a-z A-Z")
	e.git("config", "filter.up.smudge", "tr A-Z a-z")
	e.write(".gitattributes", "*.up filter=up\n*.u16 working-tree-encoding=UTF-16LE-BOM\n*.id ident\n*.none filter=missing\n")
	before := map[string]string{"x.up": "hello\nworld\n", "gone.up": "hello\nthere\n", "y.u16": utf16Hello, "z.id": "$Id$\nline\n"}
	for name, text := range before {
		e.write(name, text)
	}
	e.write("plain.id", "line\n")
	e.write("x.none", "line\n")
	second := e.commit("second")
	now := map[string]string{"x.up": "hello\nnew\nworld\n", "gone.up": "(none)", "y.u16": utf16Hello + "X\x00\n\x00", "z.id": "$Id: 12 $\nLine\n"}
	for name, text := range now {
		if text != "(none)" {
			e.write(name, text)
		}
	}
	if err := os.Remove(e.path("gone.up")); err != nil {
		t.Fatal(err)
	}
	e.write("plain.id", "Line\n")
	e.write("x.none", "Line\n")
	e.write("added.up", "new\n")
	for name, text := range now {
		d := e.diff("working", name)
		if len(d.Blocks) > 0 || d.TooLarge || !strings.HasPrefix(d.Message.String(), "Because of a filter or an encoding, Git stores this file") {
			t.Errorf("the diff of %s is %+v", name, d)
		}
		e.wantRefused(d, "")
		source := "commit:" + second
		d = e.diff(source, name)
		if _, err := e.Engine().Review.PutBack(t.Context(), e.chat.ID, backend.ReviewPart{Source: source, Path: name, Version: d.Version}); backend.CodeOf(err) != backend.CodeUnavailable {
			t.Errorf("reverting the commit in %s: %v", name, err)
		}
		if got := e.text(name); got != text {
			t.Errorf("%s has become %q", name, got)
		}
	}
	for name, want := range map[string]string{"plain.id": "line\n", "x.none": "line\n", "added.up": "(none)"} {
		d := e.diff("working", name)
		if len(d.Blocks) != 1 {
			t.Errorf("the diff of %s is %+v", name, d)
		}
		if e.putBack("working", d); e.text(name) != want {
			t.Errorf("%s has become %q, want %q", name, e.text(name), want)
		}
	}
}

// TestPutBack_LineEndsOfTheDisk checks that reverting a file gives it the line endings that git would write.
func TestPutBack_LineEndsOfTheDisk(t *testing.T) {
	const crlf = "one\r\ntwo\r\nthree\r\n"
	e := newRepository(t, map[string]string{"a.txt": "a\n"})
	e.git("config", "core.autocrlf", "true")
	e.write(".gitattributes", "*.bat text eol=crlf\n*.sh text eol=lf\n*.bin -text\n")
	files := map[string]string{"a.txt": crlf, "a.bat": crlf, "a.sh": "one\ntwo\n", "a.bin": "a\n", "nul.dat": "a\n\x00"}
	for name, text := range files {
		e.write(name, text)
	}
	e.commit("second")
	for name, text := range files {
		if err := os.Remove(e.path(name)); err != nil {
			t.Fatal(err)
		}
		d := e.diff("working", name)
		if e.putBack("working", d); e.text(name) != text {
			t.Errorf("removed and put back, %s is %q", name, e.text(name))
		}
	}

	e.write("a.txt", "one\r\nTWO\r\nthree\r\n")
	third := "commit:" + e.commit("third")
	d := e.diff(third, "a.txt")
	if res := e.putBack(third, d, d.Blocks...); res.Diff != "" || e.text("a.txt") != crlf {
		t.Errorf("a commit put back: %+v, %q", res, e.text("a.txt"))
	}
	e.write("a.txt", "one\nTWO\nthree\n") // in spite of core.autocrlf
	if res := e.putBack(third, d); res.Diff != "" || e.text("a.txt") != "one\ntwo\nthree\n" {
		t.Errorf("a commit put back in a file with LF: %+v, %q", res, e.text("a.txt"))
	}
	e.git("rm", "-q", "-f", "a.txt")
	fourth := "commit:" + e.commit("fourth")
	if e.putBack(fourth, e.diff(fourth, "a.txt")); e.text("a.txt") != "one\r\nTWO\r\nthree\r\n" {
		t.Errorf("a removal put back: %q", e.text("a.txt"))
	}
}
