package export

import (
	"cmp"
	"fmt"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// words is what a file says of its own in one language. Where the window says the
// same, it says it in the same words.
type words struct {
	untitled                              string
	folder, begun, latest, times          string
	you, answer, thought, note, tool      string
	plan, image, work, workFor, notice    string
	command, path, to, status, exit, fact string
	asked, session, detail, with          string
	changes, output, result               string
	bytes                                 string
	moment                                string // a layout of package time
	states                                map[backend.ToolStatus]string
	decisions                             map[backend.Decision]string
	unasked                               string
	banners                               map[backend.BannerKind]string
}

var languages = map[string]words{
	"en": {
		untitled: "Chat", folder: "Folder", begun: "Begun", latest: "Last activity", times: "Time zone",
		you: "You", answer: "Answer", thought: "Thought", note: "Note", tool: "Tool", plan: "Plan", image: "Image",
		work: "Work", workFor: "Work for %s", notice: "Notice",
		command: "Command", path: "Path", to: "To", status: "Status", exit: "Exit code", fact: "Result",
		asked: "Permission", session: "Session", detail: "Detail", with: "With",
		changes: "Changes in %s", output: "Output", result: "Result", bytes: "%d bytes",
		moment: "2 Jan 2006, 15:04:05",
		states: map[backend.ToolStatus]string{
			backend.ToolPending: "pending", backend.ToolInProgress: "in progress", backend.ToolCompleted: "completed",
			backend.ToolFailed: "failed", backend.ToolCancelled: "stopped",
		},
		decisions: map[backend.Decision]string{
			backend.DecisionAllowedOnce: "allowed once", backend.DecisionAlwaysAllowed: "always allowed",
			backend.DecisionAutoAllowed: "allowed by your setting", backend.DecisionRejected: "you rejected this",
			backend.DecisionClosed: "not answered",
		},
		unasked: "Copilot did not ask",
		banners: map[backend.BannerKind]string{
			backend.BannerRestored: "Session restored", backend.BannerResumed: "Session restored",
			backend.BannerIncomplete: "Session restored, but the last message may be incomplete", backend.BannerSessionLost: "Session could not be restored",
			backend.BannerStopped: "The agent reached its limit", backend.BannerAgentError: "Copilot reported a problem",
			backend.BannerDiffers: "Copilot remembers something else than this chat shows", backend.BannerAllowAll: "Allow everything is on",
			backend.BannerMode: "Mode kept", backend.BannerContinued: "Summary of an earlier chat", backend.BannerRateLimited: "Rate limited",
			backend.BannerStopsSoon: "Stops soon", backend.BannerExtended: "More time",
		},
	},
	"de": {
		untitled: "Chat", folder: "Ordner", begun: "Begonnen", latest: "Letzte Aktivität", times: "Zeitzone",
		you: "Du", answer: "Antwort", thought: "Gedanke", note: "Hinweis", tool: "Werkzeug", plan: "Plan", image: "Bild",
		work: "Arbeit", workFor: "Arbeit für %s", notice: "Mitteilung",
		command: "Befehl", path: "Pfad", to: "Nach", status: "Status", exit: "Exit-Code", fact: "Ergebnis",
		asked: "Erlaubnis", session: "Sitzung", detail: "Einzelheit", with: "Mit",
		changes: "Änderungen in %s", output: "Ausgabe", result: "Ergebnis", bytes: "%d Byte",
		moment: "02.01.2006, 15:04:05",
		states: map[backend.ToolStatus]string{
			backend.ToolPending: "ausstehend", backend.ToolInProgress: "läuft", backend.ToolCompleted: "abgeschlossen",
			backend.ToolFailed: "fehlgeschlagen", backend.ToolCancelled: "angehalten",
		},
		decisions: map[backend.Decision]string{
			backend.DecisionAllowedOnce: "einmal erlaubt", backend.DecisionAlwaysAllowed: "immer erlaubt",
			backend.DecisionAutoAllowed: "durch deine Einstellung erlaubt", backend.DecisionRejected: "von dir abgelehnt",
			backend.DecisionClosed: "nicht beantwortet",
		},
		unasked: "Copilot hat nicht gefragt",
		banners: map[backend.BannerKind]string{
			backend.BannerRestored: "Sitzung wiederhergestellt", backend.BannerResumed: "Sitzung wiederhergestellt",
			backend.BannerIncomplete: "Sitzung wiederhergestellt, aber die letzte Nachricht ist womöglich unvollständig", backend.BannerSessionLost: "Sitzung nicht wiederhergestellt",
			backend.BannerStopped: "Der Agent hat seine Grenze erreicht", backend.BannerAgentError: "Copilot hat ein Problem gemeldet",
			backend.BannerDiffers: "Copilot erinnert sich an etwas anderes, als dieser Chat zeigt", backend.BannerAllowAll: "„Alles erlauben“ ist an",
			backend.BannerMode: "Modus beibehalten", backend.BannerContinued: "Zusammenfassung eines früheren Chats", backend.BannerRateLimited: "Anfragen begrenzt",
			backend.BannerStopsSoon: "Hält bald an", backend.BannerExtended: "Mehr Zeit",
		},
	},
	"zh": {
		untitled: "对话", folder: "文件夹", begun: "开始", latest: "最近活动", times: "时区",
		you: "你", answer: "回答", thought: "思考", note: "说明", tool: "工具", plan: "计划", image: "图片",
		work: "工作", workFor: "%s 的工作", notice: "通知",
		command: "命令", path: "路径", to: "到", status: "状态", exit: "退出代码", fact: "结果",
		asked: "权限", session: "会话", detail: "详情", with: "附件",
		changes: "%s 中的更改", output: "输出", result: "结果", bytes: "%d 字节",
		moment: "2006年1月2日 15:04:05",
		states: map[backend.ToolStatus]string{
			backend.ToolPending: "等待中", backend.ToolInProgress: "进行中", backend.ToolCompleted: "已完成",
			backend.ToolFailed: "失败", backend.ToolCancelled: "已停止",
		},
		decisions: map[backend.Decision]string{
			backend.DecisionAllowedOnce: "已允许一次", backend.DecisionAlwaysAllowed: "已始终允许",
			backend.DecisionAutoAllowed: "按你的设置允许", backend.DecisionRejected: "你已拒绝", backend.DecisionClosed: "未回答",
		},
		unasked: "Copilot 未询问",
		banners: map[backend.BannerKind]string{
			backend.BannerRestored: "会话已恢复", backend.BannerResumed: "会话已恢复",
			backend.BannerIncomplete: "会话已恢复，但最后一条消息可能不完整", backend.BannerSessionLost: "无法恢复会话",
			backend.BannerStopped: "代理已达到其限制", backend.BannerAgentError: "Copilot 报告了问题",
			backend.BannerDiffers: "Copilot 的记忆与此对话显示的内容不同", backend.BannerAllowAll: "“允许一切”已开启",
			backend.BannerMode: "模式已保留", backend.BannerContinued: "之前对话的摘要", backend.BannerRateLimited: "请求受限",
			backend.BannerStopsSoon: "即将停止", backend.BannerExtended: "更多时间",
		},
	},
}

// words are those of the file's language.
func (s Source) words() words { return backend.InLanguage(languages, s.Language) }

// language is the tag of the file's language.
func (s Source) language() string {
	switch s.Language {
	case "de":
		return "de"
	case "zh":
		return "zh-CN"
	}
	return "en"
}

// at is a time in the file's time zone.
func (s Source) at(ms backend.Millis) time.Time {
	return time.UnixMilli(int64(ms)).In(cmp.Or(s.Zone, time.UTC))
}

// moment is a time as it is read.
func (s Source) moment(ms backend.Millis) string { return s.at(ms).Format(s.words().moment) }

// zone is which time zone the times are in, as it was at the end of the chat.
func (s Source) zone() string {
	at := s.at(s.Chat.UpdatedAt)
	name, _ := at.Zone()
	return fmt.Sprintf("%s (UTC%s)", name, at.Format("-07:00"))
}
