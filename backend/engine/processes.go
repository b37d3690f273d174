package engine

import (
	"cmp"
	"os"
	"runtime"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// stop ends the chat's agent; what waits in its queue is paused.
func (g *agents) stop(chatID string) error {
	a, err := g.Running(chatID)
	if err != nil {
		return err
	}
	if err := g.e.Chats.Stop(chatID); err != nil {
		return err
	}
	a.Stop()
	return nil
}

// stopProcess ends the process with the id. What waits in the chat is paused only
// if it is the agent's.
func (g *agents) stopProcess(chatID, id string) error {
	a, err := g.Running(chatID)
	if err != nil {
		return err
	}
	if a.IsProcess(id) {
		if err := g.e.Chats.Stop(chatID); err != nil {
			return err
		}
	}
	return a.StopProcess(id)
}

// saveProtocol asks for a file and writes the protocol of the chat's agent.
func (g *agents) saveProtocol(chatID string) error {
	a, err := g.Running(chatID)
	if err != nil {
		return err
	}
	chat, err := g.e.Chats.Get(chatID)
	if err != nil {
		return err
	}
	go func() {
		answer := backend.DialogResult{Request: "protocol " + chatID}
		path, err := g.e.Config.SaveFile(workspace.FileName("VoxPilot protocol, ", chat.Title) + ".ndjson")
		if err == nil && path != "" {
			answer.Path = path
			err = writeProtocol(a, path)
		}
		if err != nil {
			answer.Message = backend.Say("Couldn't save the protocol log: %s", err)
		}
		g.e.Bus.Publish(backend.Event{DialogResult: &answer})
	}()
	return nil
}

// writeProtocol writes a file that its owner alone can read: prompts and answers
// are in it.
func writeProtocol(a *agent.Agent, path string) (err error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if e := file.Close(); err == nil {
			err = e
		}
	}()
	if err := file.Chmod(0o600); err != nil && runtime.GOOS != "windows" { // it may have been there
		return err
	}
	return a.WriteProtocol(file)
}

// Processes are the agents that run and what they started, by chat.
func (g *agents) Processes() []backend.Process {
	g.mu.Lock()
	all := make([]*agent.Agent, 0, len(g.byChat))
	for _, a := range g.byChat {
		all = append(all, a)
	}
	g.mu.Unlock()
	list := []backend.Process{}
	for _, a := range all {
		list = append(list, a.Processes()...)
	}
	slices.SortStableFunc(list, func(a, b backend.Process) int {
		return cmp.Or(cmp.Compare(a.ChatID, b.ChatID), cmp.Compare(rank(a), rank(b)), cmp.Compare(a.PID, b.PID))
	})
	return list
}

// rank has a chat's agent stand before what it started.
func rank(p backend.Process) int {
	if p.IsAgent {
		return 0
	}
	return 1
}
