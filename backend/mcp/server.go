// Package mcp provides VoxPilot's tools to agents: an MCP server on the loopback
// interface (streamable HTTP).
//
// Each chat has its own token, and calls with a token run on behalf of its chat. Any
// program on the computer, and any web page in a browser on it, can reach the port;
// only requests with a valid token are answered.
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

// Name is the server's name. Agents may show it in tool names: the Copilot CLI uses
// "voxpilot-read_file" and so on.
const Name = "voxpilot"

// Limits for requests and sessions.
const (
	maxBody   = 4 << 20
	maxHeader = 32 << 10
	// maxSessions is the maximum number of sessions per chat: one is in use, and the others were left by processes
	// that exited without closing them.
	maxSessions = 16
)

// path is the only path that the server serves.
const path = "/mcp"

// Config is the configuration of a server.
type Config struct {
	Version string
	// List returns the tools. It is called once per grant.
	List func() []tools.Tool
	// Run executes a call. It must return soon after ctx ends.
	Run func(ctx context.Context, call tools.Call) tools.Result
	// Turn returns the ID of the running turn in the chat's main session.
	Turn func(chatID string) string
	// Every is the interval between progress notifications for running calls; 0 means 5 s. The Copilot CLI
	// gives up on a call after 180 s without a notification.
	Every time.Duration
	Log   *slog.Logger
}

// Server is an MCP server.
type Server struct {
	cfg   Config
	addr  string
	http  *http.Server
	tasks sync.WaitGroup // goroutines and requests that Close waits for

	mu     sync.Mutex
	closed bool
	grants map[string]*chatGrant // by chat
}

// chatGrant is a chat's access to the server: its token and the sessions created with that token.
type chatGrant struct {
	chatID string
	id     string // unique to this grant
	token  string
	hash   [sha256.Size]byte // of the token
	server *sdk.Server
	ctx    context.Context // canceled with the grant
	end    context.CancelFunc
}

// New starts a server. The caller must close it.
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
	s.tasks.Go(func() { _ = s.http.Serve(l) }) // it ends with Close; the error isn't needed
	return s, nil
}

// Grant gives a chat access and returns the server's URL and the chat's token. It returns the
// same token for a chat until Revoke is called. After Close, url and token are "".
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
	_, _ = rand.Read(secret[:]) // never fails (crypto/rand)
	g := &chatGrant{chatID: chatID, id: rand.Text(), token: hex.EncodeToString(secret[:])}
	g.hash = sha256.Sum256([]byte(g.token))
	g.ctx, g.end = context.WithCancel(context.Background())
	g.server = s.serverFor(g)
	s.grants[chatID] = g
	return url, g.token
}

// Revoke invalidates the chat's token and ends its sessions and running calls.
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
		s.tasks.Go(func() { _ = session.Close() }) // waits for the calls
	}
}

// Close ends all sessions and stops the server. It returns when all requests have ended.
func (s *Server) Close() {
	s.mu.Lock()
	s.closed = true
	for chatID := range s.grants {
		s.revoke(chatID)
	}
	s.mu.Unlock()
	_ = s.http.Close() // only closing the listener can fail, and it is closed then
	s.tasks.Wait()
}

// guard passes requests on to next, except those that can't come from VoxPilot's agents and those
// that arrive after Close. Browsers send an Origin header with requests from web pages, and the Host
// header reveals DNS rebinding, in which a page's host name resolves to this computer.
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

// Keys in the Extra field of an authenticated request's TokenInfo.
const (
	keyGrant   = "grant"
	keyRequest = "request"
)

// verify returns the information about a token, with the chat's grant in its Extra field. If the token is invalid,
// it returns auth.ErrInvalidToken. verify compares the token's hash with the hashes of all grants, so that the time
// it takes reveals nothing about the tokens.
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
	// UserID binds sessions to the grant: this token gives no access to the sessions of
	// another chat or of a revoked grant.
	return &auth.TokenInfo{UserID: found.id, Extra: map[string]any{keyGrant: found, keyRequest: ctx}}, nil
}

func grantOf(info *auth.TokenInfo) *chatGrant {
	if info == nil {
		return nil
	}
	g, _ := info.Extra[keyGrant].(*chatGrant)
	return g
}

// requestOf returns the context of the authenticated request. The context ends when the client disconnects.
func requestOf(info *auth.TokenInfo) context.Context {
	if info != nil {
		if ctx, ok := info.Extra[keyRequest].(context.Context); ok {
			return ctx
		}
	}
	return context.Background()
}

// serverFor creates the SDK's server for a chat and adds all tools from Config.List to it.
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

// prune returns a handler that calls next and then ends obsolete sessions: all sessions of a revoked grant, and the
// oldest sessions of a chat that has more than maxSessions.
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
