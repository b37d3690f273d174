package cmdline_test

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/backend/cmdline"
	"github.com/voxpilot/voxpilot/internal/need"
)

// skipWindows skips a test on Windows, where lines aren't parsed.
func skipWindows(t *testing.T) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("lines of PowerShell and cmd are not read")
	}
}

// newProject creates a typical project folder, including links that lead out of it.
func newProject(t *testing.T) string {
	t.Helper()
	base := t.TempDir()
	folder := filepath.Join(base, "app")
	for _, dir := range []string{"src/api", "packages/a", "vendor/evil", ".git"} {
		noErr(t, os.MkdirAll(filepath.Join(folder, dir), 0o700))
	}
	noErr(t, os.MkdirAll(filepath.Join(base, "other/deep"), 0o700))
	for _, file := range []string{"a.go", "b.go", "main.go", "package.json", "README.md", "Makefile", "src/index.ts", "src/api/x.ts", "../other/secret", "manage.py", "build.sh"} {
		noErr(t, os.WriteFile(filepath.Join(folder, file), []byte("x\n"), 0o600))
	}
	for link, to := range map[string]string{"out": "../other", "deep": "../other/deep", "secret.txt": "../other/secret", "in": "src"} {
		if err := os.Symlink(to, filepath.Join(folder, link)); err != nil {
			need.Missing(t, "links cannot be made here: %v", err)
		}
	}
	return folder
}

func noErr(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// beyond returns the reason why a prefix rule doesn't cover the line, or "" if it does.
func beyond(t *testing.T, folder, rule, line string) string {
	t.Helper()
	own, err := cmdline.Parse(rule)
	noErr(t, err)
	command, err := cmdline.Parse(line)
	if err != nil {
		return err.Error()
	}
	if !command.HasPrefix(own) {
		return "begins with other words"
	}
	return command.Outside(folder, false, func(i int) bool { return i < len(own) })
}

// ordinary maps each typical rule to everyday lines that the rule covers.
var ordinary = map[string][]string{
	"git status":         {"git status", "git status -sb", "git status --porcelain=v2 --branch", "git  status"},
	"git log":            {"git log --oneline -5", "git log -n 3 --stat", "git log main..HEAD", "git log --format='%h %s'", "git log -p -- src/index.ts", "git log HEAD~3..HEAD^", "git log @{u}..", "git log @~2", "git log --since='2 days ago' --author=me", "git log --graph --all", "git log -S foo", "git log --name-only"},
	"git diff":           {"git diff", "git diff --stat HEAD", "git diff main...feature/x", "git diff -- '*.go'", "git diff --cached --name-only", "git diff HEAD~1 -- src/"},
	"git show":           {"git show HEAD", "git show HEAD:src/index.ts", "git show --stat abc123", "git show stash@{0}"},
	"git":                {"git status", "git add -A", "git add src/index.ts", "git commit -m 'fix: a; b'", "git commit -am \"it's done\"", "git branch --show-current", "git stash pop", "git checkout -b feature/x", "git rev-parse --short HEAD", "git ls-files '*.go'", "git blame -L 1,5 a.go", "git push -u origin main", "git fetch origin", "git pull --rebase", "git --no-pager log", "git merge --no-ff feature/x", "git remote -v", "git tag v1.2.3"},
	"go test":            {"go test ./...", "go test -race -count=1 ./src/...", "go test -run 'TestX/sub' ./src", "go test -v -timeout 30s .", "go test -cover ./...", "go test -bench . -benchmem ./src", "go test -tags webkit2_41 ./..."},
	"go":                 {"go build ./...", "go vet ./...", "go test ./...", "go list -f '{{.Dir}}' ./...", "go run ./src", "go fmt ./...", "go doc strings.Cut"},
	"npm test":           {"npm test", "npm test -- --run -t 'a b'", "npm test --silent", "npm test -- src/api/x.ts"},
	"npm run":            {"npm run build", "npm run lint -- --fix", "npm run test:unit", "npm run dev --workspace=a"},
	"npm":                {"npm test", "npm run build", "npm ls --depth=0", "npm outdated", "npm view react version"},
	"pnpm":               {"pnpm test", "pnpm --filter=web build", "pnpm run lint", "pnpm test", "pnpm run build", "pnpm lint"},
	"yarn":               {"yarn", "yarn test", "yarn workspace web build", "yarn test", "yarn build --watch"},
	"npx tsc":            {"npx tsc --noEmit", "npx tsc -p ."},
	"ls":                 {"ls", "ls -la src", "ls *.go", "ls -1 src/ packages", "ls --color=never"},
	"cat":                {"cat README.md", "cat src/index.ts package.json", "cat 'a.go'", "cat *.md", "cat in/index.ts"},
	"head":               {"head -20 main.go", "head -n 5 src/index.ts"},
	"wc":                 {"wc -l *.go"},
	"grep":               {"grep -rn 'foo|bar' src", "grep -n \"/api/users\" src/index.ts", "grep -rin --include='*.ts' hello .", "grep -c x a.go", "grep -A 3 -B 2 func main.go"},
	"rg":                 {"rg 'func \\w+' -g '*.go'", "rg -n --type ts foo src", "rg --files -g '*.md'", "rg -uu TODO"},
	"find":               {"find . -name '*.go'", "find src -type f -newer a.go", "find . -path ./node_modules -prune -o -name x -print", "find . -maxdepth 2 -type d"},
	"sed -n":             {"sed -n 1,20p main.go", "sed -n '/func/p' main.go", "sed -n '5p;10p' a.go"},
	"sed":                {"sed 's/a/b/g' a.go", "sed -e 's/x/y/' -e '/z/d' a.go", "sed -n '10,$p' README.md"},
	"awk":                {"awk '{print $1}' a.go", "awk -F: '{print $2}' a.go", "awk 'NR==1{print}' a.go"},
	"sort":               {"sort a.go", "sort -u -k2,2n README.md", "sort -t , -k 1 a.go"},
	"make":               {"make", "make test", "make -j4 build", "make -n lint"},
	"python":             {"python manage.py test -v 2", "python --version"},
	"python3 -m pytest":  {"python3 -m pytest -q src", "python3 -m pytest -k 'a and b' -x"},
	"node":               {"node src/index.ts --port 3000", "node --test src"},
	"tar":                {"tar tzf src/a.tgz", "tar -czf out.tgz src", "tar xf src/a.tar -C src"},
	"curl":               {"curl https://pkg.go.dev/", "curl -sSfL 'https://example.org/a?b=c'", "curl -I http://localhost:8080/health"},
	"gh pr":              {"gh pr list --json number --jq '.[].number'", "gh pr view 12", "gh pr diff 12", "gh pr checks 12", "gh pr list", "gh pr view 12 --json title,body", "gh pr status", "gh pr diff 3"},
	"docker":             {"docker ps -a", "docker logs web", "docker images"},
	"kubectl":            {"kubectl get pods -n web", "kubectl describe pod x", "kubectl logs -f x"},
	"timeout 60 go test": {"timeout 60 go test ./..."},
	"./build.sh":         {"./build.sh", "./build.sh --release"},
	"echo":               {"echo done", "echo 'a > b'"},
	"mkdir":              {"mkdir -p src/new/dir"},
	"cp":                 {"cp a.go src/a.go", "cp -r src packages/a"},
	"cargo":              {"cargo test --all", "cargo build --release", "cargo clippy -- -D warnings"},
	"command -v":         {"command -v git"},
	"git push":           {"git push", "git push origin HEAD:main", "git push -u origin feature/x:feature/x", "git push --force-with-lease origin main", "git push origin :old", "git push --tags"},
	"git pull":           {"git pull --rebase origin main"},
	"jq":                 {"jq .scripts.env package.json", "jq -r '.environment' package.json"},
}

// TestBeyond_OrdinaryLines checks that everyday commands need no permission.
func TestBeyond_OrdinaryLines(t *testing.T) {
	skipWindows(t)
	folder := newProject(t)
	for rule, lines := range ordinary {
		for _, line := range lines {
			if why := beyond(t, folder, rule, line); why != "" {
				t.Errorf("the rule %q doesn't cover %q: %s", rule, line, why)
			}
		}
	}
}

// TestBeyond_PathsOutside checks that a path outside the folder requires permission,
// wherever in a word it appears.
func TestBeyond_PathsOutside(t *testing.T) {
	skipWindows(t)
	folder := newProject(t)
	outside := filepath.Join(filepath.Dir(folder), "other")
	for _, line := range []string{
		"cat " + outside + "/secret", "cat ../other/secret", "cat src/../../other/secret", "cat out/secret", "cat secret.txt", "cat ./out/secret",
		"cat deep/../secret", "cat in/../../other/secret", "cat ~/.ssh/id_rsa", "cat ~root/x", "cat /proc/self/environ", "cat src/nothing/../../../other/secret",
		"cat ?ut/secret", "cat o*/secret", "cat */secret", "cat s*.txt", "cat [o]ut/secret", "cat src/**/x",
		"ls -I" + outside, "ls --file=" + outside, "ls -I../other", "ls a=../other", "ls x:../other", "ls @../other", "ls a,../other", "ls --a=b:" + outside, "ls -xyz/etc/passwd",
		"ls ..", "ls ../", "ls .//..", "ls src/../..", "ls /", "ls file:///etc/passwd", "ls --x=~/y", "ls x:~/y", "cat https:/../../other/secret",
	} {
		rule := line[:strings.IndexByte(line, ' ')]
		if why := beyond(t, folder, rule, line); why == "" {
			t.Errorf("%q leads outside and is covered", line)
		}
	}
	noErr(t, os.WriteFile(filepath.Join(folder, "--output=x"), nil, 0o600))
	if why := beyond(t, folder, "git log", "git log *"); why == "" {
		t.Error("a pattern that matches an option is covered")
	}
	own, err := cmdline.Parse("cat")
	noErr(t, err)
	command, err := cmdline.Parse("cat " + outside + "/secret")
	noErr(t, err)
	if why := command.Outside(folder, true, func(i int) bool { return i < len(own) }); why != "" {
		t.Errorf("where paths may lead outside: %s", why)
	}
}

// TestParse_OneSimpleCommand checks that a line is parsed only if it is a single simple
// command with known words.
func TestParse_OneSimpleCommand(t *testing.T) {
	skipWindows(t)
	for _, line := range []string{
		"", " ", "a; b", "a & b", "a &", "a | b", "a || b", "! a", "(a)", "{ a; }", "a\nb", "a\n", "a\rb", "a\x00", "a > x", "a >> x", "a < x", "a <<< x", "a 2> x", "a &> /dev/null", "a 3> /dev/null",
		"a >| /dev/null", "a <> /dev/null", "a > /dev/tcp/x/1", "a 2>&1", "X=1 a", "X=1", "a $x", "a ${x}", "a $(b)", "a `b`", "a $((1))", `a "$x"`, "a $'x'", `a $"x"`, "a {b,c}", "a {1..3}", "a ~", "a ~/x",
		"a x=~/y", "a ''~", `a ""~/x`, "a ''=git", "a --x=''~", "a <(b)", "a !x", `a "!x"`, "a #x", "a =b", "*", "?a b", "[ab] c", "a\u00a0b", "a \u202e", "a \u200b", "a\u2028b", "a \u3000b", "a \ufeff", "a @(x)", "a +(x|y)", "a *(x)", "a !(x)", "if a; then b; fi",
		"for x in y; do z; done", "f() { a; }", "time a", "coproc a", "[[ a ]]", "export X=1", "declare x", "let x=1", "a 'b", `a "b`, `a \`, "a )", "case x in esac", "function f { a; }", "a $", "a \xff", "\\",
	} {
		if command, err := cmdline.Parse(line); err == nil {
			t.Errorf("%q is read as %v", line, command)
		}
	}
	for line, want := range map[string][]string{
		`a 'b c' "d e" f\ g`: {"a", "b c", "d e", "f g"}, `a "b\"c\\d\x"`: {"a", `b"c\d\x`}, "a > /dev/null 2> /dev/null < /dev/null": {"a"},
		`a ''`: {"a", ""}, `a\b "c"'d'e`: {"ab", "cde"}, "  a\tb  ": {"a", "b"}, `a '$x' "\$x" \$x`: {"a", "$x", "$x", "$x"}, "a HEAD@{1} x{} '{a,b}'": {"a", "HEAD@{1}", "x{}", "{a,b}"},
		`a '!x' \! \#`: {"a", "!x", "!", "#"}, "a b~1 c^ -x=1 d#e": {"a", "b~1", "c^", "-x=1", "d#e"},
	} {
		command, err := cmdline.Parse(line)
		var got []string
		for _, word := range command {
			got = append(got, word.Text)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%q is read as %q, %v", line, got, err)
		}
	}
}
