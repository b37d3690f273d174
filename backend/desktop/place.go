package desktop

import (
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

// place is VoxPilot's place on the user's desktop, and what the user asked for
// there last. Both are known before the database is open, and are told to the
// window when it is.
type place struct {
	mu      sync.Mutex
	desktop backend.Desktop
	asked   *backend.Navigation
	publish func(...backend.Event) // nil while there is no feed
	version string
}

// change changes what is known of the desktop.
func (p *place) change(change func(*backend.Desktop)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	before := p.desktop
	change(&p.desktop)
	if p.publish != nil && p.desktop != before {
		p.publish(backend.Event{Desktop: p.now()})
	}
}

// now is a copy that is the caller's own.
func (p *place) now() *backend.Desktop {
	desktop := p.desktop
	desktop.Version = p.version
	return &desktop
}

// ask has the window show what the user asked for.
func (p *place) ask(asked backend.Navigation) {
	asked.ID = backend.NewID()
	p.mu.Lock()
	defer p.mu.Unlock()
	p.asked = &asked
	if p.publish != nil {
		p.publish(backend.Event{Navigation: &asked})
	}
}

// opened begins to publish.
func (p *place) opened(publish func(...backend.Event)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.publish = publish
	publish(backend.Event{Desktop: p.now()})
	if p.asked != nil {
		publish(backend.Event{Navigation: p.asked})
	}
}

// closed ends what opened began.
func (p *place) closed() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.publish = nil
}

// ShowFailed brings the window to the front with why what the user asked for outside
// of it was not done: the page says that in its language.
func (d *Desktop) ShowFailed(err error) {
	d.ShowAsked(backend.Navigation{For: backend.NavigateError, Message: backend.MessageOf(err)})
}

// ShowAsked brings the window to the front with what the user asked for in it.
func (d *Desktop) ShowAsked(asked backend.Navigation) {
	d.place.ask(asked)
	d.window().Show()
}
