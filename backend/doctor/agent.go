package doctor

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
)

// agents says what the agents are able to do, each version once, and what they
// wrote to stderr last.
func agents(connections []backend.Connection) (checks []Check) {
	seen := map[string]bool{}
	for _, c := range connections {
		name := strings.TrimSpace(cmp.Or(c.Agent, c.Path) + " " + c.Version)
		check := Check{Name: "Agent", State: OK, Detail: abilities(name, c.Can)}
		if c.Can == nil {
			check.State, check.Detail = Bad, name+" did not answer"
			check.Hint = "Try it in a terminal with: copilot --version – and install it anew if that fails too."
			if program := strings.ToLower(filepath.Base(c.Path)); !strings.HasPrefix(program, "copilot") {
				check.Hint = "Start it in a terminal to see why, or correct its command or address in Settings."
			}
			if c.Stderr == "" && c.ExitCode == nil && c.State != "" { // it is on its way
				continue
			}
		}
		if c.Stderr != "" {
			check.Detail = fmt.Sprintf("%s; its last words: %q", check.Detail, c.Stderr)
		}
		if !seen[check.Detail] {
			checks = append(checks, check)
		}
		seen[check.Detail] = true
	}
	slices.SortFunc(checks, func(a, b Check) int { return cmp.Compare(a.Detail, b.Detail) })
	return checks
}

func abilities(name string, can *backend.Capabilities) string {
	if can == nil {
		return ""
	}
	var has, lacks []string
	for _, c := range []struct {
		name string
		has  bool
	}{
		{"load sessions", can.Load},
		{"list sessions", can.List},
		{"resume sessions", can.Resume},
		{"fork sessions", can.Fork},
		{"close sessions", can.Close},
		{"take images", can.Image},
		{"take audio", can.Audio},
		{"take embedded files", can.EmbeddedContext},
	} {
		if c.has {
			has = append(has, c.name)
		} else {
			lacks = append(lacks, c.name)
		}
	}
	able, unable := strings.Join(has, ", "), strings.Join(lacks, ", ")
	switch {
	case unable == "":
		return fmt.Sprintf("%s can do all there is: %s", name, able)
	case able == "":
		return fmt.Sprintf("%s can answer prompts; it cannot %s", name, unable)
	}
	return fmt.Sprintf("%s can %s; it cannot %s", name, able, unable)
}
