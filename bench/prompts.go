package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"time"

	acp "github.com/coder/acp-go-sdk"

	"github.com/voxpilot/voxpilot/backend"
)

// updatesOfFlood is the number of updates in a measured flood: enough that per-turn
// costs and variations in file system latency carry little weight.
const updatesOfFlood = 60_000

// beginIngest measures how many updates VoxPilot processes per second, from the agent's stdout to a committed row and
// an emitted batch. The agent writes as fast as its output is read, so only the speed of the reader is measured. The
// clock stops when the end of the turn, which comes after everything else, has been committed and emitted. Chunks of
// text may have been merged on the way; after the measurement, every byte of text is verified.
//
// The baseline reads the same bytes line by line from the same kind of process, decodes
// each line into the SDK's SessionNotification, and discards it.
func beginIngest(context.Context, *ends) (ours, bare side, err error) {
	ours, bare = promptSides(flood, updatesOfFlood, func(took time.Duration) float64 {
		return updatesOfFlood / took.Seconds()
	})
	return ours, bare, nil
}

// chunksOfAnswer is the number of chunks in each answer that prompt.overhead and delegate.parallel wait for.
const chunksOfAnswer = 500

// beginOverhead measures the wall time from sending a prompt until the end of its turn has been
// committed and emitted. The agent sends a chunk of text per millisecond, five to twenty times as fast
// as models stream. At full pipe speed, the answer would take only five milliseconds, and the two
// commits to disk would dominate; at the speed of a model, the overhead would be too small to see.
//
// The baseline sends the same prompt to the same kind of process and reads until the response arrives.
func beginOverhead(context.Context, *ends) (ours, bare side, err error) {
	ours, bare = promptSides(paced, chunksOfAnswer, func(took time.Duration) float64 {
		return float64(took.Microseconds()) / 1000
	})
	return ours, bare, nil
}

// promptSides returns the two sides of a bench that prompts an agent to play the named
// script with the given number of updates. Each run starts a new process (on VoxPilot's
// side, also a new app), and prompts the agent once to warm up before measuring.
func promptSides(script string, updates int, measured func(time.Duration) float64) (ours, bare side) {
	const prompt = "measure"
	script += strconv.Itoa(updates)
	ours = func(ctx context.Context) (n float64, err error) {
		expected, err := scriptNamed(script)
		if err != nil {
			return 0, err
		}
		w, err := startWhole(ctx, script)
		if err != nil {
			return 0, err
		}
		took, err := w.prompt(ctx, prompt)
		if err == nil {
			err = w.holds(ctx, expected, prompt)
		}
		return measured(took), errors.Join(err, w.close())
	}
	bare = func(ctx context.Context) (n float64, err error) {
		expected, err := scriptNamed(script)
		if err != nil {
			return 0, err
		}
		d, err := startDriver(ctx, script)
		if err != nil {
			return 0, err
		}
		started := time.Now()
		s, err := d.prompt(prompt)
		took := time.Since(started)
		if err == nil && (s.updates != updates || s.text != int64(len(expected.text))) {
			err = fmt.Errorf("the driver read %+v, want %d updates with %d bytes of text", s, updates, len(expected.text))
		}
		return measured(took), errors.Join(err, d.close())
	}
	return ours, bare
}

// driver is a minimal client: it speaks the agent's protocol and does nothing else.
type driver struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	ids int
}

// promptOutput counts the updates that the agent sends during a request, and the bytes of text in them.
type promptOutput struct {
	updates int
	text    int64
}

// startDriver starts the benchmark agent with the given script and returns once the agent accepts prompts.
func startDriver(ctx context.Context, script string) (*driver, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	d := &driver{cmd: exec.CommandContext(ctx, self)}
	d.cmd.Env = append(os.Environ(), scriptVar+"="+script)
	d.cmd.Stderr = os.Stderr
	if d.in, err = d.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := d.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	d.out = bufio.NewReaderSize(out, 256<<10)
	if err := d.cmd.Start(); err != nil {
		return nil, err
	}
	folder, err := os.Getwd()
	if err == nil {
		_, err = d.call(acp.AgentMethodInitialize, acp.InitializeRequest{ProtocolVersion: acp.ProtocolVersionNumber})
	}
	if err == nil {
		_, err = d.call(acp.AgentMethodSessionNew, acp.NewSessionRequest{Cwd: folder, McpServers: []acp.McpServer{}})
	}
	if err == nil {
		_, err = d.prompt(greeting)
	}
	if err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

func (d *driver) prompt(text string) (promptOutput, error) {
	return d.call(acp.AgentMethodSessionPrompt, acp.PromptRequest{SessionId: sessionID, Prompt: []acp.ContentBlock{acp.TextBlock(text)}})
}

// call sends a request and reads lines until its response arrives. Each line is decoded
// only once; updates are decoded into the SDK's own type.
func (d *driver) call(method string, params any) (promptOutput, error) {
	var s promptOutput
	d.ids++
	request, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": d.ids, "method": method, "params": params})
	if err != nil {
		return s, err
	}
	if _, err := d.in.Write(append(request, '\n')); err != nil {
		return s, err
	}
	for {
		line, err := d.out.ReadSlice('\n')
		if err != nil {
			return s, fmt.Errorf("the agent exited before it answered %s: %w", method, err)
		}
		var m struct {
			ID     *int                    `json:"id"`
			Params acp.SessionNotification `json:"params"`
			Error  json.RawMessage         `json:"error"`
		}
		if err := json.Unmarshal(bytes.TrimSpace(line), &m); err != nil {
			return s, fmt.Errorf("reading a line of the agent: %w", err)
		}
		switch {
		case m.ID == nil:
			s.updates++
			s.text += textIn(m.Params.Update)
		case m.Error != nil:
			return s, fmt.Errorf("the agent rejected %s: %s", method, m.Error)
		default:
			return s, nil
		}
	}
}

// textIn returns the length of the text in a message or thought chunk.
func textIn(u acp.SessionUpdate) int64 {
	var block acp.ContentBlock
	switch {
	case u.AgentMessageChunk != nil:
		block = u.AgentMessageChunk.Content
	case u.AgentThoughtChunk != nil:
		block = u.AgentThoughtChunk.Content
	}
	if block.Text == nil {
		return 0
	}
	return int64(len(block.Text.Text))
}

// close stops the agent, which exits at EOF.
func (d *driver) close() error {
	_ = d.in.Close()
	return d.cmd.Wait()
}

// replayedOnce is the number of updates in the shorter replay.
const replayedOnce = 100_000

// beginGrowth measures the time from the request to load a session whose replay has 200,000 updates until the connection
// is ready. The baseline replays half as many updates: a ratio above two means that work is repeated.
func beginGrowth(context.Context, *ends) (twice, once side, err error) {
	return loadReplay(2 * replayedOnce), loadReplay(replayedOnce), nil
}

// loadReplay returns a side that measures the time to load a session, in milliseconds. The session's replay has
// the given number of updates.
func loadReplay(updates int) side {
	return func(ctx context.Context) (float64, error) {
		launch, err := speaking(replays + strconv.Itoa(updates))
		if err != nil {
			return 0, err
		}
		w, err := openWhole(ctx, launch, map[string]string{backend.SessionMain: sessionID})
		if err != nil {
			return 0, err
		}
		_, err = w.prompt(ctx, greeting) // loads the session first
		took := w.times.between(backend.ConnectionRestoring, backend.ConnectionReady)
		if err == nil && took == 0 {
			err = errors.New("the session wasn't restored")
		}
		return float64(took.Microseconds()) / 1000, errors.Join(err, w.close())
	}
}
