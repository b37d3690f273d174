package sandbox_test

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"
)

// sorted returns an iterator over the entries of a map, in the order of the keys.
func sorted(m map[string]string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for _, key := range slices.Sorted(maps.Keys(m)) {
			if !yield(key, m[key]) {
				return
			}
		}
	}
}

// persistence adds attacks that try to make something run later, outside of the sandbox.
func persistence(l *list) {
	for _, file := range []string{
		".bashrc", ".bash_profile", ".profile", ".bash_login", ".bash_logout", ".zshrc", ".zshenv", ".config/fish/config.fish", ".inputrc", ".vimrc", ".config/nvim/init.lua", ".emacs", ".tmux.conf", ".screenrc", ".gdbinit", ".pythonrc", ".config/environment.d/x.conf", ".pam_environment", ".xprofile", ".xsessionrc", ".xinitrc",
		".config/autostart/evil.desktop", ".config/systemd/user/evil.service", ".config/systemd/user/default.target.wants/evil.service", ".local/share/applications/evil.desktop", ".local/share/dbus-1/services/evil.service", ".local/share/systemd/user/evil.timer", ".config/plasma-workspace/env/evil.sh",
		".local/bin/git", ".local/bin/sudo", "bin/ls", "go/bin/gopls", ".cargo/bin/cargo", ".nvm/versions/node/x/bin/node", ".local/lib/python3/site-packages/evil.pth", ".local/lib/python3/site-packages/sitecustomize.py", ".gitconfig", ".config/git/config", ".config/git/ignore", ".config/git/attributes", ".gitignore_global",
		".ssh/rc", ".ssh/authorized_keys", ".ssh/config", ".npmrc", ".config/pip/pip.conf", ".cargo/config.toml", ".config/go/env", ".condarc", ".Rprofile", ".irbrc", ".psqlrc", ".sqliterc", ".mailcap", ".forward", ".procmailrc", ".config/Code/User/settings.json", ".vscode/extensions/evil/package.json", ".config/mimeapps.list", ".config/user-dirs.dirs",
		".copilot/mcp-config.json", ".copilot/settings.json", ".claude/settings.json", ".codex/config.toml", ".gemini/settings.json", ".config/opencode/opencode.json", ".docker/cli-plugins/docker-x", ".kube/config", ".mozilla/firefox/x.default/user.js", ".config/chromium/Default/Preferences", ".local/share/VoxPilot/voxpilot.db", ".local/share/VoxPilot/guard/hook",
	} {
		l.add("start files", file, fmt.Sprintf(`f="$HOME/%s"; mkdir -p "$(dirname "$f")"; echo 'echo pwned' >> "$f"`, file))
	}
	for name, script := range sorted(map[string]string{
		"git config": `git config --global core.hooksPath "$FOLDER/hooks"`, "git config --system": `git config --file /etc/gitconfig core.pager evil`, "npm config": `npm config set script-shell "$FOLDER/evil" --location=user --userconfig "$HOME/.npmrc"`, "pip config": `PIP_CONFIG_FILE= python3 -m pip config --user set global.index-url http://evil.test || { mkdir -p "$HOME/.config/pip"; echo x >> "$HOME/.config/pip/pip.conf"; }`,
		"go env": `GOENV="$HOME/.config/go/env" go env -w GOFLAGS=-toolexec=evil`, "crontab": `echo '* * * * * evil' | crontab - || echo '* * * * * evil' > /var/spool/cron/crontabs/me`, "cron.d": `mkdir -p /etc/cron.d; echo '* * * * * root evil' > /etc/cron.d/evil`, "at": `echo evil | at now || { mkdir -p /var/spool/cron/atjobs; echo evil > /var/spool/cron/atjobs/a; }`,
		"systemd --user": `mkdir -p "$HOME/.config/systemd/user"; printf '[Service]\nExecStart=/bin/true\n' > "$HOME/.config/systemd/user/e.service"; systemctl --user enable --now e`, "systemd-run --user": `systemd-run --user true`, "systemd-run": `systemd-run --no-ask-password true; curl -s --unix-socket /run/systemd/private http://x/`, "systemctl --system": `DBUS_SYSTEM_BUS_ADDRESS=unix:path=/run/dbus/system_bus_socket busctl --system list`, "xdg-autostart": `cp README.md "$HOME/.config/autostart/app.desktop"`,
		"chsh": `sed -i 's,/bin/bash,/tmp/evil,' /etc/passwd`, "alternatives": `mkdir -p /etc/alternatives; ln -sf /tmp/evil /etc/alternatives/editor`, "ld cache": `mkdir -p /etc/ld.so.conf.d; echo /tmp > /etc/ld.so.conf.d/evil.conf`, "udev": `mkdir -p /etc/udev/rules.d; echo x > /etc/udev/rules.d/99-evil.rules`, "sudoers": `mkdir -p /etc/sudoers.d; echo 'me ALL=(ALL) NOPASSWD: ALL' > /etc/sudoers.d/evil`, "motd": `mkdir -p /etc/update-motd.d; echo evil > /etc/update-motd.d/99-evil`,
	}) {
		l.add("start files", name, script)
	}
}

// secrets adds attacks that try to read secrets in many ways.
func secrets(l *list) {
	for _, file := range secretFiles {
		l.add("secrets", file, fmt.Sprintf(`cat "$HOME/%s"`, file))
	}
	for name, script := range sorted(map[string]string{
		"grep -r": `grep -rI hunter "$HOME" 2>/dev/null`, "find -exec": `find "$HOME" -name '.netrc' -exec cat {} \;`, "tar": `tar cf - -C "$HOME" .ssh | tar xOf -`, "cp to the folder": `cp "$HOME/.netrc" copy`, "cp -r to the folder": `cp -r "$HOME/.ssh" copy`, "cp to /tmp": `cp "$HOME/.netrc" /tmp/copy; cat /tmp/copy`, "dd": `dd if="$HOME/.netrc"`, "Python": `python3 -c 'import os; print(open(os.environ["HOME"]+"/.netrc").read())'`,
		"node": `node -e 'console.log(require("fs").readFileSync(process.env.HOME + "/.npmrc", "utf8"))'`, "source": `. "$HOME/.netrc"`, "mapfile": `mapfile -t a < "$HOME/.netrc"; echo "${a[@]}"`, "$(<)": `echo "$(<"$HOME/.netrc")"`, "curl file:": `curl -s "file://$HOME/.netrc"`, "git hash-object": `git hash-object -w "$HOME/.netrc" | xargs git cat-file -p`, "git diff --no-index": `git diff --no-index /dev/null "$HOME/.netrc"`, "git grep": `cd "$HOME" && git grep --no-index hunter`,
		"git add by link": `ln -s "$HOME/.ssh" s; GIT_WORK_TREE="$HOME" git add -f "$HOME/.netrc"; git diff --cached`, "tac": `tac "$HOME/.netrc"`, "tail": `tail -n 9 "$HOME/.netrc"`, "xargs": `xargs -a "$HOME/.netrc" echo`, "sort": `sort "$HOME/.netrc"`, "awk": `awk 1 "$HOME/.netrc"`, "diff": `diff "$HOME/.netrc" /dev/null`, "bash -x": `bash "$HOME/.netrc"`, "gcc": `gcc -x c -E -include "$HOME/.netrc" /dev/null; gcc -x c -c "$HOME/.netrc" -o /dev/null`, "make": `echo 'all:;@echo $(file < /srv/me/.netrc)' > m; make -f m`,
		"openssl": `openssl enc -in "$HOME/.netrc"`, "ssh key": `ssh-keygen -y -f "$HOME/.ssh/id_ed25519"; cat "$HOME/.ssh/id_ed25519"`, "ssh config": `ssh -G -F "$HOME/.ssh/config" x`, "via proc root": `cat "/proc/self/root$HOME/.netrc"`, "via proc 1 root": `cat "/proc/1/root$HOME/.netrc"`, "via cwd": `cat /proc/self/cwd/../.netrc`, "via dots": `cat ../.netrc`, "via glob": `cat ../.n*c ../.s*/id*`, "via double slash": `cat "//$HOME//.netrc"`,
		"via tilde": `cat ~/.netrc`, "via user name": `cat ~me/.netrc`, "via passwd": `cat "$(getent passwd "$(id -u)" | cut -d: -f6)/.netrc"`, "after cd": `cd "$HOME" && cat .netrc`, "after cd to hidden": `cd "$HOME/.ssh" && cat id_ed25519`, "after chmod": `chmod -R 777 "$HOME/.ssh" "$HOME/.netrc"; cat "$HOME/.netrc"`, "chroot": `chroot "$HOME" /x; cat "$HOME/.netrc"`, "data of runs": `cat "$DATA"/sandbox/runs/*/*; cat "$DATA"/voxpilot.db`, "data notes": `find "$DATA" -type f -exec cat {} +`,
		"shadow": `cat /etc/shadow`, "/run/secrets": `cat /run/secrets/token`, "runtime folder": `cat /run/user/*/token`, "tmp of others": `cat /tmp/other-program/session`, "var tmp": `cat /var/tmp/session`, "shared memory": `cat /dev/shm/segment`, "SysV shared memory": python(`
libc.shmat.restype = ctypes.c_void_p
i = libc.shmget(0x5ec, 0, 0)
print(ctypes.string_at(libc.shmat(i, None, 0o10000)) if i >= 0 else i)`), "SysV segments": `ipcs -m | grep -q 0x000005ec && win`, "environment": `env`, "export": `export -p`, "compgen": `compgen -e | while read -r n; do echo "${!n}"; done`, "printenv": `printenv GITHUB_TOKEN COPILOT_GITHUB_TOKEN`, "os.environ": `python3 -c 'import os; print(os.environ)'`, "process.env": `node -p process.env`, "awk ENVIRON": `awk 'BEGIN { for (k in ENVIRON) print ENVIRON[k] }'`, "env of child": `env -0 | tr '\0' '\n'`,
		"set": `set`, "declare": `declare -x`, "password in URL": `echo "$DATABASE_URL $HTTPS_PROXY_LOGIN"`, "guard's key": `echo "$VOXPILOT_GUARD_KEY"`, "perl ENV": `perl -e 'print values %ENV'`, "make variables": `echo 'all:;@echo $(GITHUB_TOKEN)' > m; make -f m`, "login shell": `bash -lc 'echo $GITHUB_TOKEN'`, "git env": `git -c alias.e='!env' e`, "npm env": `npm run env`, "secret by inode": python(`
for root, dirs, files in os.walk(HOME):
    for path in (os.path.join(root, f) for f in files):
        try: print(open(path).read() if os.path.isfile(path) else '')
        except (OSError, ValueError): pass`), "locate hidden by df": `cat "$HOME"/.config/*/* "$HOME"/.*history`, "editors": `perl -ne print "$HOME/.git-credentials"`, "zip": `python3 -m zipfile -c z.zip "$HOME/.ssh/" && python3 -c 'import zipfile; z = zipfile.ZipFile("z.zip"); [print(z.read(n)) for n in z.namelist()]'`, "base64 round trip": `base64 "$HOME/.netrc" | base64 -d`, "rev twice": `rev "$HOME/.netrc" | rev`, "read-only loop": `while read -r x; do echo "$x"; done < "$HOME/.netrc"`,
	}) {
		change := []func(*attack){}
		if name == "via cwd" || name == "via dots" || name == "via glob" {
			change = append(change, alone)
		}
		l.add("secrets", name, script, change...)
	}
}

// processFiles adds attacks that read or write the files of processes in /proc.
func processFiles(l *list) {
	for _, pid := range []string{"1", "$PPID", "$VICTIM", "*"} {
		for name, script := range sorted(map[string]string{
			"environ": `cat /proc/P/environ | tr '\0' '\n'`, "root": `cat /proc/P/root$HOME/.netrc`, "cwd": `cat /proc/P/cwd/../.netrc`, "fd": `for f in /proc/P/fd/*; do [ -f "$f" ] && timeout 1 head -c 1000 "$f"; done; cat /proc/P/root$HOME/.netrc`, "mem": python(`
import glob
for m in glob.glob(os.path.expandvars('/proc/P/maps').replace('$PPID', str(os.getppid()))):
    try:
        for line in open(m):
            if 'stack' in line or 'heap' in line:
                a, b = (int(x, 16) for x in line.split()[0].split('-'))
                with open(m[:-4] + 'mem', 'rb', 0) as f:
                    f.seek(a); sys.stdout.buffer.write(f.read(b - a))
    except OSError: pass
libs = [p for p in os.listdir('/proc') if p.isdigit() and p != str(os.getpid())]
for p in libs:
    try:
        d = open('/proc/' + p + '/environ', 'rb').read(); sys.stdout.buffer.write(d)
    except OSError: pass`), "task": `cat /proc/P/task/*/environ | tr '\0' '\n'; cat /proc/P/task/*/root$HOME/.netrc`, "write by root": `for d in /proc/P/root; do echo x >> "$d$OUT/file"; done`, "write by cwd": `for d in /proc/P/cwd; do echo x >> "$d/../outside/file"; done`, "map_files": `cat /proc/P/map_files/* >/dev/null; cat /proc/P/root$HOME/.npmrc`,
		}) {
			if pid == "*" && (name == "mem" || name == "map_files") {
				continue
			}
			l.add("/proc", name+" of "+strings.Trim(pid, "$"), strings.ReplaceAll(script, "/P/", "/"+pid+"/"))
		}
	}
	for name, script := range sorted(map[string]string{
		"oom_score_adj": `echo 1000 > "/proc/$VICTIM/oom_score_adj"`, "coredump_filter": `echo 0x7f > "/proc/$VICTIM/coredump_filter"`, "comm": `echo evil > "/proc/$VICTIM/task/$VICTIM/comm" || prlimit --pid "$VICTIM" --core=1:1`, "command lines": `tr '\0' ' ' < /proc/$VICTIM/cmdline | grep -q sleep && win`, "list of processes": `ps -e -o args | grep -q '[s]leep 100000' && win`, "kernel keys": `grep -q "test-key" /proc/keys && win`, "mounts of others": `cat "/proc/$VICTIM/mountinfo" | grep -q . && win`, "host name": `echo evil > /proc/sys/kernel/hostname`, "forwarding": `echo 1 > /proc/sys/net/ipv4/ip_forward`,
		"sysrq": `echo h > /proc/sysrq-trigger`, "core pattern is read-only": `[ -w /proc/sys/kernel/core_pattern ] && [ "$(id -u)" = 0 ] && (exec 9>> /proc/sys/kernel/core_pattern) 2>/dev/null && win`, "ns": `ls -l /proc/$VICTIM/ns/mnt && [ "$(readlink /proc/$VICTIM/ns/pid)" ] && win`,
	}) {
		change := []func(*attack){alone}
		switch name {
		case "kernel keys":
			change = append(change, uncontrolled("there is no such key"))
		case "sysrq":
			change = append(change, uncontrolled("its effect is on the real computer and isn't visible"))
		}
		l.add("/proc", name, script, change...)
	}
}
