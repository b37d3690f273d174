//go:build darwin && cgo

// Notices with the UserNotifications framework. Everything that may block runs on the
// framework's threads, which report the results to Go.

#import <Foundation/Foundation.h>
#import <UserNotifications/UserNotifications.h>
#include <stdlib.h>

extern void voxpilotNoticesAble(int granted);
extern void voxpilotNoticeActed(char *key, int serial, int action);

// The actions of clicking the notice itself and of dismissing it.
enum { voxpilotOpened = -1, voxpilotDismissed = -2 };

API_AVAILABLE(macos(10.14))
@interface VoxPilotNotices : NSObject <UNUserNotificationCenterDelegate>
@property(strong) NSMutableSet<UNNotificationCategory *> *categories;
@end

@implementation VoxPilotNotices
- (void)userNotificationCenter:(UNUserNotificationCenter *)center
       willPresentNotification:(UNNotification *)notification
         withCompletionHandler:(void (^)(UNNotificationPresentationOptions))done {
	if (@available(macOS 11.0, *)) {
		done(UNNotificationPresentationOptionBanner | UNNotificationPresentationOptionList);
	} else {
		done(UNNotificationPresentationOptionAlert);
	}
}

- (void)userNotificationCenter:(UNUserNotificationCenter *)center
    didReceiveNotificationResponse:(UNNotificationResponse *)response
             withCompletionHandler:(void (^)(void))done {
	UNNotificationRequest *request = response.notification.request;
	int action = [response.actionIdentifier intValue];
	if ([response.actionIdentifier isEqualToString:UNNotificationDefaultActionIdentifier]) action = voxpilotOpened;
	if ([response.actionIdentifier isEqualToString:UNNotificationDismissActionIdentifier]) action = voxpilotDismissed;
	NSNumber *serial = request.content.userInfo[@"serial"];
	voxpilotNoticeActed((char *)[request.identifier UTF8String], [serial intValue], action);
	done();
}
@end

static id notices;

// voxpilotNoticesStart asks the user once for permission to show notices. It returns 0
// outside a bundle, where the framework would terminate the process, or if the system
// lacks the framework.
int voxpilotNoticesStart(void) {
	if ([[NSBundle mainBundle] bundleIdentifier] == nil) return 0;
	if (@available(macOS 10.14, *)) {
		VoxPilotNotices *mine = [[VoxPilotNotices alloc] init];
		mine.categories = [NSMutableSet set];
		notices = mine;
		UNUserNotificationCenter *center = [UNUserNotificationCenter currentNotificationCenter];
		center.delegate = mine;
		[center requestAuthorizationWithOptions:UNAuthorizationOptionAlert
		                      completionHandler:^(BOOL granted, NSError *error) {
			                      voxpilotNoticesAble(granted ? 1 : 0);
		                      }];
		return 1;
	}
	return 0;
}

// voxpilotNoticeShow shows a notice with up to two buttons. An empty label means no button.
void voxpilotNoticeShow(const char *key, const char *title, const char *body, int serial, const char *first, const char *second) {
	@autoreleasepool {
		if (@available(macOS 10.14, *)) {
			UNUserNotificationCenter *center = [UNUserNotificationCenter currentNotificationCenter];
			UNMutableNotificationContent *content = [[UNMutableNotificationContent alloc] init];
			content.title = [NSString stringWithUTF8String:title];
			content.body = [NSString stringWithUTF8String:body];
			content.userInfo = @{@"serial" : @(serial)};
			NSMutableArray<UNNotificationAction *> *actions = [NSMutableArray array];
			const char *labels[] = {first, second};
			for (int i = 0; i < 2; i++) {
				if (labels[i][0] == 0) continue;
				[actions addObject:[UNNotificationAction actionWithIdentifier:[NSString stringWithFormat:@"%d", i]
				                                                        title:[NSString stringWithUTF8String:labels[i]]
				                                                      options:UNNotificationActionOptionAuthenticationRequired]];
			}
			NSString *kind = [NSString stringWithFormat:@"%s|%s", first, second];
			content.categoryIdentifier = kind;
			VoxPilotNotices *mine = notices;
			[mine.categories addObject:[UNNotificationCategory categoryWithIdentifier:kind
			                                                                  actions:actions
			                                                        intentIdentifiers:@[]
			                                                                  options:UNNotificationCategoryOptionCustomDismissAction]];
			[center setNotificationCategories:mine.categories];
			[center addNotificationRequest:[UNNotificationRequest requestWithIdentifier:[NSString stringWithUTF8String:key]
			                                                                    content:content
			                                                                    trigger:nil]
			         withCompletionHandler:nil];
		}
	}
}

void voxpilotNoticeWithdraw(const char *key) {
	@autoreleasepool {
		if (@available(macOS 10.14, *)) {
			NSArray<NSString *> *keys = @[ [NSString stringWithUTF8String:key] ];
			UNUserNotificationCenter *center = [UNUserNotificationCenter currentNotificationCenter];
			[center removePendingNotificationRequestsWithIdentifiers:keys];
			[center removeDeliveredNotificationsWithIdentifiers:keys];
		}
	}
}
