package copilot

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// SignIn is the sign-in of the Copilot CLI by itself: at most one runs.
type SignIn struct {
	// Run signs in, and calls out with all that was written by then.
	Run      func(ctx context.Context, out func(text string)) error
	Publish  func(...backend.Event)
	Redacted func(text string) string // text without secrets
	Log      *slog.Logger

	mu   sync.Mutex
	stop context.CancelFunc // nil while none runs
	done chan struct{}      // closed when the one that runs has ended
}

// Begin begins a sign-in in the place of one that is under way, and returns what
// goes on with it: SignIn events tell the rest, and ended is told whether the CLI is
// signed in.
func (s *SignIn) Begin(ctx context.Context, ended func(ok bool)) (goOn func()) {
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
		// One that was given up, or whose place was taken, has nothing more to say:
		// what came after it may have begun to.
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

// Cancel gives up the sign-in that is under way.
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

// run is how a sign-in ended.
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
	in.Code, in.URL = "", "" // neither can be used any more
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
	s.Log.Warn("the Copilot CLI could not sign in", "err", err)
	return in
}

// Host is the address of the GitHub that the CLI uses, "" for github.com.
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
