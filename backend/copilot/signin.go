package copilot

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// SignIn runs sign-ins of the Copilot CLI, one at a time.
type SignIn struct {
	// Run signs in, as Login does.
	Run      func(ctx context.Context, out func(text string)) error
	Publish  func(...backend.Event)
	Redacted func(text string) string // removes secrets from text
	Log      *slog.Logger

	mu   sync.Mutex
	stop context.CancelFunc // nil if none is running
	done chan struct{}      // closed when the current one has ended
}

// Begin cancels the current sign-in and prepares a new one. The returned function, run, runs the new sign-in until it
// ends. SignIn events report its progress. At the end, run calls a callback (ended) with ok set to true if the CLI is
// signed in. It makes no such call if the sign-in was canceled or replaced before it succeeded.
func (s *SignIn) Begin(ctx context.Context, ended func(ok bool)) (run func()) {
	s.Cancel()
	ctx, stop := context.WithCancel(ctx)
	over := make(chan struct{})
	s.mu.Lock()
	before := s.done
	s.stop, s.done = stop, over
	s.mu.Unlock()
	s.Publish(backend.Event{SignIn: &backend.SignIn{State: backend.SignInStarting, CLI: true}})
	return func() {
		defer close(over)
		defer stop()
		if before != nil {
			<-before
		}
		in := s.run(ctx)
		s.mu.Lock()
		// A canceled or replaced sign-in publishes nothing more: its successor may
		// already have published events.
		last := s.done == over && s.stop != nil
		if last {
			s.stop = nil
		}
		s.mu.Unlock()
		if last {
			s.Publish(backend.Event{SignIn: &in})
		}
		if ok := in.State == backend.SignInDone; last || ok {
			ended(ok)
		}
	}
}

// Cancel cancels the current sign-in.
func (s *SignIn) Cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stop == nil {
		return
	}
	s.stop()
	s.stop = nil
	s.Publish(backend.Event{SignIn: &backend.SignIn{State: backend.SignInNone, CLI: true}})
}

// run runs a sign-in and returns its result.
func (s *SignIn) run(ctx context.Context) backend.SignIn {
	in := backend.SignIn{State: backend.SignInStarting, CLI: true}
	err := s.Run(ctx, func(text string) {
		in.State, in.Output = backend.SignInWaiting, s.Redacted(text)
		in.Code, in.URL = LoginPrompt(text)
		told := in
		s.mu.Lock()
		defer s.mu.Unlock()
		if ctx.Err() == nil {
			s.Publish(backend.Event{SignIn: &told})
		}
	})
	in.Code, in.URL = "", "" // neither is valid after the sign-in
	var failed *backend.Error
	switch {
	case err == nil:
		return backend.SignIn{State: backend.SignInDone, CLI: true}
	case ctx.Err() != nil:
		return backend.SignIn{State: backend.SignInNone, CLI: true}
	case errors.As(err, &failed):
		in.State, in.Message = backend.SignInFailed, failed.Message
	default:
		in.State, in.Message = backend.SignInFailed, backend.MessageOf(err)
	}
	s.Log.Warn("the Copilot CLI couldn't sign in", "err", err)
	return in
}

// Host returns the address of the GitHub server that the CLI uses, or "" for github.com.
func Host(getenv func(string) string) string {
	host := getenv("COPILOT_GH_HOST")
	if host == "" {
		host = getenv("GH_HOST")
	}
	switch {
	case host == "" || strings.EqualFold(host, "github.com"):
		return ""
	case strings.Contains(host, "://"):
		return host
	}
	return "https://" + host
}
