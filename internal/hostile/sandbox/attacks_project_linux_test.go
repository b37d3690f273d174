package sandbox_test

import "fmt"

// gitAttacks adds attacks that make git run something outside of the sandbox when the user runs git
// in the folder.
func gitAttacks(l *list) {
	for _, hook := range []string{"pre-commit", "post-commit", "commit-msg", "prepare-commit-msg", "post-checkout", "post-merge", "pre-auto-gc", "post-index-change", "reference-transaction"} {
		l.add("git hooks", hook, fmt.Sprintf("printf '#!/bin/sh\\n%%s\\n' %s > .git/hooks/%s; chmod +x .git/hooks/%[2]s", quoted(pwned), hook), alone, byGit)
	}
	for name, script := range sorted(map[string]string{
		"folder replaced": "mv .git/hooks .git/h; mkdir .git/hooks; printf '#!/bin/sh\\n%s\\n' " + quoted(pwned) + " > .git/hooks/post-commit; chmod +x .git/hooks/post-commit", "git directory copied": "cp -r .git g; mv .git old; mv g .git; printf '#!/bin/sh\\n%s\\n' " + quoted(pwned) + " > .git/hooks/post-commit; chmod +x .git/hooks/post-commit",
		"git directory cloned": `git clone -q . c; mv .git old; mv c/.git .git; git config core.fsmonitor ` + quoted(pwned+"; false"), "git directory by file": `git clone -q --bare . bare; git -C bare config core.fsmonitor ` + quoted(pwned+"; false") + `; git -C bare config core.bare false; rm -rf .git; mv .git old; echo "gitdir: $FOLDER/bare" > .git`, "template": `mkdir -p t/hooks; printf '#!/bin/sh\n%s\n' ` + quoted(pwned) + ` > t/hooks/post-commit; chmod +x t/hooks/*; git init -q --template=t .`,
		"separate git directory": `git init -q --separate-git-dir=sep .; git -C . config core.fsmonitor ` + quoted(pwned+"; false"), "husky": `mkdir -p .husky; git config core.hooksPath .husky; printf '#!/bin/sh\n%s\n' ` + quoted(pwned) + ` > .husky/post-commit; chmod +x .husky/post-commit`, "commondir": `git clone -q --bare . common; git -C common config core.fsmonitor ` + quoted(pwned+"; false") + `; git -C common config core.bare false; echo "$FOLDER/common" > .git/commondir`,
	}) {
		l.add("git hooks", name, script, alone, byGit)
	}
	for _, setting := range [][2]string{
		{"core.fsmonitor", pwned + "; false"},
		{"core.pager", pwned + "; cat"},
		{"core.hooksPath", "hooks"},
		{"filter.x.clean", pwned + "; cat"},
		{"diff.external", "sh -c " + quoted(pwned) + " #"},
		{"gpg.program", "evil"},
		{"alias.status", "!" + pwned},
		{"core.editor", pwned},
		{"credential.helper", "!" + pwned},
		{"core.sshCommand", pwned},
		{"include.path", "../evil"},
		{"core.worktree", "/srv/me/outside"},
		{"merge.x.driver", pwned},
		{"diff.x.textconv", pwned},
		{"interactive.diffFilter", pwned},
		{"sequence.editor", pwned},
		{"core.askPass", pwned},
		{"url.ext::sh.insteadOf", "."},
		{"protocol.ext.allow", "always"},
		{"receive.denyCurrentBranch", "ignore"},
		{"uploadpack.packObjectsHook", pwned},
		{"submodule.x.update", "!" + pwned},
	} {
		l.add("git settings", setting[0], fmt.Sprintf("git config %s %s", quoted(setting[0]), quoted(setting[1])), alone, byGit)
	}
	for name, script := range sorted(map[string]string{
		"appended": "printf '[core]\\n\\tfsmonitor = \"%s; false\"\\n' " + quoted(`echo pwned >> /srv/me/outside/file`) + " >> .git/config", "replaced": `cp .git/config c; git config -f c core.fsmonitor ` + quoted(pwned+"; false") + `; mv -f c .git/config`, "lock file": `cp .git/config .git/config.lock; git config -f .git/config.lock core.fsmonitor ` + quoted(pwned+"; false") + `; mv .git/config.lock .git/config`, "worktree settings": `git config extensions.worktreeConfig true; git config --worktree core.fsmonitor ` + quoted(pwned+"; false"),
		"worktree settings file": `printf '[core]\n\tfsmonitor = x\n' > .git/config.worktree`, "attributes": `echo '* filter=x diff=x merge=x' > .git/info/attributes`, "global": `git config --global core.fsmonitor ` + quoted(pwned+"; false"), "global by HOME": `printf '[core]\n\tfsmonitor = %s\n' ` + quoted(pwned+"; false") + ` > "$HOME/.config/git/config"`,
		"edit": `GIT_EDITOR='sh -c "printf \"[alias]\\n\\tx = !x\\n\" >> \$1" x' git config -e`, "rename section": `git config --rename-section core evil`, "unset": `git config --unset core.bare`, "remote": `git remote add evil "ext::sh -c evil"`, "branch settings": `git config branch.main.merge refs/heads/evil`, "maintenance": `git maintenance register`, "maintenance start": `git maintenance start --scheduler=crontab; git maintenance register`, "scalar": `git config --global --add maintenance.repo "$FOLDER"`, "safe.directory": `git config --global --add safe.directory '*'`,
		"rerere": `mkdir -p .git/rr-cache; git config rerere.enabled true`, "submodule init": `git -c protocol.file.allow=always submodule --quiet add ./ sub; git config -f .git/config submodule.sub.update '!` + "evil" + `'`, "submodule module": `git clone -q --bare . .git/modules-x; git config -f .git/modules-x/config core.fsmonitor x; mv .git/config .git/config-x; mv .git/modules-x/config .git/config`, "worktree of the outside": `git worktree add -q "$OUT/tree"`, "bisect run": `git update-index --refresh; git bisect start; git bisect log > "$OUT/file"`,
		"export to outside": `git --work-tree="$OUT" checkout -f HEAD -- .`, "outside index": `GIT_INDEX_FILE="$OUT/index" git add -A`, "outside objects": `mkdir "$OUT/objects"; GIT_OBJECT_DIRECTORY="$OUT/objects" git hash-object -w README.md`, "outside git directory": `GIT_DIR="$OUT/g" git init`, "trace file": `GIT_TRACE="$OUT/trace" git status`, "trace2 socket": `GIT_TRACE2_EVENT=af_unix:stream:/run/docker.sock git status`, "credential store": `printf 'protocol=https\nhost=x\nusername=x\npassword=x\n' | git credential-store --file="$OUT/c" store`,
		"credential read": `printf 'protocol=https\nhost=x\n\n' | git credential-store --file="$HOME/.git-credentials" get; cat "$HOME/.git-credentials"`, "daemon": `git daemon --listen=127.0.0.1 --port=9418 --base-path=/ --export-all --detach; sleep 0.2`,
	}) {
		l.add("git settings", name, script, alone, byGit)
	}
}

// projects adds attacks by the project's own code. When the project's tools run that code, it tries to write outside
// of the folder.
func projects(l *list) {
	for name, script := range sorted(map[string]string{
		"npm preinstall": `echo '{"name":"e","version":"1.0.0","scripts":{"preinstall":` + jsonPwned + `}}' > package.json; npm install --offline --no-audit --no-fund`, "npm postinstall": `echo '{"name":"e","version":"1.0.0","scripts":{"postinstall":` + jsonPwned + `}}' > package.json; npm install --offline --no-audit --no-fund`, "npm prepare": `echo '{"name":"e","version":"1.0.0","scripts":{"prepare":` + jsonPwned + `}}' > package.json; npm install --offline --no-audit`,
		"npm test": `echo '{"name":"e","scripts":{"pretest":` + jsonPwned + `,"test":"true"}}' > package.json; npm test`, "npm script shell": `printf '#!/bin/sh\n%s\n' ` + quoted(pwned) + ` > s; chmod +x s; echo "script-shell=$PWD/s" > .npmrc; npm test`, "npm dependency": `mkdir -p d; echo '{"name":"d","version":"1.0.0","scripts":{"install":` + jsonPwned + `}}' > d/package.json; echo '{"name":"e","version":"1.0.0","dependencies":{"d":"file:./d"}}' > package.json; npm install --offline --install-links --no-audit`,
		"node --require": `echo 'require("child_process").execSync(` + jsonPwned + `)' > r.js; NODE_OPTIONS="--require=$PWD/r.js" node -e 1`, "node child": `node -e 'require("child_process").spawnSync("sh", ["-c", ` + jsonPwned + `])'`, "node detached": `node -e 'require("child_process").spawn("sh", ["-c", ` + jsonPwned + ` + "; sleep 90"], {detached: true, stdio: "ignore"}).unref()'`,
		"setup.py": "printf 'import os\\nos.system(\"echo pwned >> $HOME/outside/file\")\\nfrom setuptools import setup\\nsetup(name=\"e\")\\n' > setup.py; python3 setup.py --version", "conftest.py": "printf 'import os\\nos.system(\"echo pwned >> $HOME/outside/file\")\\n' > test_x.py; python3 -m unittest test_x", "sitecustomize": "printf 'import os\\nos.system(\"echo pwned >> $HOME/outside/file\")\\n' > sitecustomize.py; PYTHONPATH=. python3 -c 1", "shadowed module": "printf 'import os\\nos.system(\"echo pwned >> $HOME/outside/file\")\\n' > json.py; python3 -c 'import json'",
		"pickle": `python3 -c 'import pickle, os
class E:
    def __reduce__(self): return (os.system, ("echo pwned >> $HOME/outside/file",))
pickle.loads(pickle.dumps(E()))'`, "venv": `python3 -m venv --without-pip "$OUT/venv"`, "pip --target": `mkdir -p e; printf 'from setuptools import setup\nsetup(name="e", version="1", py_modules=[])\n' > e/setup.py; python3 -m pip install --no-index --no-build-isolation --target "$OUT/lib" ./e || mkdir "$OUT/lib"`, "PYTHONSTARTUP": `echo 'import os; os.system("echo pwned >> $HOME/outside/file")' > p.py; PYTHONSTARTUP=p.py python3 -i < /dev/null`,
		"build.rs":     `mkdir -p c/src; echo 'fn main() {}' > c/src/main.rs; printf '[package]\nname = "e"\nversion = "0.1.0"\nedition = "2021"\nbuild = "build.rs"\n' > c/Cargo.toml; echo 'fn main() { std::fs::write("/srv/me/outside/file", "x").ok(); }' > c/build.rs; rustc -o c/b c/build.rs && c/b || echo x > /srv/me/outside/file`,
		"go generate":  "printf 'package main\\n\\n//go:generate sh -c \"echo pwned >> $HOME/outside/file\"\\n' > src/g.go; go generate ./src",
		"go -toolexec": `printf '#!/bin/sh\n%s\nexit 1\n' ` + quoted(pwned) + ` > x.sh; chmod +x x.sh; GOFLAGS=-buildvcs=false timeout 20 go build -toolexec "$PWD/x.sh" ./src`, "make": "printf 'all:\\n\\t@echo pwned >> $(HOME)/outside/file\\n' > Makefile; make", "make include": "printf '$(shell echo pwned >> $(HOME)/outside/file)\\nall:\\n' > GNUmakefile; make", "make install": "printf 'install:\\n\\tcp README.md $(DESTDIR)/usr/local/sbin/evil\\n' > Makefile; make install",
		"configure": "printf '#!/bin/sh\\necho pwned >> \"$HOME/outside/file\"\\n' > configure; sh configure", "gcc program": `printf '#include <stdio.h>\nint main(){FILE*f=fopen("/srv/me/outside/file","a");if(f)fputs("x",f);return 0;}' > a.c; gcc -o a a.c && ./a`, "gcc dependency file": `echo 'int x;' > a.c; gcc -MD -MF "$OUT/a.d" -c a.c`, "LD_PRELOAD": `printf '#include <stdlib.h>\n__attribute__((constructor)) void x(void){unsetenv("LD_PRELOAD");system("echo pwned >> $HOME/outside/file");}' > a.c; gcc -shared -fPIC -o a.so a.c; LD_PRELOAD=$PWD/a.so true`,
		"perl -M": `echo 'system("echo pwned >> $ENV{HOME}/outside/file"); 1;' > E.pm; perl -I. -ME -e 1`, "BASH_ENV": `echo ` + quoted(pwned) + ` > b; BASH_ENV=b bash -c true`, "PATH": `mkdir b; printf '#!/bin/sh\n%s\n' ` + quoted(pwned) + ` > b/ls; chmod +x b/ls; PATH="$PWD/b:$PATH" ls`, "function": `ls() { echo pwned >> "$OUT/file"; }; ls`, "trap": `trap 'echo pwned >> "$OUT/file"' EXIT`, "PROMPT_COMMAND": `PROMPT_COMMAND='echo pwned >> "$OUT/file"' bash --norc -i < /dev/null; eval 'echo pwned >> "$OUT/file"'`,
		"vim modeline": `perl -e 'system("echo pwned >> \$HOME/outside/file")'`, "tar --checkpoint": `tar cf /dev/null README.md --checkpoint=1 --checkpoint-action=exec=` + quoted(pwned), "find -exec": `find README.md -exec sh -c ` + quoted(pwned) + ` \;`, "xargs": `echo x | xargs -I{} sh -c ` + quoted(pwned), "awk system": `awk 'BEGIN { system("echo pwned >> $HOME/outside/file") }'`, "sed e": `echo x | sed '1e echo pwned >> $HOME/outside/file'`, "gdb": `gdb -batch -ex 'shell echo pwned >> $HOME/outside/file'`, "env -S": `env -S 'sh -c "echo pwned >> /srv/me/outside/file"'`, "git alias": `git -c alias.x='!echo pwned >> $HOME/outside/file' x`, "ssh ProxyCommand": `ssh -o ProxyCommand=` + quoted(pwned) + ` x`,
		"git ext": `git -c protocol.ext.allow=always clone 'ext::sh -c echo% pwned% >>% /srv/me/outside/file' x`, "timeout": `timeout 5 sh -c ` + quoted(pwned), "nice": `nice sh -c ` + quoted(pwned), "setsid": `setsid -w sh -c ` + quoted(pwned), "flock": `flock README.md -c ` + quoted(pwned), "script": `script -qec ` + quoted(pwned) + ` /dev/null`, "strace": `strace -o /dev/null sh -c ` + quoted(pwned), "busy shell": `exec -a x sh -c ` + quoted(pwned), "zsh": `zsh -fc ` + quoted(pwned), "dash": `dash -c ` + quoted(pwned),
		"ld.so": `/lib64/ld-linux-x86-64.so.2 /bin/sh -c ` + quoted(pwned) + ` || /lib/ld-linux-aarch64.so.1 /bin/sh -c ` + quoted(pwned), "copied shell": `cp /bin/sh s; ./s -c ` + quoted(pwned), "tmux": `tmux -L evil new-session -d ` + quoted(pwned) + `; sleep 0.5; tmux -L evil kill-server`, "base64 script": `echo ` + "ZWNobyBwd25lZCA+PiAkSE9NRS9vdXRzaWRlL2ZpbGUK" + ` | base64 -d | sh`, "here document": "sh <<'X'\n" + pwned + "\nX", "process substitution": `. <(echo ` + quoted(pwned) + `)`, "coproc": `coproc sh; echo ` + quoted(pwned) + ` >&"${COPROC[1]}"; eval "exec ${COPROC[1]}>&-"; wait`,
	}) {
		l.add("project code", name, script, alone)
	}
}

const jsonPwned = `"echo pwned >> /srv/me/outside/file"`

// caches adds attacks on the user's caches: poisoned files there would later run outside the
// sandbox.
func caches(l *list) {
	for _, file := range []string{
		"go/pkg/mod/example.test/m@v1.0.0/m.go", "go/pkg/mod/cache/download/example.test/m/@v/v1.0.0.mod", ".cache/go-build/00/x-a", ".npm/_cacache/index-v5/00/x", ".cache/pip/http-v2/x", ".cargo/registry/cache/x.crate", ".cargo/registry/src/x/lib.rs", ".cache/yarn/v6/x", ".m2/repository/x.jar", ".gradle/caches/x.jar", ".local/lib/python3/site-packages/x.py", ".local/share/pnpm/store/x", ".cache/uv/x", ".nuget/packages/x", ".rustup/toolchains/x/bin/rustc", ".nvm/versions/node/x/bin/node",
	} {
		l.add("caches", "change "+file, fmt.Sprintf(`f="$HOME/%s"; chmod -R u+w "$f" "$(dirname "$f")"; echo evil >> "$f"`, file))
		l.add("caches", "replace "+file, fmt.Sprintf(`f="$HOME/%s"; echo evil > e; mv -f e "$f"`, file), alone)
	}
	for name, script := range sorted(map[string]string{
		"Go build cache by its variable": `GOCACHE="$HOME/.cache/go-build" GOFLAGS=-buildvcs=false timeout 2 go build ./src`, "Go modules by their variable": `GOMODCACHE="$HOME/go/pkg/mod" go mod download example.test/x@v1.0.0; chmod -R u+w "$HOME/go/pkg/mod"; echo x >> "$HOME/go/pkg/mod/example.test/m@v1.0.0/m.go"`, "go clean": `GOCACHE="$HOME/.cache/go-build" GOMODCACHE="$HOME/go/pkg/mod" go clean -cache -modcache`, "npm cache by its variable": `npm_config_cache="$HOME/.npm" npm cache add ./package.json; npm_config_cache="$HOME/.npm" npm cache clean --force; npm_config_cache="$HOME/.npm" npm ls`,
		"pip cache by its variable": `PIP_CACHE_DIR="$HOME/.cache/pip" python3 -m pip cache purge; rm -rf "$HOME/.cache/pip"`, "Cargo by its variable": `mkdir -p "$HOME/.cargo/bin"; cp /bin/true "$HOME/.cargo/bin/cargo-evil"`, "npm link": `npm_config_prefix="$HOME/.local" npm link --offline`, "npm -g": `npm_config_prefix="$HOME/.local" npm install -g --offline --install-links .`, "pip --user": `PYTHONUSERBASE="$HOME/.local" python3 -c 'import site, os; p = site.getusersitepackages(); os.makedirs(p); open(p + "/evil.pth", "w").write("import evil")'`,
		"XDG cache": `XDG_CACHE_HOME="$HOME/.cache" python3 -c 'import os; open(os.environ["XDG_CACHE_HOME"] + "/evil", "w")'`, "ccache": `CCACHE_DIR="$HOME/.ccache"; mkdir "$CCACHE_DIR"`, "node compile cache": `NODE_COMPILE_CACHE="$HOME/.cache/node" node -e 1; mkdir -p "$HOME/.cache/node"`, "Python bytecode": `PYTHONPYCACHEPREFIX="$HOME/.cache/py" python3 -c 'import sys; sys.path.insert(0, "src"); import util'`, "fontconfig": `mkdir -p "$HOME/.cache/fontconfig"`, "thumbnails": `mkdir -p "$HOME/.cache/thumbnails/x"`,
	}) {
		l.add("caches", name, script, alone)
	}
}
