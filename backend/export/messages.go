package export

import (
	"cmp"
	"fmt"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// messages holds the messages for an exported file in one language, worded as in the window.
type messages struct{ i18n.Catalog }

var states = map[backend.ToolStatus]backend.Message{
	backend.ToolPending: backend.Say("pending"), backend.ToolInProgress: backend.Say("in progress"), backend.ToolCompleted: backend.Say("completed"),
	backend.ToolFailed: backend.Say("failed"), backend.ToolCancelled: backend.Say("stopped"),
}

var decisions = map[backend.Decision]backend.Message{
	backend.DecisionAllowedOnce: backend.Say("allowed once"), backend.DecisionAlwaysAllowed: backend.Say("always allowed"),
	backend.DecisionAutoAllowed: backend.Say("allowed by your settings"), backend.DecisionRejected: backend.Say("you rejected this"),
	backend.DecisionClosed: backend.Say("not answered"),
}

var banners = map[backend.BannerKind]backend.Message{
	backend.BannerRestored: backend.Say("Session restored"), backend.BannerResumed: backend.Say("Session restored"),
	backend.BannerIncomplete: backend.Say("Session restored, but the last message may be incomplete"), backend.BannerSessionLost: backend.Say("Session couldn't be restored"), backend.BannerSessionRepaired: backend.Say("Session repaired"), backend.BannerSessionRebuilt: backend.Say("Session rebuilt from this chat"),
	backend.BannerAgentLimit: backend.Say("The agent reached its limit"), backend.BannerAgentError: backend.Say("Copilot reported a problem"),
	backend.BannerHistoryMismatch: backend.Say("Copilot's history doesn't match this chat"), backend.BannerAllowAll: backend.Say("“Allow everything” is on"),
	backend.BannerMode: backend.Say("Mode restored"), backend.BannerContinued: backend.Say("Summary of an earlier chat"), backend.BannerImported: backend.Say("Messages from another program"), backend.BannerRateLimited: backend.Say("Rate limited"),
	backend.BannerGuardOff: backend.Say("VoxPilot's guard is off"), backend.BannerWithoutPermission: backend.Say("Copilot didn't ask for permission"), backend.BannerTimeLimitNear: backend.Say("Close to the time limit"), backend.BannerTimeLimitExtended: backend.Say("Time limit extended"),
	backend.BannerUndone: backend.Say("Changes undone"), backend.BannerRedone: backend.Say("Changes redone"),
}

// messages returns the messages in the file's language.
func (s Source) messages() messages { return messages{i18n.In(s.Language)} }

// language returns the file's language tag.
func (s Source) language() string {
	switch s.Language {
	case "de":
		return "de"
	case "zh":
		return "zh-CN"
	}
	return "en"
}

// at converts a time to the file's time zone.
func (s Source) at(ms backend.Millis) time.Time {
	return time.UnixMilli(int64(ms)).In(cmp.Or(s.Zone, time.UTC))
}

// moment formats a time in the file's language and time zone.
func (s Source) moment(ms backend.Millis) string {
	return s.at(ms).Format(s.messages().Say("2 Jan 2006, 15:04:05"))
}

// zone returns the name of the file's time zone and its UTC offset at the time of the chat's last activity.
func (s Source) zone() string {
	at := s.at(s.Chat.UpdatedAt)
	name, _ := at.Zone()
	return fmt.Sprintf("%s (UTC%s)", name, at.Format("-07:00"))
}
