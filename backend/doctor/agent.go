package doctor

import (
	"cmp"
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
			check.State, check.Detail = Bad, backend.Say("%s did not answer", name)
			check.Hint = backend.Say("Try it in a terminal with: copilot --version – and install it anew if that fails too.")
			if program := strings.ToLower(filepath.Base(c.Path)); !strings.HasPrefix(program, "copilot") {
				check.Hint = backend.Say("Start it in a terminal to see why, or correct its command or address in Settings.")
			}
			if c.Stderr == "" && c.ExitCode == nil && c.State != "" { // it is on its way
				continue
			}
		}
		if c.Stderr != "" {
			check.Detail = backend.Say("%s; its last words: %q", check.Detail, c.Stderr)
		}
		if !seen[check.Detail.String()] {
			checks = append(checks, check)
		}
		seen[check.Detail.String()] = true
	}
	slices.SortFunc(checks, func(a, b Check) int { return cmp.Compare(a.Detail.String(), b.Detail.String()) })
	return checks
}

func abilities(name string, can *backend.Capabilities) backend.Message {
	if can == nil {
		return backend.Message{}
	}
	var has, lacks []backend.Message
	for _, c := range []struct {
		name backend.Message
		has  bool
	}{
		{backend.Say("load sessions"), can.Load},
		{backend.Say("list sessions"), can.List},
		{backend.Say("resume sessions"), can.Resume},
		{backend.Say("fork sessions"), can.Fork},
		{backend.Say("close sessions"), can.Close},
		{backend.Say("take images"), can.Image},
		{backend.Say("take audio"), can.Audio},
		{backend.Say("take embedded files"), can.EmbeddedContext},
	} {
		if c.has {
			has = append(has, c.name)
		} else {
			lacks = append(lacks, c.name)
		}
	}
	able, unable := backend.List(has...), backend.List(lacks...)
	switch {
	case unable.IsZero():
		return backend.Say("%s can do all there is: %s", name, able)
	case able.IsZero():
		return backend.Say("%s can answer prompts; it cannot %s", name, unable)
	}
	return backend.Say("%s can %s; it cannot %s", name, able, unable)
}
