package tray

import (
	"fmt"

	"github.com/voxpilot/voxpilot/backend"
)

// words are the words of the tray in one language. Where the window says the
// same, it says it in the same words.
type words struct {
	nothing, comma                        string
	running, failed, finished             string
	needsYou, needYou                     string // of one, of more
	oneNeeds, manyNeed, oneFail, manyFail string
	moreChats                             string
	quick, newChat, open                  string
	connection                            map[Connection]string
	reconnect, mute, login                string
	settings, quit                        string
	signIn, offline, stopped              string
	stays, comesBack                      string
}

var languages = map[string]words{
	"en": {
		nothing: "Nothing is running", comma: ", ",
		running: "running", failed: "failed", finished: "finished", needsYou: "needs you", needYou: "need you",
		oneNeeds: "%d chat needs you", manyNeed: "%d chats need you", oneFail: "%d chat failed", manyFail: "%d chats failed",
		moreChats: "and %d more",
		quick:     "Quick prompt…", newChat: "New chat", open: "Open VoxPilot",
		connection: map[Connection]string{
			NotRunning: "Not running", Starting: "Starting…", Restoring: "Restoring…", Connected: "Connected",
			Reconnecting: "Reconnecting…", SignInNeeded: "Sign in needed", Offline: "Offline", Stopped: "Stopped",
		},
		reconnect: "Reconnect Copilot", mute: "Mute notifications", login: "Start at login",
		settings: "Settings…", quit: "Quit VoxPilot",
		signIn: "sign-in needed", offline: "offline", stopped: "Copilot has stopped",
		stays: "VoxPilot is still running", comesBack: "Your chats go on. The icon in the tray opens the window again.",
	},
	"de": {
		nothing: "Nichts läuft", comma: ", ",
		running: "läuft", failed: "fehlgeschlagen", finished: "fertig", needsYou: "braucht dich", needYou: "brauchen dich",
		oneNeeds: "%d Chat braucht dich", manyNeed: "%d Chats brauchen dich", oneFail: "%d Chat fehlgeschlagen", manyFail: "%d Chats fehlgeschlagen",
		moreChats: "und %d weitere",
		quick:     "Schnelleingabe…", newChat: "Neuer Chat", open: "VoxPilot öffnen",
		connection: map[Connection]string{
			NotRunning: "Läuft nicht", Starting: "Startet…", Restoring: "Stellt wieder her…", Connected: "Verbunden",
			Reconnecting: "Verbindet neu…", SignInNeeded: "Anmeldung nötig", Offline: "Offline", Stopped: "Angehalten",
		},
		reconnect: "Copilot neu verbinden", mute: "Benachrichtigungen stummschalten", login: "Beim Anmelden starten",
		settings: "Einstellungen…", quit: "VoxPilot beenden",
		signIn: "Anmeldung nötig", offline: "offline", stopped: "Copilot wurde angehalten",
		stays: "VoxPilot läuft weiter", comesBack: "Deine Chats gehen weiter. Das Symbol im Infobereich öffnet das Fenster wieder.",
	},
	"zh": {
		nothing: "没有正在运行的对话", comma: "，",
		running: "正在运行", failed: "失败", finished: "已完成", needsYou: "需要你处理", needYou: "需要你处理",
		oneNeeds: "%d 个对话需要你处理", manyNeed: "%d 个对话需要你处理", oneFail: "%d 个对话失败", manyFail: "%d 个对话失败",
		moreChats: "另有 %d 个",
		quick:     "快速输入…", newChat: "新对话", open: "打开 VoxPilot",
		connection: map[Connection]string{
			NotRunning: "未运行", Starting: "正在启动…", Restoring: "正在恢复…", Connected: "已连接",
			Reconnecting: "正在重新连接…", SignInNeeded: "需要登录", Offline: "离线", Stopped: "已停止",
		},
		reconnect: "重新连接 Copilot", mute: "将通知静音", login: "登录系统时启动",
		settings: "设置…", quit: "退出 VoxPilot",
		signIn: "需要登录", offline: "离线", stopped: "Copilot 已停止",
		stays: "VoxPilot 仍在运行", comesBack: "你的对话会继续。点按托盘图标可重新打开窗口。",
	},
}

// Stays is what the user is told when the window goes to the tray for the first
// time.
func Stays(language string) (title, text string) {
	w := backend.InLanguage(languages, language)
	return w.stays, w.comesBack
}

// status is how a chat of that status is called behind its title.
func (w words) status(s Status) string {
	return map[Status]string{NeedsYou: w.needsYou, Running: w.running, Failed: w.failed, Finished: w.finished}[s]
}

func (w words) chat(title string, s Status) string { return title + ": " + w.status(s) }

// count is "2 running".
func (w words) count(s Status, n int) string {
	if s == NeedsYou && n > 1 {
		return fmt.Sprint(n, " ", w.needYou)
	}
	return fmt.Sprint(n, " ", w.status(s))
}

// chats is "2 chats failed".
func (w words) chats(s Status, n int) string {
	one, many := w.oneNeeds, w.manyNeed
	if s == Failed {
		one, many = w.oneFail, w.manyFail
	}
	if n == 1 {
		return fmt.Sprintf(one, n)
	}
	return fmt.Sprintf(many, n)
}

func (w words) more(n int) string { return fmt.Sprintf(w.moreChats, n) }

func (w words) copilot(c Connection) string { return "Copilot: " + w.connection[c] }

func (w words) tip(what string) string { return name + w.comma + what }
