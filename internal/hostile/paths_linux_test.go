package hostile_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/chaos"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// verdict classifies the target of a path.
type verdict string

const (
	inside  verdict = "inside"  // no permission needed
	outside verdict = "outside" // needs permission
	refused verdict = "refused" // can't be resolved, counts as outside
)

// hostilePath is a path that an agent sends, relative to the top of a tree, with the expected verdict.
type hostilePath struct {
	path string
	want verdict
}

// pathLinks maps the symbolic links of the tree to their targets. A link whose path starts with "/" is relative to the
// top of the tree; all others are in the chat's folder.
var pathLinks = map[string]string{
	"l2": "../away/sub", "in": "sub/deep", "out": "../away", "outfile": "../away/out.txt", "filelink": "in.txt",
	"dang": "../away/new.txt", "dangdir": "../away/newdir/x", "dangin": "sub/new.txt", "chain1": "chain2", "chain2": "chain3", "chain3": "../away",
	"abs": "$TOP/away", "absin": "$TOP/folder/sub", "self": "$TOP/folder", "loop": "loop", "loopa": "loopb", "loopb": "loopa",
	"up": "..", "upup": "../..", "dot": ".", "dotdot": "sub/..", "weird": "sub/../../away", "trail": "../away/", "slashes": "..//away//./",
	"missing": "gone/../../away/x", "procroot": "/proc/self/root", "proccwd": "/proc/self/cwd", "stdin": "/dev/stdin",
	"a b": "../away", "line\nend": "../away", "größe": "../away", "...": "../away", " ..": "../away", `back\slash`: "../away", "~": "../away",
	"sub/deep/far": "../../../away", "sub/deep/near": "../..", "through": "out/sub/../..", "twice": "self/self/../away", "throughin": "sub/deep/near/sub",
	"/away/back": "../folder", "/away/backsub": "../folder/sub", "/away/sub/home": "../../folder", "/away/throughlink": "../folder/l2",
	"/folder-link": "folder", "/folder2": "away",
}

// hostilePaths are the tested paths that involve neither mounts nor races.
var hostilePaths = func() []hostilePath {
	list := []hostilePath{
		// Plain names as the control, which need no permission.
		{"folder/in.txt", inside},
		{"folder/new.txt", inside},
		{"folder/sub/deep/new.txt", inside},
		{"folder/./sub//new.txt", inside},
		{"folder/sub/../new.txt", inside},
		{"folder/sub/deep/../../new.txt", inside},
		{"folder/..x", inside},
		{"folder/x..", inside},
		{`folder/..\new.txt`, inside},
		{"folder/...x/..y", inside},
		{"away/../folder/new.txt", inside},
		{"folder/../folder/new.txt", inside},
		{"folder/newdir/a/b.txt", inside},
		{"folder/filelink", inside},
		{"folder/in/new.txt", inside},
		{"folder/absin/new.txt", inside},
		{"folder/self/sub/new.txt", inside},
		{"folder/dangin", inside},
		{"folder/dot/new.txt", inside},
		{"folder/dotdot/new.txt", inside},
		{"folder/throughin/new.txt", inside},
		{"folder/sub/deep/near/new.txt", inside},
		{"away/back/new.txt", inside},
		{"away/backsub/new.txt", inside},
		{"folder-link/new.txt", inside},
		{"folder-link/sub/../new.txt", inside},
		// Names that lead outside.
		{"away/out.txt", outside},
		{"folder/../away/out.txt", outside},
		{"folder/../../x.txt", outside},
		{"folder2/x.txt", outside},
		{"folder/sub/../../away/x.txt", outside},
		{"folder/../folder2/x.txt", outside},
		{"folderx/x.txt", outside},
		// Links that lead outside.
		{"folder/l2/x.txt", outside},
		{"folder/out/x.txt", outside},
		{"folder/outfile", outside},
		{"folder/dang", outside},
		{"folder/dangdir", outside},
		{"folder/dangdir/y.txt", outside},
		{"folder/chain1/x.txt", outside},
		{"folder/abs/x.txt", outside},
		{"folder/up/away/x.txt", outside},
		{"folder/up/x.txt", outside},
		{"folder/upup/x.txt", outside},
		{"folder/weird/x.txt", outside},
		{"folder/trail/x.txt", outside},
		{"folder/slashes/x.txt", outside},
		{"folder/a b/x.txt", outside},
		{"folder/line\nend/x.txt", outside},
		{"folder/größe/x.txt", outside},
		{"folder/.../x.txt", outside},
		{"folder/ ../x.txt", outside},
		{`folder/back\slash/x.txt`, outside},
		{"folder/~/x.txt", outside},
		{"folder/sub/deep/far/x.txt", outside},
		{"folder/through/x.txt", outside},
		{"folder/twice/x.txt", outside},
		{"folder/self/out/x.txt", outside},
		{"away/back/out/x.txt", outside},
		{"away/throughlink/x.txt", outside},
		{"folder/in/../deep/far/x.txt", outside},
		// ".." after links: the resolved and the lexical target may differ.
		{"folder/l2/../x.txt", outside},
		{"folder/l2/../out.txt", outside},
		{"folder/l2/../../away/x.txt", outside},
		{"folder/out/../x.txt", outside},
		{"folder/abs/../away/x.txt", outside},
		{"folder/chain1/../x.txt", outside},
		{"folder/./l2//.././x.txt", outside},
		{"folder/sub/../l2/../x.txt", outside},
		{"folder/self/../away/x.txt", outside},
		{"away/back/../out.txt", outside},
		{"away/backsub/../x.txt", outside},
		{"away/sub/home/../x.txt", outside},
		{"folder/in/../x.txt", outside},
		{"folder/in/../../x.txt", outside},
		{"folder/dot/../x.txt", outside},
		{"folder/sub/deep/near/../x.txt", outside},
		{"folder/l2/../../folder/x.txt", outside},
		{"folder-link/../x.txt", outside},
		{"folder/filelink/../x.txt", refused},
		{"folder/up/../x.txt", outside},
		// Paths that can't be resolved.
		{"folder/loop", refused},
		{"folder/loop/x.txt", refused},
		{"folder/loopa", refused},
		{"folder/loop/../x.txt", refused},
		{"folder/missing", refused},
		{"folder/gone/../x.txt", refused},
		{"folder/in.txt/x.txt", refused},
		{"folder/in.txt/../x.txt", refused},
		{"folder/in.txt/", inside},
		{"folder/in.txt/.", inside},
		{"folder/filelink/", inside},
		{"folder/dang/../x.txt", refused},
		{"folder/a\x00b", refused},
		{"folder/" + strings.Repeat("n", 256), refused},
		{"folder/procroot/tmp/x.txt", refused},
		{"folder/proccwd/x.txt", refused},
		{"folder/stdin", refused},
		{"folder/k41/x.txt", refused},
		{"folder/k39/x.txt", outside},
		{"", outside},
	}
	return list
}()

// newHostileTree creates the tree with its links and returns the path of its top.
func newHostileTree(t *testing.T) (top string) {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	noErr(t, err)
	for _, dir := range []string{"folder/sub/deep", "folder/.git/hooks", "away/sub", "folderx"} {
		noErr(t, os.MkdirAll(filepath.Join(top, dir), 0o700))
	}
	for name, text := range map[string]string{"folder/in.txt": "in", "away/out.txt": "secret", "folder/.git/hooks/out.txt": "secret"} {
		noErr(t, os.WriteFile(filepath.Join(top, name), []byte(text), 0o600))
	}
	for name, to := range pathLinks {
		if !strings.HasPrefix(name, "/") {
			name = "folder/" + name
		}
		noErr(t, os.Symlink(strings.ReplaceAll(to, "$TOP", top), filepath.Join(top, name)))
	}
	for i := range 42 { // k41 leads through 42 links
		to := "../away"
		if i > 0 {
			to = fmt.Sprintf("k%d", i-1)
		}
		noErr(t, os.Symlink(to, filepath.Join(top, "folder", fmt.Sprintf("k%d", i))))
	}
	return top
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// outsideState describes everything outside the chat's folder, for comparison.
func outsideState(t *testing.T, top string) string {
	t.Helper()
	var b strings.Builder
	noErr(t, filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == filepath.Join(top, "folder") {
			return fs.SkipDir
		}
		var text []byte
		if d.Type().IsRegular() {
			text, err = os.ReadFile(path)
		}
		fmt.Fprintf(&b, "%s %s %q\n", path, d.Type(), text)
		return err
	}))
	return b.String()
}

// createFile creates the file at path and writes to it. It returns the file's path as reported by the kernel, or "" if
// the file can't be created.
func createFile(t *testing.T, path string) string {
	t.Helper()
	if os.MkdirAll(filepath.Dir(filepath.Clean(path)), 0o700) != nil {
		return ""
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return ""
	}
	defer func() { noErr(t, f.Close()) }()
	name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd()))
	noErr(t, err)
	_, err = f.WriteString("written")
	noErr(t, err)
	return name
}

func isIn(folder, path string) bool { return path == folder || strings.HasPrefix(path, folder+"/") }

// TestPaths_AllowedStayInside checks that paths that need no permission stay in the folder, whether a program follows
// links or folds ".." first. It also checks that VoxPilot names the file that the system opens.
func TestPaths_AllowedStayInside(t *testing.T) {
	if len(hostilePaths) < 100 {
		t.Errorf("got %d paths, want 100", len(hostilePaths))
	}
	result := chaos.Row(t, "Links, `..`, loops, missing and odd names", len(hostilePaths))
	made := 0
	for _, c := range hostilePaths {
		top := newHostileTree(t)
		folder, path := filepath.Join(top, "folder"), top+"/"+c.path
		if c.path == "" {
			path = top
		}
		if got := verdictOf(folder, path); got != c.want {
			t.Errorf("%q: got %s, want %s", c.path, got, c.want)
			continue
		}
		serveRequest(t, top, path)
		if c.want != inside {
			continue
		}
		before := outsideState(t, top)
		for _, by := range []string{path, filepath.Clean(path)} {
			name := createFile(t, by)
			if name != "" && !isIn(folder, name) {
				t.Errorf("%q is not asked for, and %q made %q", c.path, by, name)
			}
			if name != "" {
				made++
			}
		}
		if after := outsideState(t, top); after != before {
			t.Errorf("%q is not asked for, and changed what is outside:\n%s\nwas:\n%s", c.path, after, before)
		}
	}
	if made < 50 {
		t.Errorf("got %d files that were made unasked, want 50: the others prove nothing without them", made)
	}
	result("%d files created without a request, 0 outside", made)
}

// verdictOf returns the verdict on a request for path.
func verdictOf(folder, path string) verdict {
	short, _ := realpath.Plain(realpath.Join(folder, path)) // requests do this first
	switch place, err := workspace.LocateNamed(folder, short); {
	case err != nil:
		return refused
	case place.Inside:
		return inside
	}
	return outside
}

// serveRequest handles an agent's request for path as VoxPilot does without asking the user: if path is inside the
// folder, it reads and writes the file. It fails the test if this affects anything outside, or if VoxPilot names a file
// other than the one that the system opens.
func serveRequest(t *testing.T, top, path string) {
	t.Helper()
	folder := filepath.Join(top, "folder")
	place, err := workspace.Locate(folder, path)
	if err != nil {
		return
	}
	before := outsideState(t, top)
	if place.Inside {
		if text, err := place.Read(0, 0); err == nil && text == "secret" {
			t.Errorf("%q was read, which is outside", path)
		}
		_ = place.Write("written")
	}
	if after := outsideState(t, top); after != before {
		t.Errorf("%q was served, and changed what is outside:\n%s\nwas:\n%s", path, after, before)
	}
	f, err := os.OpenFile(path, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return // a folder, or its parent doesn't exist
	}
	defer func() { noErr(t, f.Close()) }()
	if name, err := os.Readlink(fmt.Sprintf("/proc/self/fd/%d", f.Fd())); err != nil || name != place.Path {
		t.Errorf("%q: the user is asked about %q, and the system opens %q (%v)", path, place.Path, name, err)
	}
}
