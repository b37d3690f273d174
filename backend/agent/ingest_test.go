package agent_test

import (
	"bufio"
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"

	sdk "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/internal/fakeagent"
)

// floods is the number of updates in each round of the benchmarks below.
const floods = 200_000

func flood() fakeagent.Script {
	return fakeagent.Script{Turns: []fakeagent.Turn{{fakeagent.Chunks(floods, "some words of an answer ", 0)}}}
}

// BenchmarkIngest measures the processing of updates, from the agent's stdout to the published events.
func BenchmarkIngest(b *testing.B) {
	for b.Loop() {
		var bytes atomic.Int64
		home := b.TempDir()
		path, args, env := fakeagent.Command(flood())
		a := agent.New(agent.Config{
			ChatID: "chat", Folder: home,
			Launch: func(context.Context) (agent.Launch, *agent.LaunchError) {
				return agent.Launch{Path: path, Args: args, Env: append(append(os.Environ(), env...), "COPILOT_HOME="+home)}, nil
			},
			Publish: func(events ...backend.Event) {
				for _, e := range events {
					if e.Text != nil {
						bytes.Add(int64(len(e.Text.Text)))
					}
				}
			},
			Commit: func(context.Context, ...backend.Event) error { return nil },
			Ask:    func(_ context.Context, p backend.Permission) (backend.Permission, bool) { return p, false },
		})
		if r := a.Prompt(context.Background(), backend.Turn{ID: "1", Session: backend.SessionMain}, "go"); r.State != backend.TurnDone {
			b.Fatal(r)
		}
		if bytes.Load() != floods*24 {
			b.Fatal("bytes:", bytes.Load())
		}
		if err := a.Close(context.Background()); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(floods)*float64(b.N)/b.Elapsed().Seconds(), "updates/s")
}

// BenchmarkBareLoop measures the minimum work that any client must do to process the agent's output in
// BenchmarkIngest.
func BenchmarkBareLoop(b *testing.B) {
	for b.Loop() {
		home := b.TempDir()
		path, args, env := fakeagent.Command(flood())
		cmd := exec.Command(path, args...)
		cmd.Env = append(append(os.Environ(), env...), "COPILOT_HOME="+home)
		in, err := cmd.StdinPipe()
		noErrBench(b, err)
		out, err := cmd.StdoutPipe()
		noErrBench(b, err)
		noErrBench(b, cmd.Start())
		r := bufio.NewReader(out)
		send := func(line string) {
			_, err := in.Write([]byte(line + "\n"))
			noErrBench(b, err)
		}
		var msg struct {
			ID     *int
			Method string
			Params json.RawMessage
			Result struct{ SessionID string }
		}
		send(`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/"}}`)
		n := 0
		for {
			line, err := r.ReadBytes('\n')
			noErrBench(b, err)
			msg.ID, msg.Method = nil, ""
			noErrBench(b, json.Unmarshal(line, &msg))
			if msg.Method != "" {
				var note sdk.SessionNotification
				noErrBench(b, json.Unmarshal(msg.Params, &note))
				n++
			} else if *msg.ID == 1 {
				send(`{"jsonrpc":"2.0","id":2,"method":"session/prompt","params":{"sessionId":"` + msg.Result.SessionID + `","prompt":[]}}`)
			} else {
				break
			}
		}
		if n != floods+1 {
			b.Fatal("updates:", n)
		}
		_ = in.Close()
		_ = cmd.Wait()
	}
	b.ReportMetric(float64(floods)*float64(b.N)/b.Elapsed().Seconds(), "updates/s")
}

func noErrBench(b *testing.B, err error) {
	b.Helper()
	if err != nil {
		b.Fatal(err)
	}
}
