package hostile_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/internal/chaos"
)

// mounts are the bind mounts of the tree, each with its source and target.
var mounts = [][2]string{
	{"away", "folder/mounted"},      // outside, mounted in the folder by the user, so it counts as inside
	{"folder", "elsewhere"},         // a second mount of the folder
	{"folder/sub", "elsewhere-sub"}, // a subfolder of it
	{"away/out.txt", "folder/mounted.txt"},
	{"away/sub", "folder/l3"},
}

// mountedPaths are paths that lead through the mounts. Mounting requires a privilege that neither an
// agent nor a repository has, so everything mounted in the folder counts as inside.
var mountedPaths = []hostilePath{
	{"folder/mounted/x.txt", inside},
	{"folder/mounted/../x.txt", inside},
	{"folder/l3/../x.txt", inside},
	{"folder/mounted.txt", inside},
	{"folder/mounted/../../away/x.txt", outside},
	{"folder/mounted/back/x.txt", inside},
	{"folder/mounted/back/../x.txt", refused},
	{"elsewhere/x.txt", inside},
	{"elsewhere/../x.txt", outside},
	{"elsewhere/sub/../x.txt", inside},
	{"elsewhere/out/x.txt", outside},
	{"elsewhere-sub/x.txt", outside},
	{"elsewhere-sub/../x.txt", outside},
	{"elsewhere-sub/deep/far/x.txt", outside},
	{"folder/l2/../../elsewhere/x.txt", outside},
	{"folder/mounted/sub/../../../x.txt", outside},
}

func TestPaths_MountsFollowSystem(t *testing.T) {
	if !inNamespaceOfItsOwn(t, 0) {
		return
	}
	result := chaos.Row(t, "Paths through bind mounts", len(mountedPaths))
	for _, c := range mountedPaths {
		top := newHostileTree(t)
		folder := filepath.Join(top, "folder")
		for _, m := range mounts {
			from, to := filepath.Join(top, m[0]), filepath.Join(top, m[1])
			if info, err := os.Stat(from); err == nil && info.IsDir() {
				noErr(t, os.MkdirAll(to, 0o700))
			} else {
				noErr(t, os.WriteFile(to, nil, 0o600))
			}
			noErr(t, syscall.Mount(from, to, "", syscall.MS_BIND, ""))
			defer func() { noErr(t, syscall.Unmount(to, syscall.MNT_DETACH)) }()
		}
		path := filepath.Join(top) + "/" + c.path
		if got := verdictOf(folder, path); got != c.want {
			t.Errorf("%q: got %s, want %s", c.path, got, c.want)
		}
		if c.want != inside {
			continue
		}
		for _, by := range []string{path, filepath.Clean(path)} {
			name := createFile(t, by)
			if again := filepath.Join(top, "elsewhere"); isIn(again, name) {
				name = folder + name[len(again):]
			}
			if name != "" && !isIn(folder, name) {
				t.Errorf("%q is not asked for, and %q made %q", c.path, by, name)
			}
		}
	}
	result("0 outside without a request")
}
