package engine

import (
	"cmp"
	"slices"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/agent"
	"github.com/voxpilot/voxpilot/backend/workspace"
)

// stop stops the chat's agent and pauses its queue.
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

// stopProcess stops the chat's process with the given ID. It pauses the queue only if the process is the agent's own.
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

// saveProtocol opens a save dialog in the background and writes the protocol log of the
// chat's agent to the chosen file.
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
			err = a.SaveProtocol(path)
		}
		if err != nil {
			answer.Message = backend.Say("Couldn't save the protocol log: %s", err)
		}
		g.e.Bus.Publish(backend.Event{DialogResult: &answer})
	}()
	return nil
}

// Processes returns the running agents and their child processes, ordered by chat.
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

// rank returns a sort key that puts a chat's agent before its child processes.
func rank(p backend.Process) int {
	if p.IsAgent {
		return 0
	}
	return 1
}
