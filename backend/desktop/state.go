package desktop

import (
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// desktopState holds the state of VoxPilot on the user's desktop and the last navigation
// requested there. Both are known before the database is open; the window receives them
// when it is.
type desktopState struct {
	mu         sync.Mutex
	desktop    backend.Desktop
	navigation *backend.Navigation
	publish    func(...backend.Event) // nil until there is an event bus
	version    string
}

// change applies a change to the state and publishes it.
func (s *desktopState) change(change func(*backend.Desktop)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.desktop
	change(&s.desktop)
	if s.publish != nil && s.desktop != before {
		s.publish(backend.Event{Desktop: s.snapshot()})
	}
}

// snapshot returns a copy of the state.
func (s *desktopState) snapshot() *backend.Desktop {
	desktop := s.desktop
	desktop.Version = s.version
	return &desktop
}

// navigate makes the window show the user's request.
func (s *desktopState) navigate(asked backend.Navigation) {
	asked.ID = backend.NewID()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.navigation = &asked
	if s.publish != nil {
		s.publish(backend.Event{Navigation: &asked})
	}
}

// opened begins to publish.
func (s *desktopState) opened(publish func(...backend.Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.publish = publish
	publish(backend.Event{Desktop: s.snapshot()})
	if s.navigation != nil {
		publish(backend.Event{Navigation: s.navigation})
	}
}

// closed ends what opened began.
func (s *desktopState) closed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.publish = nil
}

// ShowError brings the window to the front with the error of an action that the user
// requested outside it. The page shows the error in its language.
func (d *Desktop) ShowError(err error) {
	d.Navigate(backend.Navigation{For: backend.NavigateError, Message: backend.MessageOf(err)})
}

// Navigate brings the window to the front and shows the user's request in it.
func (d *Desktop) Navigate(asked backend.Navigation) {
	d.state.navigate(asked)
	d.window().Show()
}
