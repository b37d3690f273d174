package sandbox_test

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// secretFiles are the files in the home folder that commands must not read.
var secretFiles = []string{
	".ssh/id_ed25519", ".ssh/config", ".gnupg/private-keys-v1.d/key", ".aws/credentials", ".azure/accessTokens.json", ".config/gcloud/credentials.db", ".kube/config", ".docker/config.json", ".config/gh/hosts.yml", ".config/hub", ".config/glab-cli/config.yml",
	".netrc", ".git-credentials", ".config/git/credentials", ".npmrc", ".yarnrc.yml", ".pypirc", ".config/pip/pip.conf", ".cargo/credentials.toml", ".gem/credentials", ".m2/settings.xml", ".gradle/gradle.properties", ".composer/auth.json",
	".copilot/config.json", ".config/github-copilot/hosts.json", ".claude/.credentials.json", ".claude.json", ".codex/auth.json", ".gemini/oauth_creds.json",
	".mozilla/firefox/x.default/logins.json", ".config/google-chrome/Default/Login Data", ".config/chromium/Default/Cookies", ".thunderbird/x/key4.db", ".config/Signal/config.json", ".config/Slack/Cookies",
	".bash_history", ".zsh_history", ".python_history", ".local/share/fish/fish_history", ".psql_history", ".Xauthority", ".ICEauthority",
	".local/share/keyrings/login.keyring", ".password-store/mail.gpg", ".pki/nssdb/key4.db", ".config/op/config", ".vault-token", ".pgpass", ".my.cnf", ".config/rclone/rclone.conf", ".terraform.d/credentials.tfrc.json", ".config/doctl/config.yaml", ".bitcoin/wallet.dat",
	".local/share/VoxPilot/voxpilot.db", ".local/share/VoxPilot/guard/key", ".local/share/VoxPilot/logs/acp.log", ".local/share/VoxPilot/sandbox-notes",
}

// plainFiles are files in the home folder that commands may read but not change.
var plainFiles = []string{
	".bashrc", ".profile", ".bash_profile", ".zshrc", ".gitconfig", ".vimrc", ".inputrc", ".config/autostart/app.desktop", ".local/bin/tool", "private/notes.txt", "outside/file", "outside/dir/file", "outside/inherited", "outside/shared",
	"go/pkg/mod/cache/download/example.test/m/@v/v1.0.0.mod", "go/pkg/mod/example.test/m@v1.0.0/m.go", ".cache/go-build/00/x-a", ".npm/_cacache/index-v5/00/x", ".cache/pip/http-v2/x", ".cargo/registry/cache/x.crate", ".cargo/registry/src/x/lib.rs",
	".cache/yarn/v6/x", ".m2/repository/x.jar", ".gradle/caches/x.jar", ".local/lib/python3/site-packages/x.py", ".local/share/pnpm/store/x", ".cache/uv/x", ".nuget/packages/x", ".rustup/toolchains/x/bin/rustc", ".nvm/versions/node/x/bin/node", ".vscode/extensions/x/extension.js",
}

// projectFiles maps the paths of the project's files to their contents.
var projectFiles = map[string]string{
	"README.md": "# Project\n", "src/main.go": "package main\n\nfunc main() {}\n", "src/util.py": "x = 1\n", "go.mod": "module example.test/project\n\ngo 1.24\n", "Makefile": "all:\n\t@echo built\n",
	"package.json": `{"name":"project","version":"1.0.0","scripts":{"test":"true"}}`, ".mcp.json": "{}\n", ".vscode/settings.json": "{}\n", ".github/workflows/ci.yml": "on: push\n", ".github/copilot-instructions.md": "Be nice.\n",
	".github/hooks/hook.json": "{}\n", ".claude/settings.json": "{}\n", ".gitattributes": "*.txt text\n", ".git/info/attributes": "", "deep/er/file": "x\n", "deep/er/.mcp.json": "{}\n",
}

// makeHome creates the home folder, the project in it, and secret and plain files in other folders of the computer.
func (w *scene) makeHome() {
	write := func(path, text string) {
		w.t.Helper()
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			w.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil { //nolint:gosec // readable
			w.t.Fatal(err)
		}
	}
	for _, name := range secretFiles {
		write(filepath.Join(home, name), w.secret+"-"+strings.ReplaceAll(name, " ", "-")+"\n")
	}
	write(home+"/.npmrc", "fund=false\n//registry.test/:_authToken="+w.secret+"-npm\n")
	write(home+"/.config/pip/pip.conf", "[global]\nindex-url = https://me:"+w.secret+"-pip@pypi.test/simple\n")
	for _, name := range plainFiles {
		write(filepath.Join(home, name), "# plain\n")
	}
	for _, name := range []string{"/etc/shadow", "/dev/mem", "/dev/sda", "/dev/kmsg", "/tmp/other-program/session", "/var/tmp/session", "/dev/shm/segment", "/run/secrets/token", "/run/user/1000/token"} {
		write(name, w.secret+"-"+strings.ReplaceAll(name[1:], "/", "-")+"\n")
	}
	for _, name := range []string{"/var/spool/cron/crontabs/other", "/usr/local/sbin/tool", "/sys/fs/cgroup/cgroup.procs"} {
		if _, err := os.Stat("/" + strings.Split(name, "/")[1]); err == nil && slices.ContainsFunc(changing, func(dir string) bool { return strings.HasPrefix(name, dir+"/") && isDir(dir) }) {
			write(name, "plain\n")
		}
	}
	write(home+"/.gitconfig", "[user]\n\tname = me\n\temail = me@example.test\n[commit]\n\tgpgSign = false\n[init]\n\tdefaultBranch = main\n")
	w.git("init", "-q")
	for name, text := range projectFiles {
		write(filepath.Join(folder, name), text)
	}
	w.git("add", "-A")
	w.git("commit", "-qm", "start")
	w.git("branch", "side")
}

func (w *scene) git(args ...string) {
	w.t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		w.t.Fatal(err)
	}
	cmd := exec.Command("git", args...)
	cmd.Dir = folder
	if out, err := cmd.CombinedOutput(); err != nil {
		w.t.Fatalf("git %v: %v\n%s", args, err, out)
	}
}

// entry holds the properties of a file that the tests compare.
type entry struct {
	mode         fs.FileMode
	size         int64
	inode        uint64
	modified     time.Time
	changed      syscall.Timespec
	owner, group uint32
	link         string
}

// content holds the state of a file, so that the file can be restored.
type content struct {
	mode     fs.FileMode
	link     string
	data     []byte
	modified time.Time
}

// walk calls a function for each file in home and in the other writable folders (changing).
func walk(t *testing.T, do func(path string, info fs.FileInfo)) {
	for _, root := range append(slices.Clone(changing), home) {
		device := deviceOf(root)
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil {
				return nil //nolint:nilerr // unreadable in /etc, or removed at the same time
			}
			if path == "/dev/pts" || path == sandboxDir || strings.HasPrefix(path, "/tmp/go-build") || strings.HasPrefix(path, "/tmp/Test") {
				return fs.SkipDir
			}
			info, err := e.Info()
			if err != nil {
				return nil //nolint:nilerr // likewise
			}
			do(path, info)
			if stat, ok := statOf(info); ok && info.IsDir() && stat.Dev != device {
				return fs.SkipDir // mounted by an attack
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// entries returns the properties of all files that the tests compare, by path.
func entries(t *testing.T) map[string]entry {
	all := map[string]entry{}
	walk(t, func(path string, info fs.FileInfo) {
		stat, ok := statOf(info)
		if !ok {
			return
		}
		e := entry{mode: info.Mode(), inode: stat.Ino, modified: info.ModTime(), owner: stat.Uid, group: stat.Gid}
		switch {
		case info.Mode()&fs.ModeDevice != 0:
			e.modified = time.Time{} // written by everyone
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				target = err.Error()
			}
			e.link = target
		case !info.IsDir():
			e.size, e.changed = info.Size(), stat.Ctim
		}
		all[path] = e
	})
	return all
}

func differing(before, after map[string]entry) (paths []string) {
	for path, e := range after {
		if old, ok := before[path]; !ok || old != e {
			paths = append(paths, path)
		}
	}
	for path := range before {
		if _, ok := after[path]; !ok {
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return paths
}

// contents returns the current state of all files that walk visits, by path.
func contents(t *testing.T) map[string]content {
	all := map[string]content{}
	walk(t, func(path string, info fs.FileInfo) {
		c := content{mode: info.Mode(), modified: info.ModTime()}
		switch {
		case info.Mode()&fs.ModeSymlink != 0:
			c.link, _ = os.Readlink(path)
		case info.Mode().IsRegular():
			c.data, _ = os.ReadFile(path)
		}
		all[path] = c
	})
	return all
}

// undo restores all files to the states in pristine. It can't recreate sockets and devices.
func undo(t *testing.T, pristine map[string]content) {
	walk(t, func(path string, info fs.FileInfo) {
		if _, ok := pristine[path]; !ok {
			remove(path)
		}
	})
	paths := make([]string, 0, len(pristine))
	for path := range pristine {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		c := pristine[path]
		info, err := os.Lstat(path)
		same := err == nil && info.Mode() == c.mode
		switch {
		case c.mode.IsDir():
			if !same {
				if err == nil && !info.IsDir() {
					remove(path)
				}
				_ = os.Mkdir(path, 0o755)
				_ = os.Chmod(path, c.mode)
			}
		case c.mode&fs.ModeSymlink != 0:
			if to, _ := os.Readlink(path); !same || to != c.link {
				remove(path)
				_ = os.Symlink(c.link, path)
			}
		case c.mode.IsRegular():
			if stat, ok := statOf(info); same && ok && info.Size() == int64(len(c.data)) && info.ModTime().Equal(c.modified) && stat.Nlink == 1 {
				continue
			}
			if err == nil && path != out+"/inherited" {
				remove(path)
			}
			if err := os.WriteFile(path, c.data, 0o644); err != nil { //nolint:gosec // changed next
				if os.Getuid() == 0 && !strings.HasPrefix(path, "/etc") {
					t.Errorf("can't restore %s: %v", path, err)
				}
				continue
			}
			_ = os.Chmod(path, c.mode)
			_ = os.Chtimes(path, c.modified, c.modified)
		}
	}
}

func statOf(info fs.FileInfo) (*syscall.Stat_t, bool) {
	if info == nil {
		return nil, false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return stat, ok
}

// remove removes a file or folder that may be unreadable or a mount point.
func remove(path string) {
	if os.RemoveAll(path) == nil {
		return
	}
	_ = unix.Unmount(path, unix.MNT_DETACH|unix.UMOUNT_NOFOLLOW)
	_ = filepath.WalkDir(path, func(at string, e fs.DirEntry, _ error) error {
		if e != nil && e.IsDir() {
			_ = os.Chmod(at, 0o700) //nolint:gosec // a folder
		}
		return nil
	})
	_ = os.RemoveAll(path)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func deviceOf(path string) uint64 {
	info, err := os.Lstat(path)
	if err != nil {
		return 0
	}
	stat, _ := statOf(info)
	return stat.Dev
}
