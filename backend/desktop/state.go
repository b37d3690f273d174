package desktop

import (
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// desktopState holds the state of the desktop integration and the user's last navigation request from
// outside the window. Both may be known before the database is open; they are published once it is.
type desktopState struct {
	mu         sync.Mutex
	desktop    backend.Desktop
	navigation *backend.Navigation
	publish    func(...backend.Event) // nil while the database isn't open
	version    string
}

// change updates the desktop's state and publishes it if it has changed.
func (s *desktopState) change(change func(*backend.Desktop)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := s.desktop
	change(&s.desktop)
	if s.publish != nil && s.desktop != before {
		s.publish(backend.Event{Desktop: s.snapshot()})
	}
}

// snapshot returns a copy of the desktop's state with VoxPilot's version. The caller must hold s.mu.
func (s *desktopState) snapshot() *backend.Desktop {
	desktop := s.desktop
	desktop.Version = s.version
	return &desktop
}

// navigate records and publishes a navigation request, which the window follows.
func (s *desktopState) navigate(asked backend.Navigation) {
	asked.ID = backend.NewID()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.navigation = &asked
	if s.publish != nil {
		s.publish(backend.Event{Navigation: &asked})
	}
}

// opened publishes the current state and the last navigation request, if there is one. From then on, changes are
// published as well.
func (s *desktopState) opened(publish func(...backend.Event)) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.publish = publish
	publish(backend.Event{Desktop: s.snapshot()})
	if s.navigation != nil {
		publish(backend.Event{Navigation: s.navigation})
	}
}

// closed stops publishing.
func (s *desktopState) closed() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.publish = nil
}

// ShowError brings the window to the front and shows the reason why a request from outside the window failed, in the
// page's language.
func (d *Desktop) ShowError(err error) {
	d.Navigate(backend.Navigation{For: backend.NavigateError, Message: backend.MessageOf(err)})
}

// Navigate brings the window to the front and shows the target in it.
func (d *Desktop) Navigate(asked backend.Navigation) {
	d.state.navigate(asked)
	d.window().Show()
}
