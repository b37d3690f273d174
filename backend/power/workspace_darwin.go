//go:build darwin && cgo

package power

/*
#cgo CFLAGS: -x objective-c
#cgo LDFLAGS: -framework Cocoa
#import <Cocoa/Cocoa.h>

extern void voxpilotPower(int what);

static void voxpilotOn(NSNotificationCenter *center, NSString *name, int what) {
	[center addObserverForName:name object:nil queue:nil usingBlock:^(NSNotification *n) { voxpilotPower(what); }];
}

// The numbers are those of the type what. The notifications come on the main
// thread, and the system goes on when they were taken.
static void voxpilotWatchPower(void) {
	NSNotificationCenter *workspace = [[NSWorkspace sharedWorkspace] notificationCenter];
	voxpilotOn(workspace, NSWorkspaceWillSleepNotification, 0);
	voxpilotOn(workspace, NSWorkspaceWillPowerOffNotification, 1);
	voxpilotOn(workspace, NSWorkspaceDidWakeNotification, 2);
	voxpilotOn([NSDistributedNotificationCenter defaultCenter], @"com.apple.screenIsUnlocked", 4);
}
*/
import "C"

import (
	"context"
	"sync"
)

// teller is who the notifications go to. They are asked for once and never given
// back: nobody may be told of one that has ended.
var teller struct {
	once sync.Once
	mu   sync.Mutex
	tell func(what)
}

//export voxpilotPower
func voxpilotPower(number C.int) {
	teller.mu.Lock()
	tell := teller.tell
	teller.mu.Unlock()
	if tell == nil {
		return
	}
	if w := what(number); w == sleeps || w == ends {
		tell(w)
	} else {
		go tell(w) // the window's thread has other things to do
	}
}

func listenToWorkspace(ctx context.Context, tell func(what)) {
	set := func(tell func(what)) {
		teller.mu.Lock()
		defer teller.mu.Unlock()
		teller.tell = tell
	}
	set(tell)
	teller.once.Do(func() { C.voxpilotWatchPower() })
	<-ctx.Done()
	set(nil)
}
