package hostile_test

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/voxpilot/voxpilot/internal/need"
)

// mounts are the bind mounts of the tree: what is seen at a place is another one.
var mounts = [][2]string{
	{"away", "folder/mounted"},      // outside, mounted in the folder: the user's doing, and in the folder
	{"folder", "elsewhere"},         // the folder once more
	{"folder/sub", "elsewhere-sub"}, // a part of it
	{"away/out.txt", "folder/mounted.txt"},
	{"away/sub", "folder/l3"},
}

// mountedPaths are paths through the mounts. Making one needs a right that neither an
// agent nor a repository has, so what is mounted in the folder is in the folder.
var mountedPaths = []hostilePath{
	{"folder/mounted/x.txt", inside}, {"folder/mounted/../x.txt", inside}, {"folder/l3/../x.txt", inside}, {"folder/mounted.txt", inside},
	{"folder/mounted/../../away/x.txt", outside}, {"folder/mounted/back/x.txt", inside}, {"folder/mounted/back/../x.txt", refused},
	{"elsewhere/x.txt", inside}, {"elsewhere/../x.txt", outside}, {"elsewhere/sub/../x.txt", inside}, {"elsewhere/out/x.txt", outside},
	{"elsewhere-sub/x.txt", outside}, {"elsewhere-sub/../x.txt", outside}, {"elsewhere-sub/deep/far/x.txt", outside},
	{"folder/l2/../../elsewhere/x.txt", outside}, {"folder/mounted/sub/../../../x.txt", outside},
}

const inNamespace = "HOSTILE_IN_NAMESPACE"

// Mounts need a namespace of their own, so the test runs itself in one.
func TestPaths_MountsAreJudgedByTheSystem(t *testing.T) {
	if os.Getenv(inNamespace) == "" {
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
		cmd.Env = append(os.Environ(), inNamespace+"=1")
		cmd.SysProcAttr = &syscall.SysProcAttr{
			Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
			UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
			GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		}
		out, err := cmd.CombinedOutput()
		var exit *exec.ExitError
		switch {
		case err == nil:
		case errors.As(err, &exit):
			t.Errorf("in the namespace: %v\n%s", err, out)
		default:
			need.Missing(t, "namespaces of users: %v", err)
		}
		return
	}
	must(t, syscall.Mount("none", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""))
	for _, c := range mountedPaths {
		top := hostileTree(t)
		folder := filepath.Join(top, "folder")
		for _, m := range mounts {
			from, to := filepath.Join(top, m[0]), filepath.Join(top, m[1])
			if info, err := os.Stat(from); err == nil && info.IsDir() {
				must(t, os.MkdirAll(to, 0o700))
			} else {
				must(t, os.WriteFile(to, nil, 0o600))
			}
			must(t, syscall.Mount(from, to, "", syscall.MS_BIND, ""))
			defer func() { must(t, syscall.Unmount(to, syscall.MNT_DETACH)) }()
		}
		path := filepath.Join(top) + "/" + c.path
		if got := judge(folder, path); got != c.want {
			t.Errorf("%q: got %s, want %s", c.path, got, c.want)
		}
		if c.want != inside {
			continue
		}
		for _, by := range []string{path, filepath.Clean(path)} {
			name := create(t, by)
			if again := filepath.Join(top, "elsewhere"); isIn(again, name) {
				name = folder + name[len(again):]
			}
			if name != "" && !isIn(folder, name) {
				t.Errorf("%q is not asked for, and %q made %q", c.path, by, name)
			}
		}
	}
}
