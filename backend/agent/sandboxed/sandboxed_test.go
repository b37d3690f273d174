package sandboxed

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/guard"
)

func TestWayOf_ByPrefixAndSandbox(t *testing.T) {
	problem := backend.Plain("missing")
	for name, c := range map[string]struct {
		tool, command string
		on            bool
		problem       backend.Message
		want          Plan
	}{
		"another tool":          {tool: "view", command: "ls", on: true},
		"off":                   {tool: "bash", command: "ls", want: Plan{Line: "ls"}},
		"on":                    {tool: "bash", command: "ls", on: true, want: Plan{Role: backend.SandboxInside, Line: "ls"}},
		"not ready":             {tool: "bash", command: "ls", on: true, problem: problem, want: Plan{Role: backend.SandboxInside, Line: "ls", Problem: problem}},
		"outside":               {tool: "bash", command: " outside-sandbox -- ls -l", on: true, want: Plan{Role: backend.SandboxLeaves, Line: "ls -l", Changed: true}},
		"outside, off":          {tool: "bash", command: "outside-sandbox -- ls", want: Plan{Line: "ls", Changed: true}},
		"outside, not ready":    {tool: "bash", command: "outside-sandbox -- ls", on: true, problem: problem, want: Plan{Role: backend.SandboxLeaves, Line: "ls", Changed: true}},
		"not at the start":      {tool: "bash", command: "cd x && outside-sandbox -- ls", on: true, want: Plan{Role: backend.SandboxInside, Line: "cd x && outside-sandbox -- ls"}},
		"the start of a name":   {tool: "bash", command: "outside-sandbox --x", on: true, want: Plan{Role: backend.SandboxInside, Line: "outside-sandbox --x"}},
		"blanks of the command": {tool: "bash", command: "  ls ", on: true, want: Plan{Role: backend.SandboxInside, Line: "  ls "}},
	} {
		args, err := json.Marshal(map[string]any{"command": c.command, "mode": "async"})
		if err != nil {
			t.Fatal(err)
		}
		call := guard.Call{Event: guard.ToolCall, Tool: c.tool, Args: args}
		got, err := Sandbox{Use: func() (bool, backend.Message) { return c.on, c.problem }}.PlanOf(&call)
		if err != nil || got != c.want {
			t.Errorf("%s: got %+v, want %+v (%v)", name, got, c.want, err)
		}
		if got.Changed && (gjson.GetBytes(got.Args(call), "command").Str != got.Line || gjson.GetBytes(got.Args(call), "mode").Str != "async") {
			t.Errorf("%s: the call is %s", name, call.Args)
		}
		if !got.Changed && got.Args(call) != nil {
			t.Errorf("%s: the arguments change", name)
		}
	}
}

func TestRuns_AsWrittenShowsNoWrapping(t *testing.T) {
	var r Runs
	for _, line := range []string{`echo "a" > x && b`, "two\nlines"} {
		r.Add(line, Run{Shell: "exec 4<>'/run/" + line[:1] + `' && exec -c bwrap "$x"`}, &backend.Tool{})
	}
	up := gjson.Parse(`{"content":[{"text":"current: exec 4<>'/run/e' && exec -c bwrap \"$x\", then exec 4<>'/run/t' && exec -c bwrap \"$x\""}]}`)
	if got, want := r.AsWritten(up).Get("content.0.text").Str, "current: echo \"a\" > x && b, then two\nlines"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	other := gjson.Parse(`{"text":"exec nothing"}`)
	if r.AsWritten(other).Raw != other.Raw {
		t.Error("another update changed")
	}
}

func TestRuns_EarlierNamesLastRun(t *testing.T) {
	var r Runs
	one := 1
	r.Add("go test", Run{}, &backend.Tool{})
	r.Add("go test ", Run{}, &backend.Tool{ExitCode: &one})
	r.Add("go vet", Run{}, &backend.Tool{})
	r.list[1].at -= 5 * 60_000
	for line, want := range map[string]string{
		"go test": "This command ran in the sandbox 5 min ago and exited with code 1.", "go vet": "less than a minute ago. Its exit code is unknown.", "go build": "This command hasn't run",
	} {
		if got := r.Earlier(line).String(); !strings.Contains(got, want) {
			t.Errorf("%s: got %q, want %q", line, got, want)
		}
	}
}

func TestRuns_DiscardOnce(t *testing.T) {
	var r Runs
	ended := make(chan bool, 2)
	r.Add("ls", Run{Discard: func() { ended <- true }}, &backend.Tool{})
	r.Discard()
	<-ended
	r.Discard()
	if r.list[0].end != nil || len(ended) != 0 {
		t.Error("the run is discarded twice")
	}
}

func TestRuns_OldestIsDiscarded(t *testing.T) {
	var r Runs
	discarded := make(chan int, maxRuns+2)
	for i := range maxRuns + 2 {
		r.Add("ls", Run{Discard: func() { discarded <- i }}, &backend.Tool{})
	}
	if sum := <-discarded + <-discarded; sum != 1 || len(r.list) != maxRuns {
		t.Errorf("got a sum of %d and %d runs, want those of the first two, and %d", sum, len(r.list), maxRuns)
	}
	r.Discard()
	r.Discard()
	seen := map[int]bool{}
	for range maxRuns {
		seen[<-discarded] = true
	}
	if len(seen) != maxRuns || len(discarded) != 0 {
		t.Errorf("%d runs were discarded, and %d twice", len(seen), len(discarded))
	}
}
