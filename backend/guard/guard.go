// Package guard lets VoxPilot decide on each of the Copilot CLI's tool calls before the CLI runs it.
//
// VoxPilot writes a plugin folder and starts the CLI with it (--plugin-dir). For each event, a hook of the plugin
// starts a small program, which passes the event to the running VoxPilot over a local socket and prints the answer.
// The CLI waits for the hook before each tool call, in all of its modes and for all of its sub-agents. It doesn't
// run the call if the hook denies the call or fails. A call is therefore denied if VoxPilot isn't running, closes
// the connection without an answer, sends something that isn't an answer, or doesn't answer within 23 hours. The
// CLI would run the call if the hook took longer than hookTimeout (24 hours), so the hook denies the call an hour
// earlier.
//
// In two cases, no event arrives at all: the settings of a trusted folder can turn off all hooks, and another
// version of the CLI may not support them. The implementer of Config.Decide must detect the missing events.
package guard

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/voxpilot/voxpilot/internal/localsocket"
)

// Event is the name of an event for which the CLI runs a hook.
type Event string

// The events that the plugin subscribes to.
const (
	SessionStart Event = "sessionStart" // before the first prompt of a session in a process
	ToolCall     Event = "preToolUse"   // before a tool call
)

var events = []Event{SessionStart, ToolCall}

// Call is an event for which the CLI ran a hook: the start of a session, or a tool call. Its fields come from the CLI.
type Call struct {
	Event Event
	// SessionID is the ACP ID of the session, even if a sub-agent made the call. Before version 1.0.102, however, the
	// CLI sends another ID for a sub-agent's call: that of the tool call that started the sub-agent.
	SessionID string
	Tool      string          // for ToolCall: the CLI's name of the tool
	Args      json.RawMessage // for ToolCall: the tool's arguments
	// Overridden, for SessionStart, is the folder of a plugin whose hooks run after the guard's hooks and can override
	// the guard's decisions. It is "" if there is no such plugin. It is set only on Linux.
	Overridden string
}

// Answer is the decision on a tool call. The zero Answer leaves the decision to the CLI, which then asks for permission
// unless its own mode allows the call.
type Answer struct {
	Decision Decision
	Reason   string // for Denied: the explanation for the model
	// Args are the arguments that replace those of the call, or nil to keep the call's own. They have no effect if the
	// call is denied.
	Args json.RawMessage
}

// Decision is the guard's decision on a tool call.
type Decision string

// The decisions. The zero Decision leaves the decision to the CLI.
const (
	Allowed Decision = "allow" // the CLI runs the call without asking for permission
	Denied  Decision = "deny"
)

// Config configures a Server.
type Config struct {
	// Dir is the directory that contains the chats' plugin folders. New empties it.
	Dir string
	// Program returns the path of the program that the hooks run. The program must call RunHook.
	Program func() (path string, err error)
	// Decide is called for each event in a chat and returns the answer. It may wait for the user. ctx ends when the
	// CLI ends the hook or the server is closed.
	Decide func(ctx context.Context, chatID string, call Call) Answer
	Log    *slog.Logger
}

// Limits for connections.
const (
	maxInput    = 64 << 20              // bytes of an event
	requestTime = 30 * time.Second      // for receiving an event
	writeTime   = 10 * time.Second      // for sending an answer
	tryAgain    = 50 * time.Millisecond // pause after an error, before accepting the next connection
)

// Server answers the hooks of all chats.
type Server struct {
	cfg    Config
	server net.Listener
	ctx    context.Context // the parent of the contexts passed to Config.Decide
	end    context.CancelFunc
	tasks  sync.WaitGroup

	mu      sync.Mutex
	program string                       // path of the program that the hooks run
	chats   map[[sha256.Size]byte]string // chat IDs by the hash of the chat's key
	folders map[string]string            // plugin folders by chat ID
	parents map[string]string            // for each sub-agent, the ID of the session or sub-agent that started it
}

// New starts a server. The caller must close it.
func New(cfg Config) (*Server, error) {
	if err := errors.Join(os.RemoveAll(cfg.Dir), os.MkdirAll(cfg.Dir, 0o700)); err != nil {
		return nil, err
	}
	listener, err := localsocket.Listen(cfg.Dir, "guard")
	if err != nil {
		return nil, err
	}
	s := &Server{cfg: cfg, server: listener, chats: map[[sha256.Size]byte]string{}, folders: map[string]string{}, parents: map[string]string{}}
	s.ctx, s.end = context.WithCancel(context.Background())
	s.tasks.Go(s.accept)
	return s, nil
}

// Close stops the server and denies all calls that are waiting for a decision.
func (s *Server) Close() {
	s.end()
	_ = s.server.Close()
	s.tasks.Wait()
}

// keyFile is the content of a chat's key file: the data that a hook needs to reach the server.
type keyFile struct {
	Address string `json:"address"`
	Key     string `json:"key"`
}

// Plugin returns the chat's plugin folder, creating it if necessary. The hooks in the folder work as long as the
// server is running.
func (s *Server) Plugin(chatID string) (folder string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if folder := s.folders[chatID]; folder != "" {
		return folder, nil
	}
	if s.program == "" {
		if s.program, err = s.cfg.Program(); err != nil {
			return "", err
		}
	}
	key := rand.Text()
	folder = filepath.Join(s.cfg.Dir, chatID)
	if err := writePlugin(folder, s.program, keyFile{s.server.Addr().String(), key}); err != nil {
		return "", err
	}
	s.chats[sha256.Sum256([]byte(key))], s.folders[chatID] = chatID, folder
	return folder, nil
}

// Files returns the paths that the chat's hooks need: the plugin folder, the program that the hooks run, and the
// server's socket. The folder must have been created by Plugin.
func (s *Server) Files(chatID string) []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return []string{s.folders[chatID], s.program, s.server.Addr().String()}
}

// Forget removes the plugin folder of a deleted chat. From then on, the server rejects the chat's key.
func (s *Server) Forget(chatID string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for hash, id := range s.chats {
		if id == chatID {
			delete(s.chats, hash)
		}
	}
	folder := s.folders[chatID]
	delete(s.folders, chatID)
	if folder == "" {
		return nil
	}
	return os.RemoveAll(folder)
}

// chatOf returns the ID and the plugin folder of the chat with the given key, or "" for both if there is no such chat.
func (s *Server) chatOf(key string) (id, folder string) {
	hash := sha256.Sum256([]byte(key))
	s.mu.Lock()
	defer s.mu.Unlock()
	for known, id := range s.chats {
		if subtle.ConstantTimeCompare(known[:], hash[:]) == 1 {
			return id, s.folders[id]
		}
	}
	return "", ""
}

func (s *Server) accept() {
	for {
		conn, err := s.server.Accept()
		switch {
		case s.ctx.Err() != nil:
			if err == nil {
				_ = conn.Close()
			}
			return
		case err != nil: // a failed connection or a temporary error, such as too many open files
			select {
			case <-s.ctx.Done():
				return
			case <-time.After(tryAgain):
			}
		default:
			s.tasks.Go(func() { s.answer(conn) })
		}
	}
}

// request is a hook's request to the server: one JSON value.
type request struct {
	Key   string          `json:"key"`
	Event Event           `json:"event"`
	Input json.RawMessage `json:"input"` // the CLI's input to the hook
	// Parent, for SessionStart, is the command line of the CLI, or nil if it isn't known.
	Parent []string `json:"parent,omitempty"`
}

// response is the server's response to a hook: one JSON value.
type response struct {
	Answered bool            `json:"answered"`         // always true, so that no other JSON is mistaken for a response
	Output   json.RawMessage `json:"output,omitempty"` // the hook's output for the CLI, or empty
}

// input is the CLI's input to a hook.
type input struct {
	SessionID string          `json:"sessionId"`
	AgentID   string          `json:"agentId"`       // ID of the sub-agent, if the event is from one
	ParentID  string          `json:"parentAgentId"` // ID of the session or sub-agent that started that sub-agent
	ToolName  string          `json:"toolName"`
	ToolArgs  json.RawMessage `json:"toolArgs"`
}

// output is a hook's output for the CLI.
type output struct {
	Decision Decision        `json:"permissionDecision,omitempty"`
	Reason   string          `json:"permissionDecisionReason,omitempty"`
	Args     json.RawMessage `json:"modifiedArgs,omitempty"`
}

// answer reads the connection's only request and responds to it. If the request is invalid, answer closes the
// connection without a response, and the hook denies the call.
func (s *Server) answer(conn net.Conn) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.SetReadDeadline(time.Now()) })
	defer stop()
	if !localsocket.SameUser(conn) {
		return
	}
	chatID, call, err := s.read(conn)
	if err != nil {
		s.cfg.Log.Warn("rejected an event of the guard", "err", err)
		return
	}
	if ctx.Err() != nil {
		return
	}
	_ = conn.SetReadDeadline(time.Time{})
	gone := make(chan struct{})
	go func() { // the hook sends nothing more, so any read is a disconnect
		defer close(gone)
		_, _ = conn.Read(make([]byte, 1))
		cancel()
	}()
	a := s.cfg.Decide(ctx, chatID, call)
	if s.ctx.Err() == nil {
		if err := s.write(conn, call, a); err != nil && ctx.Err() == nil {
			s.cfg.Log.Warn("couldn't answer the guard", "err", err)
		}
	}
	_ = conn.Close()
	<-gone
}

// read reads a request. It returns the request's event, and the ID of the chat whose key the request contains.
func (s *Server) read(conn net.Conn) (chatID string, call Call, err error) {
	_ = conn.SetReadDeadline(time.Now().Add(requestTime))
	var r request
	if err := json.NewDecoder(&limited{conn, maxInput}).Decode(&r); err != nil {
		return "", call, err
	}
	chatID, folder := s.chatOf(r.Key)
	if chatID == "" {
		return "", call, errors.New("unknown key")
	}
	var in input
	if err := json.Unmarshal(r.Input, &in); err != nil {
		return "", call, err
	}
	if in.SessionID == "" {
		return "", call, fmt.Errorf("no session in %s", r.Event)
	}
	call = Call{Event: r.Event, SessionID: s.rootOf(in), Tool: in.ToolName, Args: plainArgs(in.ToolArgs), Overridden: pluginAfter(folder, r.Parent)}
	return chatID, call, nil
}

// maxDepth is the maximum number of levels of sub-agents that rootOf follows.
const maxDepth = 32

// rootOf returns the ID of the session that an event belongs to. For an event from a sub-agent, that is the session in
// which the chain of sub-agents was started.
func (s *Server) rootOf(in input) string {
	if in.AgentID == "" && in.ParentID == "" {
		return in.SessionID
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if in.AgentID != "" && in.ParentID != "" {
		s.parents[in.AgentID] = in.ParentID
	}
	id := in.ParentID
	for range maxDepth {
		parent := s.parents[id]
		if parent == "" {
			return id
		}
		id = parent
	}
	return id
}

// write sends the answer to an event. Only answers to tool calls contain a decision.
func (s *Server) write(conn net.Conn, call Call, a Answer) error {
	r := response{Answered: true}
	if call.Event == ToolCall && (a.Decision != "" || a.Args != nil) {
		var err error
		if r.Output, err = json.Marshal(output(a)); err != nil {
			return err
		}
	}
	_ = conn.SetWriteDeadline(time.Now().Add(writeTime))
	return json.NewEncoder(conn).Encode(r)
}

// limited is a reader that returns an error once more than n bytes are read.
type limited struct {
	conn net.Conn
	n    int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.n <= 0 {
		return 0, fmt.Errorf("more than %d MB", maxInput>>20)
	}
	if int64(len(p)) > l.n {
		p = p[:l.n]
	}
	n, err := l.conn.Read(p)
	l.n -= int64(n)
	return n, err
}
