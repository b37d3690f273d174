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

	acp "github.com/coder/acp-go-sdk"
)

// driver speaks the protocol with an agent and does nothing else: it is the
// least that a client can be.
type driver struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
	ids int
}

// said is what an agent said while a request was under way.
type said struct {
	updates int
	text    int64
}

// startDriver starts the agent of the benchmarks by script and brings it to
// where it can be prompted.
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

func (d *driver) prompt(text string) (said, error) {
	return d.call(acp.AgentMethodSessionPrompt, acp.PromptRequest{SessionId: sessionID, Prompt: []acp.ContentBlock{acp.TextBlock(text)}})
}

// call sends a request and reads lines until its answer came. Each is decoded
// once, an update into the SDK's own type.
func (d *driver) call(method string, params any) (said, error) {
	var s said
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
			return s, fmt.Errorf("the agent ended before it answered %s: %w", method, err)
		}
		var m struct {
			ID     *int                    `json:"id"`
			Params acp.SessionNotification `json:"params"`
			Error  json.RawMessage         `json:"error"`
		}
		if err := json.Unmarshal(bytes.TrimSpace(line), &m); err != nil {
			return s, fmt.Errorf("a line of the agent: %w", err)
		}
		switch {
		case m.ID == nil:
			s.updates++
			s.text += textIn(m.Params.Update)
		case m.Error != nil:
			return s, fmt.Errorf("the agent refused %s: %s", method, m.Error)
		default:
			return s, nil
		}
	}
}

// textIn is how much text a piece of a message or of a thought has.
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

// close ends the agent, which exits by itself when there is nothing to read.
func (d *driver) close() error {
	_ = d.in.Close()
	return d.cmd.Wait()
}
