package workspace

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/voxpilot/voxpilot/internal/chaos"
)

// ignoredByGit returns those of the given names that git ignores. The files needn't exist.
func ignoredByGit(t *testing.T, rules string, names []string) []string {
	t.Helper()
	dir := t.TempDir()
	git := func(in string, args ...string) string {
		cmd := exec.CommandContext(t.Context(), "git", args...)
		cmd.Dir, cmd.Stdin = dir, strings.NewReader(in)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.Output()
		if err != nil && cmd.ProcessState.ExitCode() != 1 { // 1 means that none is ignored
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("", "init", "--quiet")
	if err := os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(rules), 0o600); err != nil {
		t.Fatal(err)
	}
	out := git(strings.Join(names, "\x00")+"\x00", "check-ignore", "--no-index", "-z", "--stdin")
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 })
}

// ignoredByFiles returns those of the given names that the rules exclude according to the function ignored, including
// everything in excluded folders.
func ignoredByFiles(rules string, names []string) (out []string) {
	list := ignoreRules(".", []byte(rules))
	for _, name := range names {
		var at string
		all := strings.Split(name, "/")
		for i, part := range all {
			if at += part; ignored(list, at, i < len(all)-1) {
				out = append(out, name)
				break
			}
			at += "/"
		}
	}
	return out
}

func TestIgnored_MatchesGit(t *testing.T) {
	names := []string{"a", "b", "ab", "a.log", "x/a", "x/y/a", "x/y/z/a.log", "foo", "x/foo/b", "foo/x/bar", "foo/bar", "#c", "!d", "e ", "a]", "a-b", "A", "x/[", "**", `a\b`, "\t"}
	for _, rules := range []string{
		"a", "/a", "x/a", "*.log", "*", "*\n!a", "x/", "/x/*\n!/x/y", "**/a", "x/**", "x/**/a", "a/**/b", "foo/**/bar", "**", "***", "x/***/a", "a**b", "?", "??",
		"[ab]", "[!ab]", "[^a]", "[a-c]", "[]a]", "[]-a]", "[a\\]]", "[[:alpha:]]", "[[:digit:]-]", "[[:nope:]]", "[", "[a", "a[", "\\#c", "#c", "\\!d", "!d", "e\\ ", "e ", "a\\", "\\a",
		"/", "//", "/*/", "x//a", "**/", "/**", "*a*", "*/*", "a/", "!a", "a\n!a\na", "a]", "\\**", "[*]", "[?]", "a\\-b", "[a-]", "[--a]", "**/foo/**", "x/*/a", "[A-Z]", "\t",
	} {
		want, got := ignoredByGit(t, rules, names), ignoredByFiles(rules, names)
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", rules, got, want)
		}
	}
}

func TestIgnored_MatchesGitForRandomRules(t *testing.T) {
	seed := chaos.Seed(t)
	for round := range chaos.Runs(20, 500) {
		random := chaos.Rand(t, seed, round)
		var rules strings.Builder
		for range 1 + random.IntN(3) {
			fmt.Fprintf(&rules, "%s\n", randomText(random, "aab/**?[]!^-"))
		}
		names := []string{"a"}
		for range 30 {
			name := strings.Trim(randomText(random, "aab/"), "/")
			for strings.Contains(name, "//") {
				name = strings.ReplaceAll(name, "//", "/")
			}
			if name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		if want, got := ignoredByGit(t, rules.String(), names), ignoredByFiles(rules.String(), names); !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", rules.String(), got, want)
		}
	}
}

func randomText(random *rand.Rand, of string) string {
	b := make([]byte, 1+random.IntN(8))
	for i := range b {
		b[i] = of[random.IntN(len(of))]
	}
	return string(b)
}

// TestIgnored_TakesLinearSteps checks that twice as many bytes of rules take about twice as many steps, whatever the
// rules contain.
func TestIgnored_TakesLinearSteps(t *testing.T) {
	name := strings.Repeat("a", 200) + "/" + strings.Repeat("a/", 50) + strings.Repeat("a", 100) + "b"
	for _, piece := range []string{"*", "*a", "a*", "?*", "**/", "*/", "a/**/", "**/a/", "[ab]", "*[a]", "[", "\\*", "*\n", "*b*\n", "**/a/*c\n", "!*\n", "[[:alpha:]"} {
		steps := func(size int) int {
			m := matcher{}
			m.ignored(ignoreRules(".", []byte(strings.Repeat(piece, size/len(piece))+"c")), name, false)
			return m.steps
		}
		half, whole := steps(maxRules/2), steps(maxRules-1)
		if whole > 3*half+1000 || whole > maxRules*len(name) {
			t.Errorf("%q: got %d steps for %d bytes and %d for half of them", piece, whole, maxRules, half)
		}
	}
}
