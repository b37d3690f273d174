package sandbox_test

import (
	"fmt"
	"path/filepath"
	"strings"
)

// pwned is the command that some attacks try to get executed outside of the sandbox, immediately or later.
const pwned = `echo pwned >> "$HOME/outside/file"`

// list collects attacks.
type list struct{ all []attack }

// add adds an attack. The given functions set its other fields.
func (l *list) add(family, name, script string, change ...func(*attack)) {
	a := attack{family: family, name: name, script: script}
	for _, c := range change {
		c(&a)
	}
	l.all = append(l.all, a)
}

func alone(a *attack)   { a.alone = true }
func nextRun(a *attack) { a.nextRun = true }
func byGit(a *attack)   { a.git = true }
func sites(a *attack)   { a.sites = true }

// uncontrolled returns a function that marks an attack as having no effect in the tests, even without the sandbox, for
// the given reason.
func uncontrolled(why string) func(*attack) { return func(a *attack) { a.noControl = why } }

// python returns a shell script that runs the Python code. The code can use ctypes and the function win, which reports
// that the attack has succeeded.
func python(code string) string {
	return "python3 - <<'END'\nimport os, sys, socket, ctypes, signal, struct, time\nlibc = ctypes.CDLL(None, use_errno=True)\nlibc.syscall.restype = ctypes.c_long\nHOME = os.environ['HOME']; OUT = os.environ['OUT']; FOLDER = os.environ['FOLDER']; VICTIM = int(os.environ['VICTIM'])\n" +
		"def win(): print(os.environ['WIN1'] + '-' + os.environ['WIN2'], flush=True)\n" + code + "\nEND"
}

// attacks returns all attacks in a stable order.
func attacks() []attack {
	l := &list{}
	writes(l)
	links(l)
	protectedPlaces(l)
	persistence(l)
	secrets(l)
	processFiles(l)
	gitAttacks(l)
	projects(l)
	caches(l)
	services(l)
	network4(l)
	proxyTricks(l)
	namespacesAndMounts(l)
	privileges(l)
	processesOfOthers(l)
	background(l)
	devicesAndKernel(l)
	systemCalls(l)
	descriptors(l)
	resources(l)
	ownParts(l)
	return l.all
}

// writes adds attacks in which various programs simply write to places outside of the folder.
func writes(l *list) {
	targets := []struct{ name, path string }{
		{"home", "$HOME/new"}, {"other folder", "$OUT/new"}, {"parent", "../new"}, {"/etc", "/etc/new"}, {"cron", "/var/spool/cron/crontabs/me"}, {"/run", "/run/new"}, {"/usr/local/sbin", "/usr/local/sbin/new"}, {"VoxPilot", "$DATA/new"}, {"/tmp", "/tmp/new"}, {"/dev/shm", "/dev/shm/new"},
	}
	methods := []struct{ name, script string }{
		{"redirection", `echo x > "T"`}, {"tee", `echo x | tee "T"`}, {"cp", `cp README.md "T"`}, {"dd", `dd if=README.md of="T"`}, {"mkdir", `mkdir "T"`}, {"Python", `python3 -c 'import sys; open(sys.argv[1], "w").write("x")' "T"`}, {"perl", `perl -e 'open(F, ">", $ARGV[0]) and print F "x"' "T"`},
	}
	for _, target := range targets {
		for _, m := range methods {
			l.add("writes", m.name+" to "+target.name, strings.ReplaceAll(m.script, "T", target.path))
		}
	}
	for name, script := range sorted(map[string]string{
		"append": `echo x >> "$OUT/file"`, "truncate": `truncate -s 0 "$OUT/file"`, "noclobber": `set -C; echo x >| "$OUT/file"`, "read-write": `exec 9<> "$OUT/file"; echo x >&9`, "mv in": `cp README.md x; mv x "$OUT/x"`, "mv over": `cp README.md x; mv -f x "$OUT/file"`,
		"mv out": `mv "$OUT/dir" stolen`, "rm": `rm "$OUT/file"`, "rm -rf": `rm -rf "$OUT"`, "rmdir": `rm "$OUT/dir/file"; rmdir "$OUT/dir"`, "unlink": `unlink "$OUT/file"`, "find -delete": `find "$OUT" -name file -delete`, "sed -i": `sed -i s/plain/evil/ "$OUT/file"`,
		"perl -i": `perl -pi -e s/plain/evil/ "$OUT/file"`, "chmod": `chmod 777 "$OUT/file"`, "chown": `chown "$(id -u)" "$OUT/file"`, "touch": `touch -d yesterday "$OUT/file"`, "setfacl": `python3 -c 'import os; os.setxattr(os.environ["OUT"]+"/file", "trusted.x" if os.getuid()==0 else "user.x", b"x")'; chmod u+x "$OUT/file"`,
		"install": `install -m 755 README.md "$OUT/installed"`, "ln": `ln -s x "$OUT/link"`, "mkfifo": `mkfifo "$OUT/fifo"`, "socket": python(`s = socket.socket(socket.AF_UNIX); s.bind(OUT + '/socket')`), "mktemp": `mktemp -p "$OUT"`, "rename folder": `mv "$OUT" "$OUT-2"`, "rename home": `mv "$HOME/private" "$HOME/public"`,
		"tar": `tar cf x.tar README.md && tar xf x.tar -C "$OUT"`, "tar absolute": `tar -P -cf x.tar --transform "s,^,$OUT/,S" README.md; tar -P -xf x.tar`, "tar dots": `tar -P -cf x.tar --transform 's,^,../outside/,S' README.md; tar -P -xf x.tar`, "cpio": `(cd "$FOLDER" && echo README.md | cpio -pd "$OUT" 2>/dev/null) || cp README.md "$OUT/cpio"`,
		"zip slip": `python3 -c 'import zipfile; z = zipfile.ZipFile("x.zip", "w"); z.writestr("../outside/zip", "x"); z.close()
import os
for n in zipfile.ZipFile("x.zip").namelist(): open(os.path.join(os.getcwd(), n), "wb").write(zipfile.ZipFile("x.zip").read(n))'`,
		"patch": "printf -- '--- a\\n+++ b\\n@@ -1 +1 @@\\n-# plain\\n+# evil\\n' > p; patch -d \"$OUT\" file < p || (cd \"$OUT\" && git apply --unsafe-paths \"$FOLDER/p\") || sed -i s/plain/evil/ \"$OUT/file\"", "split": `split -b 4 README.md "$OUT/part-"`, "sort -o": `sort -o "$OUT/file" README.md`, "shuf -o": `shuf -o "$OUT/shuf" README.md`, "curl -o": `curl -so "$OUT/curl" "file://$FOLDER/README.md"`,
		"wget -O": `wget -q -O "$OUT/wget" http://127.0.0.1:1/; true`, "git -C": `git -C "$OUT" init`, "git archive": `git archive -o "$OUT/a.tar" HEAD`, "git bundle": `git bundle create "$OUT/a.bundle" HEAD`, "git clone": `git clone -q . "$OUT/clone"`, "git format-patch": `git commit -q --allow-empty -m x; git format-patch --root -o "$OUT" HEAD`,
		"node": `node -e 'require("fs").writeFileSync(process.env.OUT + "/node", "x")'`, "awk": `awk 'BEGIN { print "x" > ENVIRON["OUT"] "/awk" }'`, "sqlite": python(`import sqlite3
c = sqlite3.connect(OUT + '/db'); c.execute('create table t (x)'); c.commit()`), "gcc -o": `echo 'int main(){return 0;}' > a.c; gcc -o "$OUT/a" a.c`,
		"openssl -out": `openssl rand -out "$OUT/rand" 8`, "openssl log": `echo x | openssl enc -base64 -out "$OUT/enc"`, "script": `script -qc true "$OUT/typescript"`, "bash history": `HISTFILE="$OUT/history"; history -s x; history -w`, "core pattern": `bash -c 'ulimit -c unlimited; cd "$OUT" && echo x > core'`, "shell trace": `exec 7> "$OUT/trace"; BASH_XTRACEFD=7; set -x; true`,
		"newline": "touch \"$OUT/a\nb\"", "escape codes": `touch "$OUT/"$'\e[2J\e]0;x\a'`, "backspaces": `touch "$OUT/"$'a\b\b'`, "dash": `touch -- "$OUT/-rf"`, "dots": `mkdir -p a/b; echo x > a/b/../../../outside/dots`, "long way": `echo x > ./././src/../../outside/long`, "via /proc/self/cwd": `echo x > /proc/self/cwd/../outside/cwd`,
		"via cd -P": `cd src && cd -P ../../outside && echo x > cd`, "via OLDPWD": `cd "$OUT"; cd "$FOLDER"; echo x > "$OLDPWD/old"`, "via pushd": `pushd "$OUT" >/dev/null && echo x > pushd`, "invalid UTF-8": `touch "$OUT/"$'\xff\xfe'`, "longest name": `touch "$OUT/$(printf 'x%.0s' {1..255})"`, "tmp of others": `echo x >> /tmp/other-program/session`, "sticky tmp": `rm -rf /tmp/other-program`,
		"var tmp": `echo x >> /var/tmp/session`, "etc passwd": `echo 'evil::0:0::/:/bin/sh' >> /etc/passwd`, "etc hosts": `sed -i '1i 6.6.6.6 example.test' /etc/hosts || echo x >> /etc/hosts`, "etc shadow": `echo x >> /etc/shadow`, "ld.so.preload": `echo /x.so > /etc/ld.so.preload`, "resolv.conf": `echo nameserver 6.6.6.6 > /etc/resolv.conf`, "etc profile": `echo "` + "x" + `" > /etc/profile.d/x.sh`, "ca": `mkdir -p /etc/ssl/certs; cp README.md /etc/ssl/certs/evil.pem`,
		"secret overwritten": `echo evil > "$HOME/.netrc"`, "hidden folder": `echo evil > "$HOME/.ssh/authorized_keys"`, "hidden folder replaced": `mv "$HOME/.ssh" "$HOME/.ssh-old"; mkdir "$HOME/.ssh"`, "history": `rm -f "$HOME/.bash_history"`, "database": `echo x >> "$DATA/voxpilot.db"`, "database removed": `rm -f "$DATA/voxpilot.db"`, "guard": `rm -f "$DATA/guard/key"`,
	}) {
		l.add("writes", name, script, alone)
	}
}

// links adds attacks with links that lead out of the folder.
func links(l *list) {
	for name, script := range sorted(map[string]string{
		"to folder": `ln -s "$OUT" l; echo x > l/new`, "to file": `ln -s "$OUT/file" l; echo x > l`, "relative": `ln -s ../outside l; echo x > l/new`, "up": `ln -s .. l; echo x > l/outside/new`, "chain": `ln -s "$OUT" c1; ln -s c1 c2; ln -s c2 c3; echo x > c3/new`, "dangling": `ln -s "$OUT/created" l; echo x > l`, "to root": `ln -s / l; echo x > "l$OUT/new"`,
		"via proc root": `ln -s /proc/self/root l; echo x > "l$OUT/new"`, "via proc cwd": `ln -s /proc/self/cwd l; echo x > l/../outside/new`, "via fd": `exec 8< "$OUT"; ln -s /proc/self/fd l; echo x > l/8/new; echo x > /proc/$$/fd/8/new`, "hard link": `ln "$OUT/file" h && echo x >> h`, "hard link to secret": `ln "$HOME/.netrc" h && cat h`, "hard link of folder": `cp -al "$OUT" copy && echo x >> copy/file`,
		"hard link via proc": `exec 8< "$OUT/file"; ln -L /proc/self/fd/8 h && echo x >> h`, "hard link out": `ln README.md "$OUT/linked"`, "hard link in cache": `ln "$OUT/file" "${XDG_CACHE_HOME:-$HOME/.cache}/h" && echo x >> "${XDG_CACHE_HOME:-$HOME/.cache}/h"`, "renamed over": `ln -s "$OUT/file" l; echo evil > t; cp t l`, "tar through": `ln -s "$OUT" l; mkdir -p t/l; echo x > t/l/new; tar cf t.tar -C t l/new; tar xf t.tar --keep-directory-symlink`,
		"cp -r through": `ln -s "$OUT" l; mkdir -p t/l; echo x > t/l/new; cp -rT t . || cp -r t/l/new l/`, "rm through": `ln -s "$OUT" l; rm -rf l/*`, "chmod through": `ln -s "$OUT/file" l; chmod 777 l`, "touch through": `ln -s "$OUT/file" l; touch -d yesterday l`, "git checkout through": `rm -rf deep; ln -s "$OUT" deep; mkdir "$OUT/er" && git checkout-index -f -a; echo x > deep/new`,
		"git object store": `rm -rf .git/objects/aa; ln -s "$OUT" .git/objects/aa; echo x > .git/objects/aa/new`, "git ref": `mkdir -p .git/refs/heads; ln -s "$OUT/file" .git/refs/heads/l; git rev-parse HEAD > .git/refs/heads/l`, "git index": `cp .git/index "$HOME/outside/file" || true; rm .git/index; ln -s "$OUT/file" .git/index; git add -A; cat .git/index > "$OUT/file"`, "git log": `rm -rf .git/logs/HEAD; ln -s "$OUT/file" .git/logs/HEAD; git commit -q --allow-empty -m x`,
		"git COMMIT_EDITMSG": `rm -f .git/COMMIT_EDITMSG; ln -s "$OUT/file" .git/COMMIT_EDITMSG; git commit -q --allow-empty -m x`, "loop": `ln -s l2 l1; ln -s l1 l2; rm l2; ln -s "$OUT/file" l2; echo x > l1`, "in a name with a newline": "ln -s \"$OUT\" $'a\\nb'; echo x > $'a\\nb'/new", "secret": `ln -s "$HOME/.netrc" l; cat l`, "secret folder": `ln -s "$HOME/.ssh" l; cat l/id_ed25519`, "data": `ln -s "$DATA" l; cat l/voxpilot.db`,
		"swap": python(`
os.mkdir('a'); os.symlink(OUT, 'b')
for i in range(300):
    try: libc.syscall(SYS_renameat2, -100, b'a', -100, b'b', 2)
    except OSError: pass
    try: open('a/new', 'w').write('x')
    except OSError: pass
    try: open('b/new', 'w').write('x')
    except OSError: pass`),
	}) {
		l.add("links", name, script, alone)
	}
	// When VoxPilot writes or removes files for the next command, it must not follow links that this command has
	// created.
	for name, script := range sorted(map[string]string{
		"Cargo settings": `mkdir -p "$CARGO_HOME"; ln -sf "$OUT/file" "$CARGO_HOME/config.toml"`, "Cargo folder": `rm -rf "$CARGO_HOME"; ln -s "$OUT" "$CARGO_HOME"`, "all cache folders": `for d in "$XDG_CACHE_HOME" "$GOCACHE" "$GOMODCACHE" "$npm_config_cache" "$PIP_CACHE_DIR" "$PNPM_HOME" "$GRADLE_USER_HOME"; do rm -rf "$d"; ln -s "$OUT" "$d"; done`,
		"cache parent": `c=${GOCACHE%/go/build}; rm -rf "$c/go"; ln -s "$OUT" "$c/go"`, "tool folder": `rm -rf "$GOBIN"; ln -s "$HOME/.local/bin" "$GOBIN"; echo x > "$GOBIN/evil"`, "file instead of folder": `rm -rf "$GOCACHE"; echo x > "$GOCACHE"`, "FIFO instead of folder": `rm -rf "$XDG_CACHE_HOME"; mkfifo "$XDG_CACHE_HOME"`, "FIFO as settings": `rm -f "$CARGO_HOME/config.toml"; mkfifo "$CARGO_HOME/config.toml"`, "folder as settings": `rm -f "$CARGO_HOME/config.toml"; mkdir -p "$CARGO_HOME/config.toml/x"`,
		"temporary folder": `rm -rf /tmp/* ; ln -s "$OUT" /tmp/l; chmod 000 /tmp`, "immutable temporary folder": `mkdir -p /tmp/a/b; chmod 000 /tmp/a`, "link in temporary folder": `ln -s "$OUT" /tmp/go-build; mkdir -p /tmp/x/y; ln -s "$OUT" /tmp/x/y/z`,
	}) {
		l.add("links for later", name, script, nextRun, uncontrolled("the attack is on folders that exist only with the sandbox"))
	}
	for i, dir := range []string{".agents", ".codex", ".cursor", ".devcontainer", ".gemini", ".opencode", ".qwen", ".husky", ".github/agents", ".vscode/tasks.json", ".vscode/mcp.json", ".claude/agents"} {
		_ = i
		l.add("links for later", "mount point "+dir, `d=`+dir+`; rmdir "$d"; rm -rf "$d"; mkdir -p "$(dirname "$d")"; mv "$d" moved; ln -s "$OUT" "$d"`, nextRun, func(a *attack) { a.alone = true })
	}
}

// protectedPlaces adds attacks on files in the folder that determine what runs later.
func protectedPlaces(l *list) {
	existing := []string{".mcp.json", ".github/hooks", ".github/copilot-instructions.md", ".claude/settings.json", ".git/config", ".git/hooks", ".git/info/attributes", "deep/er/.mcp.json"}
	for _, p := range existing {
		if p == ".github/copilot-instructions.md" {
			continue // only steers
		}
		for name, script := range sorted(map[string]string{
			"write": `if [ -d "P" ]; then echo x > "P/new"; else echo x >> "P"; fi`, "remove": `rm -rf "P"`, "rename": `mv "P" moved`, "replace by link": `rm -rf "P"; ln -s "$OUT" "P"; mv "P" y; ln -sfn "$OUT" "P"`, "chmod": `chmod 700 "P"; chmod 600 "P"`,
			"rename the folder": `d=$(dirname "P"); mv "$d" moved-dir; mkdir -p "$d"; if [ -d "moved-dir/$(basename "P")" ]; then mkdir -p "P"; echo x > "P/new"; else echo x > "P"; fi`, "rename over": `echo x > t; mv -f t "P"`, "exchange": python(`
os.makedirs('e', exist_ok=True)
libc.syscall(SYS_renameat2, -100, b'P', -100, b'e', 2)`),
			"through a descriptor": `exec 8< "P"; echo x > /proc/self/fd/8; echo x > /proc/self/fd/8/new`, "unmount": `umount "P"; umount -l "P"; [ -d "P" ] && echo x > "P/new" || echo x >> "P"`, "remount": `mount -o remount,rw "P"; mount -o remount,bind,rw "P"; [ -d "P" ] && echo x > "P/new" || echo x >> "P"`,
		}) {
			if (p == ".mcp.json") && name == "rename the folder" {
				continue // the folder itself
			}
			l.add("protected files", name+" "+p, strings.ReplaceAll(script, "P", p), alone)
		}
	}
	for _, p := range []string{".agents/x", ".codex/config.toml", ".cursor/hooks.json", ".devcontainer/devcontainer.json", ".envrc", ".gemini/settings.json", ".husky/pre-commit", "lefthook.yml", ".pre-commit-config.yaml", "opencode.json", ".opencode/plugin/x.js", ".qwen/settings.json", ".mise.toml", ".vscode/tasks.json", ".vscode/mcp.json", ".github/agents/x.md", ".git/config.worktree", ".claude/agents/x.md", ".claude/settings.local.json"} {
		l.add("protected files", "create "+p, fmt.Sprintf(`mkdir -p %q; rmdir %[2]q; echo x > %[2]q`, filepath.Dir(p), p), alone)
		l.add("protected files", "move in "+p, fmt.Sprintf(`mkdir -p t; echo x > t/%[1]s; d=%[2]q; mkdir -p "$d"; if [ "$d" = . ]; then mv t/%[1]s %[3]q; else mv "$d" old; mv t "$d"; fi`, filepath.Base(p), filepath.Dir(p), p), alone)
	}
}
