package session

import (
	"context"
	"strings"
	"time"

	sdk "github.com/coder/acp-go-sdk"
	"github.com/tidwall/gjson"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/acp"
	"github.com/voxpilot/voxpilot/backend/agent/args"
	"github.com/voxpilot/voxpilot/backend/terminal"
	"github.com/voxpilot/voxpilot/internal/excerpt"
	"github.com/voxpilot/voxpilot/internal/process"
)

// command is a command that VoxPilot runs for the agent. Tool calls show its output.
type command struct {
	term          *terminal.Terminal
	turn          string        // ID of the turn that started it
	killed        bool          // by the user, the agent or the end of its turn; guarded by the session's mutex
	outputChanged chan struct{} // signals new output; has a buffer of one
	endShown      chan struct{} // closed when its exit has been published
	finished      chan struct{} // closed when nothing more will be published

	calls map[*toolItem]string // the tool calls that show it, each with the key of the slot for the output; guarded by the session's mutex
}

// Limits on the published output. While a command runs, VoxPilot publishes the last showLive bytes of its output, at
// most once per showEvery. After the command exits, it publishes up to terminal.MaxLimit bytes.
const (
	showEvery = 100 * time.Millisecond
	showLive  = 32 << 10
)

// terminals returns the set of the session's terminals, and creates it on the first call. If the session is unloaded,
// the set is closed.
func (s *Session) terminals() *terminal.Set {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.set == nil {
		s.set = terminal.NewSet(terminal.Config{Env: s.cfg.Env(), Through: process.Through()})
		if s.unloaded.Load() {
			s.set.Close()
		}
	}
	return s.set
}

// runCommand starts a command and shows it in the tool call t. If the context of the turn is canceled, runCommand
// starts nothing and returns the context's error.
func (s *Session) runCommand(turn context.Context, t *toolItem, spec terminal.Spec) (*command, error) {
	set := s.terminals()
	c := &command{
		outputChanged: make(chan struct{}, 1), endShown: make(chan struct{}), finished: make(chan struct{}), calls: map[*toolItem]string{},
	}
	spec.Changed = func() {
		select {
		case c.outputChanged <- struct{}{}:
		default:
		}
	}
	// Hold the lock, so that the end of the turn also ends this command.
	s.mu.Lock()
	defer s.mu.Unlock()
	if turn.Err() != nil {
		return nil, turn.Err()
	}
	c.turn = s.turn
	var err error
	if c.term, err = set.Start(spec); err != nil {
		return nil, err
	}
	c.calls[t] = slotOutput + c.term.ID()
	if s.commands == nil {
		s.commands = map[string]*command{}
	}
	s.commands[c.term.ID()] = c
	if t.item.Open {
		s.setStatus(t, backend.ToolInProgress)
		s.emitTool(t)
	}
	go s.follow(c, s.cfg.Hold())
	return c, nil
}

// follow publishes a command's output while the command runs, and then its exit. It then
// calls release, and publishes further output until no process of the command is left.
func (s *Session) follow(c *command, release func()) {
	defer close(c.finished)
	tick := time.NewTicker(showEvery)
	defer tick.Stop()
	for ended := false; !ended; {
		select {
		case <-c.outputChanged:
			s.show(c, showLive)
			select {
			case <-tick.C:
			case <-c.term.Done():
			}
		case <-c.term.Done():
			ended = true
		}
	}
	s.showEnd(c)
	close(c.endShown)
	release()
	// Processes that the command left running may still write.
	for {
		select {
		case <-c.outputChanged:
			s.show(c, terminal.MaxLimit)
			select {
			case <-tick.C:
			case <-c.term.Over():
			}
		case <-c.term.Over():
			s.show(c, terminal.MaxLimit)
			return
		}
	}
}

// show publishes the end of the command's output, at most limit bytes, in each tool call that shows the command.
func (s *Session) show(c *command, limit int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for t, key := range c.calls {
		s.cfg.Publish(s.outputOf(c, t, key, limit)...)
	}
}

// outputOf puts the end of the command's output, at most limit bytes, into the tool call's slot with the given key. It
// returns the events to publish. The caller must hold s.mu.
func (s *Session) outputOf(c *command, t *toolItem, key string, limit int) []backend.Event {
	text, cut := c.term.Tail(limit)
	if _, rest, ok := strings.Cut(text, "\n"); ok && cut {
		text = rest // a truncated line may start within an escape sequence
	}
	return s.put(nil, t, key, backend.Content{Type: backend.ContentTerminal}, []byte(text))
}

// showEnd publishes the command's exit and its output so far.
func (s *Session) showEnd(c *command) {
	s.mu.Lock()
	defer s.mu.Unlock()
	exit := c.term.Exit()
	for t, key := range c.calls {
		contents := s.outputOf(c, t, key, terminal.MaxLimit)
		t.item.Tool.ExitCode = exit.Code
		t.setSignal(exit.Signal, c.killed)
		if t.isOwn && t.item.Open || t.item.Tool.Status == backend.ToolCompleted {
			s.setStatus(t, backend.ToolCompleted)
		}
		s.emitTool(t)
		s.cfg.Publish(contents...)
	}
}

// showTerminal connects the tool call t to the terminal with the given ID, because the call's content refers to this
// terminal. From then on, the terminal's output is published in the slot with the given key. showTerminal appends the
// events for the output so far to the given events and returns them all. It does nothing if the session doesn't have
// the terminal or the call already shows it. The caller must hold s.mu.
func (s *Session) showTerminal(events []backend.Event, t *toolItem, key, id string) []backend.Event {
	c := s.commands[id]
	if c == nil || c.calls[t] != "" {
		return events
	}
	c.calls[t] = key
	if exit := c.term.Exit(); exit != nil {
		t.item.Tool.ExitCode = exit.Code
		t.setSignal(exit.Signal, c.killed)
	}
	return append(events, s.outputOf(c, t, key, showLive)...)
}

// showsCommand reports whether the tool call shows a command. The caller must hold s.mu.
func (s *Session) showsCommand(t *toolItem) bool {
	for _, c := range s.commands {
		if c.calls[t] != "" {
			return true
		}
	}
	return false
}

// commandOf returns the command of the terminal named in a request. It returns an error if the session doesn't have
// the terminal or the terminal was released.
func (s *Session) commandOf(params gjson.Result) (*command, *sdk.RequestError) {
	id, rerr := args.Text(params, "terminalId")
	if rerr != nil {
		return nil, rerr
	}
	s.mu.Lock()
	c := s.commands[id]
	set := s.set
	s.mu.Unlock()
	if c != nil {
		if _, err := set.Get(id); err == nil {
			return c, nil
		}
	}
	return nil, &sdk.RequestError{Code: acp.CodeNotFound, Message: "Resource not found: unknown terminal " + excerpt.FirstLine(id, 100), Data: map[string]any{"uri": id}}
}

// dropReleasedCommands discards the commands whose output has been published completely, even if their terminals
// weren't released. The caller must hold s.mu.
func (s *Session) dropReleasedCommands() {
	for id, c := range s.commands {
		select {
		case <-c.finished:
			delete(s.commands, id)
		default:
		}
	}
}

// settleCommands waits until the results of all commands that have ended are published. If cut is true, the turn was
// canceled or the agent exited. In that case, settleCommands first kills the commands that the turn started, with all
// their descendants. Other commands, such as a server started for the user, run until their session ends.
func (s *Session) settleCommands(cut bool) {
	s.mu.Lock()
	var all []*command
	for _, c := range s.commands {
		switch {
		case c.term.Exit() != nil:
		case cut && c.turn == s.turn:
			c.killed = true
			go c.term.Kill()
		default:
			continue
		}
		all = append(all, c)
	}
	s.mu.Unlock()
	for _, c := range all {
		<-c.endShown
	}
}

// closeCommands kills all of the session's commands, waits until their output is published, and prevents new commands.
func (s *Session) closeCommands() {
	s.mu.Lock()
	set := s.set
	var all []*command
	for _, c := range s.commands {
		all = append(all, c)
	}
	s.mu.Unlock()
	if set == nil {
		return
	}
	set.Close()
	for _, c := range all {
		<-c.finished
	}
}

// Commands adds an entry to byPID for each running command: its PID is the key, and the ID of its terminal is the
// value.
func (s *Session) Commands(byPID map[int]string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, c := range s.commands {
		if c.term.Exit() == nil {
			byPID[c.term.PID()] = id
		}
	}
}

// EndCommand kills the command of the terminal with the given ID and waits until its exit is
// published. It reports whether the command was running.
func (s *Session) EndCommand(id string) bool {
	s.mu.Lock()
	c := s.commands[id]
	runs := c != nil && c.term.Exit() == nil
	if runs {
		c.killed = true
	}
	s.mu.Unlock()
	if runs {
		c.term.Kill()
		<-c.endShown
	}
	return runs
}
