// Package mcp hands the tools of VoxPilot to agents: a server of the Model
// Context Protocol on the loopback interface (streamable HTTP).
//
// Each chat has a token of its own, and what is called with it is called for
// that chat. Any program of the machine, and any web page in a browser of it,
// can reach the port; only who knows a token is answered.
package mcp

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/auth"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/voxpilot/voxpilot/backend/tools"
)

// Name is the server's name. An agent may show it with the names of the tools:
// the Copilot CLI calls them "voxpilot-read_file" and so on.
const Name = "voxpilot"

// Limits of what is taken.
const (
	maxBody   = 4 << 20
	maxHeader = 32 << 10
	// maxSessions of one chat: one is used, the others are of processes that
	// died without a word.
	maxSessions = 16
)

// path is where the server answers; all else is not found.
const path = "/mcp"

// Config is what the server works with.
type Config struct {
	Version string
	// List are the tools. It is asked once for each grant.
	List func() []tools.Tool
	// Run carries out a call. It returns soon after the end of ctx.
	Run func(ctx context.Context, call tools.Call) tools.Result
	// Turn is the turn that runs in the chat's session main.
	Turn func(chatID string) string
	// Every is the time between two notices that a call still runs; 0 is 5 s.
	// The Copilot CLI gives a call up after 180 s without one.
	Every time.Duration
	Log   *slog.Logger
}

// Server is the server.
type Server struct {
	cfg   Config
	addr  string
	http  *http.Server
	tasks sync.WaitGroup // what ends with the server

	mu     sync.Mutex
	closed bool
	grants map[string]*chatGrant // by chat
}

// chatGrant is what one chat has: a token, and the sessions begun with it.
type chatGrant struct {
	chatID string
	id     string // of this grant, and of no other of the chat
	token  string
	hash   [sha256.Size]byte // of the token
	server *sdk.Server
	ctx    context.Context // ends with the grant
	end    context.CancelFunc
}

// New starts the server. The caller closes it.
func New(cfg Config) (*Server, error) {
	if cfg.Every == 0 {
		cfg.Every = 5 * time.Second
	}
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("starting the server for agents: %w", err)
	}
	s := &Server{cfg: cfg, addr: l.Addr().String(), grants: map[string]*chatGrant{}}
	sessions := sdk.NewStreamableHTTPHandler(func(r *http.Request) *sdk.Server {
		if g := grantOf(auth.TokenInfoFromContext(r.Context())); g != nil {
			return g.server
		}
		return nil
	}, &sdk.StreamableHTTPOptions{MaxRequestBodyBytes: maxBody})
	known := auth.RequireBearerToken(s.verify, &auth.RequireBearerTokenOptions{AllowMissingExpiration: true})
	s.http = &http.Server{
		Handler:           s.guard(known(s.prune(sessions))),
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       10 * time.Minute,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(cfg.Log.Handler(), slog.LevelDebug),
	}
	s.tasks.Go(func() { _ = s.http.Serve(l) }) // It ends with Close; there is nobody to tell.
	return s, nil
}

// Grant lets in who has the token, for the chat. Of a chat that was let in
// before it is the same token, until that is revoked. It is "" once the server
// is closed.
func (s *Server) Grant(chatID string) (url, token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return "", ""
	}
	url = "http://" + s.addr + path
	if g := s.grants[chatID]; g != nil {
		return url, g.token
	}
	var secret [32]byte
	_, _ = rand.Read(secret[:]) // It never fails (crypto/rand).
	g := &chatGrant{chatID: chatID, id: rand.Text(), token: hex.EncodeToString(secret[:])}
	g.hash = sha256.Sum256([]byte(g.token))
	g.ctx, g.end = context.WithCancel(context.Background())
	g.server = s.serverFor(g)
	s.grants[chatID] = g
	return url, g.token
}

// Revoke lets the chat's token in no more, and ends its sessions and the calls
// that run in them.
func (s *Server) Revoke(chatID string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.revoke(chatID)
}

func (s *Server) revoke(chatID string) {
	g := s.grants[chatID]
	if g == nil {
		return
	}
	delete(s.grants, chatID)
	g.end()
	for session := range g.server.Sessions() {
		s.tasks.Go(func() { _ = session.Close() }) // It waits for the calls.
	}
}

// Close ends all sessions and the server, and returns when they are gone.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	for chatID := range s.grants {
		s.revoke(chatID)
	}
	s.mu.Unlock()
	_ = s.http.Close() // Only the listener's close can fail, and it is gone then.
	s.tasks.Wait()
}

// guard refuses what no agent of ours sends. A browser tells with Origin which
// page a request is from, and with Host which name led here: a page whose name
// was made to lead to this machine is known by it.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.mu.Lock()
		if s.closed {
			s.mu.Unlock()
			http.Error(w, "closed", http.StatusServiceUnavailable)
			return
		}
		s.tasks.Add(1)
		s.mu.Unlock()
		defer s.tasks.Done()
		_, page := r.Header["Origin"]
		switch {
		case r.Host != s.addr:
			http.Error(w, "this server is known by its address only", http.StatusForbidden)
		case page:
			http.Error(w, "web pages have nothing to do here", http.StatusForbidden)
		case r.URL.Path != path:
			http.NotFound(w, r)
		default:
			next.ServeHTTP(w, r)
		}
	})
}

// The keys of what is known of a request that has a token.
const (
	keyGrant   = "grant"
	keyRequest = "request"
)

// verify finds the grant that a token is of. All grants are compared, whichever
// it is, and hashes of one length: the time tells nothing of a token.
func (s *Server) verify(ctx context.Context, token string, _ *http.Request) (*auth.TokenInfo, error) {
	hash := sha256.Sum256([]byte(token))
	var found *chatGrant
	s.mu.Lock()
	for _, g := range s.grants {
		if subtle.ConstantTimeCompare(g.hash[:], hash[:]) == 1 {
			found = g
		}
	}
	s.mu.Unlock()
	if found == nil {
		return nil, auth.ErrInvalidToken
	}
	// The user binds sessions to the grant: those of another chat, or of a
	// grant that was revoked, are not found with this token.
	return &auth.TokenInfo{UserID: found.id, Extra: map[string]any{keyGrant: found, keyRequest: ctx}}, nil
}

func grantOf(info *auth.TokenInfo) *chatGrant {
	if info == nil {
		return nil
	}
	g, _ := info.Extra[keyGrant].(*chatGrant)
	return g
}

// requestOf ends when the client goes away that sent the request.
func requestOf(info *auth.TokenInfo) context.Context {
	if info != nil {
		if ctx, ok := info.Extra[keyRequest].(context.Context); ok {
			return ctx
		}
	}
	return context.Background()
}

// serverFor makes what answers for a chat.
func (s *Server) serverFor(g *chatGrant) *sdk.Server {
	server := sdk.NewServer(&sdk.Implementation{Name: Name, Title: "VoxPilot", Version: s.cfg.Version}, &sdk.ServerOptions{
		Capabilities: &sdk.ServerCapabilities{Tools: &sdk.ToolCapabilities{}},
	})
	yes, no := true, false
	for _, t := range s.cfg.List() {
		notes := &sdk.ToolAnnotations{ReadOnlyHint: t.ReadOnly, OpenWorldHint: &no}
		if !t.ReadOnly {
			notes.DestructiveHint = &yes
		}
		server.AddTool(&sdk.Tool{Name: t.Name, Description: t.Description, InputSchema: t.Schema, Annotations: notes},
			func(ctx context.Context, r *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
				return s.call(ctx, g, r)
			})
	}
	return server
}

// prune ends the sessions that are none any more: those of a grant that was
// revoked while they began, and the oldest ones of a chat that has too many.
func (s *Server) prune(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		next.ServeHTTP(w, r)
		g := grantOf(auth.TokenInfoFromContext(r.Context()))
		all := slices.Collect(g.server.Sessions())
		if g.ctx.Err() == nil {
			all = all[:max(0, len(all)-maxSessions)]
		}
		for _, session := range all {
			s.tasks.Go(func() { _ = session.Close() })
		}
	})
}
