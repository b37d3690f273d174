//go:build darwin && cgo

package hotkey

/*
#cgo LDFLAGS: -framework Carbon
#include <Carbon/Carbon.h>
#include <dispatch/dispatch.h>

extern void voxpilotHotKeyPressed(void);

static OSStatus voxpilotOnHotKey(EventHandlerCallRef next, EventRef event, void *data) {
	EventHotKeyID id;
	OSStatus status = GetEventParameter(event, kEventParamDirectObject, typeEventHotKeyID, NULL, sizeof(id), NULL, &id);
	if (status != noErr || id.signature != 'VoxP') return eventNotHandledErr;
	voxpilotHotKeyPressed();
	return noErr;
}

typedef struct {
	UInt32 code, mods, number;
	EventHotKeyRef ref;
	OSStatus status;
} voxpilotHotKey;

// Must run on the main thread, whose event loop receives the hot keys. The window runs that loop.
static void voxpilotRegister(void *arg) {
	static int installed = 0;
	voxpilotHotKey *key = arg;
	if (!installed) {
		EventTypeSpec pressed = {kEventClassKeyboard, kEventHotKeyPressed};
		key->status = InstallEventHandler(GetApplicationEventTarget(), voxpilotOnHotKey, 1, &pressed, NULL, NULL);
		if (key->status != noErr) return;
		installed = 1;
	}
	EventHotKeyID id = {.signature = 'VoxP', .id = key->number};
	key->status = RegisterEventHotKey(key->code, key->mods, id, GetApplicationEventTarget(), kEventHotKeyExclusive, &key->ref);
}

static void voxpilotUnregister(void *ref) { UnregisterEventHotKey((EventHotKeyRef)ref); }

static voxpilotHotKey voxpilotTake(UInt32 code, UInt32 mods, UInt32 number) {
	voxpilotHotKey key = {.code = code, .mods = mods, .number = number};
	dispatch_sync_f(dispatch_get_main_queue(), &key, voxpilotRegister);
	return key;
}

static void voxpilotRelease(EventHotKeyRef ref) { dispatch_async_f(dispatch_get_main_queue(), ref, voxpilotUnregister); }
*/
import "C"

import (
	"context"
	"sync/atomic"

	"github.com/voxpilot/voxpilot/backend"
)

// carbon registers keys with RegisterEventHotKey.
type carbon struct{ next C.UInt32 }

// onPress holds the function to call when the shortcut is pressed. It is a global variable because C calls the handler,
// and a process has only one shortcut.
var onPress atomic.Pointer[func()]

//export voxpilotHotKeyPressed
func voxpilotHotKeyPressed() {
	if pressed := onPress.Load(); pressed != nil {
		(*pressed)()
	}
}

func open(pressed, _ func()) (system, error) {
	onPress.Store(&pressed)
	return &carbon{}, nil
}

func (c *carbon) close() { onPress.Store(nil) }

func (c *carbon) take(_ context.Context, keys Combo) (release func(), called string, err error) {
	code, ok := codes[keys.Key]
	if !ok {
		return nil, "", unsupportedError{backend.Say("Mac keyboards don't have the %s key.", keys.Key)}
	}
	var mods C.UInt32
	for _, mod := range []struct {
		held bool
		bit  C.UInt32
	}{{keys.Ctrl, C.controlKey}, {keys.Alt, C.optionKey}, {keys.Shift, C.shiftKey}, {keys.Super, C.cmdKey}} {
		if mod.held {
			mods |= mod.bit
		}
	}
	c.next++
	key := C.voxpilotTake(C.UInt32(code), mods, c.next)
	switch key.status {
	case C.noErr:
		return func() { C.voxpilotRelease(key.ref) }, "", nil
	case C.eventHotKeyExistsErr:
		return nil, "", errInUse
	}
	return nil, "", backend.Problem("macOS didn't register the shortcut (status %d)", int(key.status))
}

// codes maps each key to its virtual key code, which identifies a position on the keyboard.
var codes = map[string]uint32{
	"A": 0, "S": 1, "D": 2, "F": 3, "H": 4, "G": 5, "Z": 6, "X": 7, "C": 8, "V": 9, "B": 11, "Q": 12, "W": 13, "E": 14, "R": 15,
	"Y": 16, "T": 17, "1": 18, "2": 19, "3": 20, "4": 21, "6": 22, "5": 23, "9": 25, "7": 26, "8": 28, "0": 29, "O": 31, "U": 32,
	"I": 34, "P": 35, "L": 37, "J": 38, "K": 40, "N": 45, "M": 46, "Space": 49,
	"F1": 122, "F2": 120, "F3": 99, "F4": 118, "F5": 96, "F6": 97, "F7": 98, "F8": 100, "F9": 101, "F10": 109, "F11": 103,
	"F12": 111, "F13": 105, "F14": 107, "F15": 113, "F16": 106, "F17": 64, "F18": 79, "F19": 80, "F20": 90,
	"Insert": 114, "Home": 115, "PageUp": 116, "End": 119, "PageDown": 121, "Left": 123, "Right": 124, "Down": 125, "Up": 126,
}
