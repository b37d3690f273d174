//go:build darwin && cgo

package notify

/*
#cgo CFLAGS: -fobjc-arc
#cgo LDFLAGS: -framework Foundation -framework UserNotifications
#include <stdlib.h>

int voxpilotNoticesStart(void);
void voxpilotNoticeShow(const char *key, const char *title, const char *body, int serial, const char *first, const char *second);
void voxpilotNoticeWithdraw(const char *key);
*/
import "C"

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/voxpilot/voxpilot/backend"
)

// Reasons why there are no notifications.
var (
	whyNoBundle = backend.Say("macOS shows notifications only for apps. Start VoxPilot as an app, not from a terminal.")
	whyDenied   = backend.Say("Notifications for VoxPilot are off in System Settings > Notifications.")
)

// center shows notices in the Notification Center of macOS. A process has only one center.
type center struct {
	callbacks callbacks

	mu      sync.Mutex
	visible map[string]Notice
}

var theCenter atomic.Pointer[center]

func open(h callbacks, _ *slog.Logger) system {
	c := &center{callbacks: h, visible: map[string]Notice{}}
	theCenter.Store(c)
	if C.voxpilotNoticesStart() == 0 {
		h.available(whyNoBundle, false)
		return noop{}
	}
	return c
}

//export voxpilotNoticesAble
func voxpilotNoticesAble(granted C.int) {
	c := theCenter.Load()
	switch {
	case c == nil:
	case granted == 0:
		c.callbacks.available(whyDenied, false)
	default:
		c.callbacks.available(backend.Message{}, true)
	}
}

//export voxpilotNoticeActed
func voxpilotNoticeActed(key *C.char, serial, action C.int) {
	c := theCenter.Load()
	if c == nil {
		return
	}
	name := C.GoString(key)
	c.mu.Lock()
	n, known := c.visible[name]
	known = known && n.serial == int(serial)
	if known {
		delete(c.visible, name)
	}
	c.mu.Unlock()
	switch {
	case action == -2: // dismissed
		c.callbacks.closed(name, int(serial))
	case known && action >= 0 && int(action) < len(n.Actions):
		c.callbacks.acted(name, int(serial), n.Actions[action].ID, "")
	default:
		c.callbacks.acted(name, int(serial), actionOpen, "")
	}
}

func (c *center) show(n Notice) error {
	c.mu.Lock()
	c.visible[n.Key] = n
	c.mu.Unlock()
	texts := []string{n.Key, n.Title, n.Body, "", ""}
	for i := range min(len(n.Actions), 2) {
		texts[3+i] = n.Actions[i].Label
	}
	var raw [5]*C.char
	for i, text := range texts {
		raw[i] = C.CString(text)
		defer C.free(unsafe.Pointer(raw[i]))
	}
	C.voxpilotNoticeShow(raw[0], raw[1], raw[2], C.int(n.serial), raw[3], raw[4])
	return nil
}

func (c *center) withdraw(key string) {
	c.mu.Lock()
	delete(c.visible, key)
	c.mu.Unlock()
	name := C.CString(key)
	defer C.free(unsafe.Pointer(name))
	C.voxpilotNoticeWithdraw(name)
}

func (c *center) limits() textLimits { return 0 }

func (c *center) close() { theCenter.CompareAndSwap(c, nil) }
