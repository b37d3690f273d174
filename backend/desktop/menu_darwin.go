//go:build darwin && cgo && (desktop || dev)

package desktop

/*
#cgo darwin CFLAGS: -x objective-c
#cgo darwin LDFLAGS: -framework Cocoa
#include <stdlib.h>
#import <Cocoa/Cocoa.h>

static void menu_title(NSMenu *menu, NSString *from, NSString *to) {
	for (NSMenuItem *item in [menu itemArray]) {
		if ([[item title] isEqualToString:from]) {
			[item setTitle:to];
			[[item submenu] setTitle:to];
		}
		if ([item hasSubmenu]) menu_title([item submenu], from, to);
	}
}

static void menu_retitle(const char *from, const char *to) {
	NSString *was = [NSString stringWithUTF8String:from];
	NSString *is = [NSString stringWithUTF8String:to];
	dispatch_async(dispatch_get_main_queue(), ^{ menu_title([NSApp mainMenu], was, is); });
}
*/
import "C"

import "unsafe"

// retitleMenu changes the titles of entries in the menu bar: an entry with the title from[i] gets the title to[i].
// It is needed because Wails has only English titles for its standard entries and no API to change them.
func retitleMenu(from, to []string) {
	for i := range from {
		was, is := C.CString(from[i]), C.CString(to[i])
		C.menu_retitle(was, is)
		C.free(unsafe.Pointer(was))
		C.free(unsafe.Pointer(is))
	}
}
