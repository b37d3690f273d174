package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// newTree creates a folder with files, and files next to it.
func newTree(t *testing.T) (folder, beside string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	folder, beside = filepath.Join(top, "folder"), filepath.Join(top, "beside")
	for _, dir := range []string{filepath.Join(folder, "sub"), beside} {
		noErr(t, os.MkdirAll(dir, 0o700))
	}
	write(t, filepath.Join(folder, "in.txt"), "in")
	write(t, filepath.Join(folder, "sub", "deep.txt"), "deep")
	write(t, filepath.Join(beside, "out.txt"), "out")
	return folder, beside
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	if err := os.Symlink(to, at); err != nil {
		if runtime.GOOS == "windows" {
			t.Skip("links need a right that not every user has")
		}
		t.Fatal(err)
	}
}

func TestGuard_InsideAndOutside(t *testing.T) {
	folder, beside := newTree(t)
	link(t, beside, filepath.Join(folder, "dirlink"))
	link(t, filepath.Join(beside, "out.txt"), filepath.Join(folder, "filelink"))
	link(t, filepath.Join(beside, "absent.txt"), filepath.Join(folder, "danglinglink"))
	link(t, filepath.Join("..", "beside", "nowhere", "deep.txt"), filepath.Join(folder, "relativelink"))
	link(t, "danglinglink", filepath.Join(folder, "secondlink"))
	link(t, "sub", filepath.Join(folder, "sublink"))
	link(t, folder, filepath.Join(beside, "back"))
	link(t, folder, folder+"-link")
	in, out := func(s string) string { return filepath.Join(folder, filepath.FromSlash(s)) }, func(s string) string { return filepath.Join(beside, filepath.FromSlash(s)) }
	for _, c := range []struct {
		path   string
		inside bool
		real   string
	}{
		{in("in.txt"), true, in("in.txt")},
		{in("sub/deep.txt"), true, in("sub/deep.txt")},
		{in("absent.txt"), true, in("absent.txt")},
		{in("no/such/folder/a.txt"), true, in("no/such/folder/a.txt")},
		{in("..looks-like-it"), true, in("..looks-like-it")},
		{folder, true, folder},
		{folder + string(filepath.Separator) + "sub" + string(filepath.Separator) + ".." + string(filepath.Separator) + "in.txt", true, in("in.txt")},
		{in("sublink/deep.txt"), true, in("sub/deep.txt")},
		{in("sublink/absent.txt"), true, in("sub/absent.txt")},
		{filepath.Join(folder+"-link", "in.txt"), true, in("in.txt")},
		{out("back/in.txt"), true, in("in.txt")},
		{out("back/absent.txt"), true, in("absent.txt")},

		{out("out.txt"), false, out("out.txt")},
		{out("absent.txt"), false, out("absent.txt")},
		{folder + string(filepath.Separator) + ".." + string(filepath.Separator) + "beside" + string(filepath.Separator) + "out.txt", false, out("out.txt")},
		{folder + "2", false, folder + "2"},
		{filepath.Dir(folder), false, filepath.Dir(folder)},
		{in("dirlink/out.txt"), false, out("out.txt")},
		{in("dirlink/absent.txt"), false, out("absent.txt")},
		{in("filelink"), false, out("out.txt")},
		{in("danglinglink"), false, out("absent.txt")},
		{in("secondlink"), false, out("absent.txt")},
		{in("relativelink"), false, out("nowhere/deep.txt")},
	} {
		p, err := workspace.Locate(folder, c.path)
		if err != nil || p.Inside != c.inside || p.Path != c.real {
			t.Errorf("%s: inside %t, really %s (%v)", c.path, p.Inside, p.Path, err)
		}
		// Same result if the folder itself is named by a link.
		if p, err := workspace.Locate(folder+"-link", c.path); err != nil || p.Inside != c.inside {
			t.Errorf("%s, seen from the link: %+v, %v", c.path, p, err)
		}
	}
	if p, err := workspace.Locate(folder, folder); err != nil || !p.IsFolder() {
		t.Errorf("the folder itself: %+v, %v", p, err)
	}
}

func TestGuard_NonFilePathRefused(t *testing.T) {
	folder, _ := newTree(t)
	link(t, "loop", filepath.Join(folder, "loop"))
	for path, want := range map[string]string{
		"":                                     "Enter a path",
		"in.txt":                               "isn't absolute",
		"../in.txt":                            "isn't absolute",
		filepath.Join(folder, "a\x00b"):        "null byte",
		filepath.Join(folder, "loop"):          "Can't resolve the path",
		filepath.Join(folder, "in.txt", "sub"): "Can't resolve the path",
	} {
		_, err := workspace.Locate(folder, path)
		if backend.CodeOf(err) != backend.CodeInvalid || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", path, err)
		}
	}
	if _, err := workspace.Locate(filepath.Join(folder, "gone"), filepath.Join(folder, "gone", "a")); backend.CodeOf(err) != backend.CodeUnavailable {
		t.Errorf("a folder that doesn't exist: %v", err)
	}
}

func TestGuard_SwappedLinkNotFollowed(t *testing.T) {
	for name, c := range map[string]struct {
		path string
		swap func(t *testing.T, folder, beside string)
	}{
		"a file became a link": {"in.txt", func(t *testing.T, folder, beside string) {
			noErr(t, os.Remove(filepath.Join(folder, "in.txt")))
			link(t, filepath.Join(beside, "out.txt"), filepath.Join(folder, "in.txt"))
		}},
		"a file became a link to its neighbor": {"in.txt", func(t *testing.T, folder, _ string) {
			noErr(t, os.Remove(filepath.Join(folder, "in.txt")))
			link(t, filepath.Join("sub", "deep.txt"), filepath.Join(folder, "in.txt"))
		}},
		"its folder became a link": {filepath.Join("sub", "out.txt"), func(t *testing.T, folder, beside string) {
			noErr(t, os.RemoveAll(filepath.Join(folder, "sub")))
			link(t, beside, filepath.Join(folder, "sub"))
		}},
		"a file that was not there became a link": {"out.txt", func(t *testing.T, folder, beside string) {
			link(t, filepath.Join(beside, "out.txt"), filepath.Join(folder, "out.txt"))
		}},
		"the folder itself became a link": {"out.txt", func(t *testing.T, folder, beside string) {
			noErr(t, os.Rename(folder, folder+"-old"))
			link(t, beside, folder)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			folder, beside := newTree(t)
			p, err := workspace.Locate(folder, filepath.Join(folder, c.path))
			noErr(t, err)
			c.swap(t, folder, beside)
			if text, err := p.Read(0, 0); err == nil {
				t.Errorf("it was read: %q", text)
			}
			_ = p.Write("written") // on success, it created a file only in the folder
			if b, err := os.ReadFile(filepath.Join(beside, "out.txt")); err != nil || string(b) != "out" {
				t.Errorf("the file beside the folder is %q, %v", b, err)
			}
			if b, err := os.ReadFile(filepath.Join(folder, "sub", "deep.txt")); err == nil && string(b) != "deep" {
				t.Errorf("the neighbor is %q", b)
			}
		})
	}
}

func TestGuard_OutsideTargetCannotChange(t *testing.T) {
	folder, beside := newTree(t)
	asked := filepath.Join(beside, "asked")
	noErr(t, os.Mkdir(asked, 0o700))
	write(t, filepath.Join(asked, "a.txt"), "asked")
	write(t, filepath.Join(beside, "a.txt"), "secret")
	p, err := workspace.Locate(folder, filepath.Join(asked, "a.txt"))
	noErr(t, err)
	if text, err := p.Read(0, 0); err != nil || text != "asked" || p.Inside {
		t.Fatalf("%+v: %q, %v", p, text, err)
	}
	noErr(t, os.Rename(asked, asked+"-old"))
	link(t, beside, asked)
	if text, err := p.Read(0, 0); err == nil {
		t.Errorf("read through the link: %q", text)
	}
	if p.Write("written") == nil {
		t.Error("written through the link")
	}
	if b, _ := os.ReadFile(filepath.Join(beside, "a.txt")); string(b) != "secret" {
		t.Errorf("the other file is %q", b)
	}
}

func TestGuard_LinkRacesStayInside(t *testing.T) {
	folder, beside := newTree(t)
	link(t, beside, filepath.Join(folder, "to"))
	link(t, filepath.Join(beside, "out.txt"), filepath.Join(folder, "sub", "tofile"))
	write(t, filepath.Join(folder, "sub", "out.txt"), "in")
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		sub, to, away := filepath.Join(folder, "sub"), filepath.Join(folder, "to"), filepath.Join(folder, "away")
		for {
			select {
			case <-done:
				return
			default:
			}
			// Repeatedly replace the folder with a link and back.
			_ = os.Rename(sub, away)
			_ = os.Rename(to, sub)
			_ = os.Rename(sub, to)
			_ = os.Rename(away, sub)
		}
	}()
	reached := 0
	for range 200 {
		p, err := workspace.Locate(folder, filepath.Join(folder, "sub", "out.txt"))
		if err != nil || !p.Inside {
			continue
		}
		reached++
		if text, err := p.Read(0, 0); err == nil && text != "in" {
			t.Fatalf("read %q", text)
		}
		_ = p.Write("in")
	}
	close(done)
	<-ended
	if b, err := os.ReadFile(filepath.Join(beside, "out.txt")); err != nil || string(b) != "out" {
		t.Errorf("the file beside the folder is %q, %v", b, err)
	}
	if reached == 0 {
		t.Error("the folder was never seen as it is")
	}
}
