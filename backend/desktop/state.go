package desktop

import (
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// desktopState is VoxPilot's place on the user's desktop, and what the user asked for
// there last. Both are known before the database is open, and are told to the
// window when it is.
type desktopState struct {
	mu         sync.Mutex
	desktop    backend.Desktop
	navigation *backend.Navigation
	publish    func(...backend.Event) // nil while there is no event bus
	version    string
}

// change changes what is known of the desktop.
func (s *desktopState) change(change func(*backend.Desktop)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.desktop
	change(&s.desktop)
	if s.publish != nil && s.desktop != before {
		s.publish(backend.Event{Desktop: s.snapshot()})
	}
}

// snapshot is a copy that is the caller's own.
func (s *desktopState) snapshot() *backend.Desktop {
	desktop := s.desktop
	desktop.Version = s.version
	return &desktop
}

// navigate has the window show what the user asked for.
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

// ShowError brings the window to the front with why what the user asked for outside
// of it was not done: the page says that in its language.
func (d *Desktop) ShowError(err error) {
	d.Navigate(backend.Navigation{For: backend.NavigateError, Message: backend.MessageOf(err)})
}

// Navigate brings the window to the front with what the user asked for in it.
func (d *Desktop) Navigate(asked backend.Navigation) {
	d.state.navigate(asked)
	d.window().Show()
}
