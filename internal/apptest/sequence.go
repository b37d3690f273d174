package apptest

import (
	"errors"
	"fmt"
	"sync"

	"github.com/voxpilot/voxpilot/backend/practice"
)

// Sequence returns a script for the practice model: each request in the main conversation gets the next
// reply. Other requests get a short answer and don't use up a reply. Requests after the last reply are
// answered with an error; Err reports them and any unused replies.
func Sequence(replies ...practice.Reply) practice.Script {
	return &sequence{remaining: replies, all: len(replies)}
}

type sequence struct {
	mu         sync.Mutex
	remaining  []practice.Reply
	all        int
	unexpected []error
}

func (s *sequence) Reply(req practice.Request) (practice.Reply, error) {
	if req.Side() {
		return practice.Reply{practice.Text("Noted.")}, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.remaining) == 0 {
		err := fmt.Errorf("unexpected request %d: the script has %d replies; its last message is from %q: %.200q",
			req.N, s.all, req.Last().Role, req.Last().Text)
		s.unexpected = append(s.unexpected, err)
		return nil, err
	}
	next := s.remaining[0]
	s.remaining = s.remaining[1:]
	return next, nil
}

// Err reports unexpected requests and unused replies.
func (s *sequence) Err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	errs := append([]error(nil), s.unexpected...)
	if n := len(s.remaining); n > 0 {
		errs = append(errs, fmt.Errorf("%d of %d replies weren't used; the next one is:\n%v", n, s.all, s.remaining[0]))
	}
	return errors.Join(errs...)
}
