//go:build darwin && cgo && (desktop || dev)

package quick

/*
#cgo darwin CFLAGS: -x objective-c
#cgo darwin LDFLAGS: -framework Cocoa
#import <Cocoa/Cocoa.h>

static void quick_present(double width, double height) {
	dispatch_async(dispatch_get_main_queue(), ^{
		// Otherwise the process would have a separate icon in the Dock.
		[NSApp setActivationPolicy:NSApplicationActivationPolicyAccessory];
		NSWindow *window = [[NSApp windows] firstObject];
		if (window == nil) return;
		NSPoint pointer = [NSEvent mouseLocation];
		NSScreen *screen = [NSScreen mainScreen];
		for (NSScreen *one in [NSScreen screens]) {
			if (NSPointInRect(pointer, [one frame])) screen = one;
		}
		NSRect frame = [screen frame];
		[window setFrameTopLeftPoint:NSMakePoint(frame.origin.x + (frame.size.width - width) / 2,
			frame.origin.y + frame.size.height * 0.78)];
		[window setCollectionBehavior:NSWindowCollectionBehaviorMoveToActiveSpace | NSWindowCollectionBehaviorFullScreenAuxiliary];
		[window setLevel:NSFloatingWindowLevel];
		[NSApp activateIgnoringOtherApps:YES];
		[window makeKeyAndOrderFront:nil];
	});
}
*/
import "C"

import "context"

// hasRoundCorners reports whether the window can have rounded corners.
func hasRoundCorners() bool { return true }

// presentWindow brings the window to the front, on the user's current screen.
func presentWindow(context.Context) { C.quick_present(width, height) }
