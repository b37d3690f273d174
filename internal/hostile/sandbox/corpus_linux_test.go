package sandbox_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/permission"
	"github.com/voxpilot/voxpilot/internal/chaos"
)

// attack is a script that tries to escape from the sandbox. If it succeeds, the tests notice a change outside of the
// folder, a secret in its output or in a writable place, a connection to a decoy, a process that is left behind, or
// the text scene.win in its output.
type attack struct {
	family, name string
	script       string
	// alone means that the attack changes the folder or kills processes, so it gets a separate sandbox.
	alone bool
	// nextRun means that harmless commands run in the sandbox after the attack. git means that git runs outside of the
	// sandbox after the attack.
	nextRun, git bool
	// sites means that the attack also runs with a network in which only some sites are allowed.
	sites bool
	// noControl is the reason why, in these tests, the attack has no effect even without the sandbox. It is "" if the
	// attack succeeds without the sandbox.
	noControl string
}

func (a attack) id() string { return a.family + ": " + a.name }

// attackSize is the minimum number of attacks.
const attackSize = 500

// probe is a script that runs git in the folder, as the user would after the agent's turn.
const probe = `cd "$FOLDER" 2>/dev/null && { git status; git diff HEAD; git log -1 --show-signature; git branch -a; git fetch .; git add -A; git commit -m probe; git checkout -q -b probe; git stash; git stash pop; git submodule status; git gc --auto; git show; git blame README.md; git pull . side; git worktree list; } </dev/null >/dev/null 2>&1`

// perRun is the maximum number of attacks that share a sandbox.
const perRun = 25

// batches divides attacks into groups that share a sandbox.
func batches(list []attack) (groups [][]attack) {
	var open []attack
	for _, a := range list {
		if a.alone || a.nextRun || a.git {
			groups = append(groups, []attack{a})
			continue
		}
		if open = append(open, a); len(open) == perRun {
			groups, open = append(groups, open), nil
		}
	}
	if len(open) > 0 {
		groups = append(groups, open)
	}
	return groups
}

// scriptOf returns the script that runs attacks one after another.
func scriptOf(w *scene, list []attack) string {
	if len(list) == 1 {
		return w.prelude() + list[0].script
	}
	var b strings.Builder
	b.WriteString(w.prelude())
	for _, a := range list {
		fmt.Fprintf(&b, "timeout -k 1 10 bash -c %s </dev/null 2>&1\n", quoted(a.script))
	}
	return b.String()
}

func quoted(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// choose returns the attacks to run: all of them in a long test run, otherwise a random one of each family.
func choose(t *testing.T, seed uint64) []attack {
	all := attacks()
	if len(all) < attackSize {
		t.Errorf("got %d attacks, want %d", len(all), attackSize)
	}
	for i, a := range all {
		if slices.ContainsFunc(all[:i], func(b attack) bool { return b.id() == a.id() || b.script == a.script }) {
			t.Errorf("twice: %s", a.id())
		}
	}
	if chaos.Long() {
		return all
	}
	var some []attack
	for _, i := range chaos.Rand(t, seed, 0).Perm(len(all)) {
		if !slices.ContainsFunc(some, func(a attack) bool { return a.family == all[i].family }) {
			some = append(some, all[i])
		}
	}
	t.Logf("%d of %d attacks, by the seed %d", len(some), len(all), seed)
	return some
}

// attempt runs attacks in the sandbox and returns their effects.
func (w *scene) attempt(list []attack) []string {
	before := w.look()
	output, code := w.sandboxed(scriptOf(w, list))
	if code < 0 && !list[0].alone {
		w.t.Errorf("%s: the shell ended with %d", list[0].id(), code)
	}
	if list[0].nextRun {
		more, _ := w.sandboxed("true")
		output += more
	}
	if list[0].git {
		_, _ = w.shell(w.prelude() + probe)
	}
	trips := w.trips(before, output)
	w.restore(before)
	return trips
}

// mustHold runs attacks in the sandbox and reports an error for each attack that has an effect.
func (w *scene) mustHold(list []attack) {
	victim := w.victimPID()
	defer func() {
		w.reap()
		if w.victimPID() != victim && !w.t.Failed() {
			w.t.Error("a process of the user was ended")
		}
	}()
	for _, group := range batches(list) {
		trips := w.attempt(group)
		if len(trips) == 0 {
			continue
		}
		if len(group) == 1 {
			w.t.Errorf("%s (network %s): %q\n%s", group[0].id(), w.network, trips, group[0].script)
			continue
		}
		found := false
		for _, a := range group {
			if trips := w.attempt([]attack{a}); len(trips) > 0 {
				w.t.Errorf("%s (network %s): %q\n%s", a.id(), w.network, trips, a.script)
				found = true
			}
		}
		if !found {
			w.t.Errorf("%s to %s (network %s), together: %q", group[0].id(), group[len(group)-1].id(), w.network, trips)
		}
	}
}

// TestCorpus_NothingLeavesTheSandbox checks that no attack changes anything outside of the folder, reads a secret,
// reaches a service or leaves a process behind.
func TestCorpus_NothingLeavesTheSandbox(t *testing.T) {
	for _, user := range []struct {
		name string
		uid  int
	}{{"user", 1000}, {"root", 0}} {
		t.Run(user.name, func(t *testing.T) {
			seed := chaos.Seed(t)
			n := len(choose(t, seed))
			result := chaos.Row(t, "Scripts in the sandbox, as "+user.name, n)
			t.Setenv("VOXPILOT_CHAOS_SEED", fmt.Sprint(seed))
			inside, results := onComputer(t, user.uid)
			if !inside {
				result("%s", strings.Join(results, "; "))
				return
			}
			w := newScene(t)
			list := choose(t, seed)
			w.network = backend.NetworkOff
			w.mustHold(list)
			w.network = backend.NetworkSites
			online := slices.DeleteFunc(slices.Clone(list), func(a attack) bool { return !a.sites })
			w.mustHold(online)
			families := map[string]bool{}
			for _, a := range list {
				families[a.family] = true
			}
			if t.Failed() {
				return
			}
			report("0 bytes outside, 0 secrets read, 0 connections, 0 processes and mounts left; %d of them with some sites too; %d families", len(online), len(families))
		})
	}
}

// TestCorpus_SucceedsWithoutSandbox checks that the attacks, except those with noControl set, have an effect without a
// sandbox. Otherwise, TestCorpus_NothingLeavesTheSandbox would prove nothing.
func TestCorpus_SucceedsWithoutSandbox(t *testing.T) {
	seed := chaos.Seed(t)
	result := chaos.Row(t, "The same without the sandbox, in a namespace, as root", len(choose(t, seed)))
	t.Setenv("VOXPILOT_CHAOS_SEED", fmt.Sprint(seed))
	inside, results := onComputer(t, 0)
	if !inside {
		result("%s", strings.Join(results, "; "))
		return
	}
	w := newScene(t)
	list := choose(t, seed)
	without := 0
	for _, a := range list {
		if a.noControl != "" {
			without++
			continue
		}
		before := w.look()
		w.apart = a.family == "mounts and namespaces"
		output, _ := w.shell(w.prelude() + a.script)
		w.apart = false
		if a.git {
			_, _ = w.shell(w.prelude() + probe)
		}
		trips := w.trips(before, output)
		for until := time.Now().Add(2 * time.Second); len(trips) == 0 && time.Now().Before(until); {
			<-time.After(20 * time.Millisecond) // for example, until a process has ended
			trips = w.trips(before, output)
		}
		w.restore(before)
		if len(trips) == 0 {
			t.Errorf("%s achieves nothing without the sandbox\n%s\n%.600s", a.id(), a.script, output)
		}
	}
	if t.Failed() {
		return
	}
	report("%d succeed; %d can't be tried there", len(list)-without, without)
}

// TestCorpus_NeedsNoQuestion checks the mode Allow edits: with the sandbox on, VoxPilot starts every attack without
// asking the user; with the sandbox off, it asks. When the sandbox is on, it alone stops the attacks.
func TestCorpus_NeedsNoQuestion(t *testing.T) {
	all := attacks()
	result := chaos.Row(t, "The same with Allow edits: requests", len(all))
	broker := permission.New(permission.Config{Mode: func(string) backend.PermissionMode { return backend.ModeAcceptEdits }})
	for _, a := range all {
		p := backend.Permission{Kind: backend.ToolExecute, Folder: folder, Command: a.script, Commands: []string{a.script}}
		if broker.IsAllowed(p) {
			t.Errorf("%s: allowed without the sandbox", a.id())
		}
		if p.Sandbox = backend.SandboxInside; !broker.IsAllowed(p) {
			t.Errorf("%s: the user is asked", a.id())
		}
	}
	result("all begin without a question; without the sandbox, all need one")
}
