package notify

import (
	"fmt"

	"github.com/voxpilot/voxpilot/backend"
)

// Language is one that notifications are written in, as in backend.Settings:
// "en", "de" or "zh". Others are English.
type Language string

// words are all that notifications say of themselves.
type words struct {
	needsYou, finished, failed func(chat string) string
	signIn                     string
	waits                      func(chat string) string
	review                     string
	untrusted                  func(chat string) string
	interrupted                string
	why                        string // says where the reason is; "" where its own words, which are English, are shown
	untitled                   string
	all                        [3]func(n int) string // by kind
	open, allowOnce, reject    string
	run, edit, create          func(what string) string
	remove, read               func(what string) string
	change                     func(n int) string
	visit                      func(host string) string
	move                       func(from, to string) string
	in                         func(folder string) string
	files, others              func(n int) string
}

var languages = map[Language]*words{"en": english, "de": german, "zh": chinese}

// Changed says how much was changed in files: "+48 −12 in 3 files".
func Changed(added, removed, files int, in Language) string {
	return fmt.Sprintf("+%d −%d%s", added, removed, backend.InLanguage(languages, in).files(files))
}

// put makes a func that puts a text into a pattern.
func put(pattern string) func(string) string {
	return func(text string) string { return fmt.Sprintf(pattern, text) }
}

// many makes a func that counts.
func many(one, other string) func(int) string {
	return func(n int) string {
		if n == 1 {
			return one
		}
		return fmt.Sprintf(other, n)
	}
}

var english = &words{
	needsYou: put("%s needs you"), finished: put("%s is finished"), failed: put("%s failed"),
	signIn: "Sign in to GitHub", waits: put("%s waits for it. Nothing is lost."),
	review: "Review a folder", untrusted: put("%s starts when you trust its folder. Nothing is lost."),
	interrupted: "The answer was interrupted.", untitled: "New chat",
	all: [3]func(int) string{
		many("1 chat needs you", "%d chats need you"), many("1 chat is finished", "%d chats are finished"), many("1 chat failed", "%d chats failed"),
	},
	open: "Open", allowOnce: "Allow once", reject: "Reject",
	run: put("Run %s"), edit: put("Edit %s"), create: put("Create %s"), change: many("Change 1 file", "Change %d files"), remove: put("Delete %s"), read: put("Read %s"), visit: put("Open %s"),
	move:  func(from, to string) string { return "Move " + from + " to " + to },
	in:    put("in %s"),
	files: many(" in 1 file", " in %d files"), others: many(" and 1 more file", " and %d more files"),
}

var german = &words{
	needsYou: put("%s braucht dich"), finished: put("%s ist fertig"), failed: put("%s ist fehlgeschlagen"),
	signIn: "Bei GitHub anmelden", waits: put("%s wartet darauf. Nichts ist verloren."),
	review: "Ordner prüfen", untrusted: put("%s beginnt, sobald du dem Ordner vertraust. Nichts ist verloren."),
	interrupted: "Die Antwort wurde unterbrochen.", why: "Warum, steht im Chat.", untitled: "Neuer Chat",
	all: [3]func(int) string{
		many("1 Chat braucht dich", "%d Chats brauchen dich"), many("1 Chat ist fertig", "%d Chats sind fertig"), many("1 Chat ist fehlgeschlagen", "%d Chats sind fehlgeschlagen"),
	},
	open: "Öffnen", allowOnce: "Einmal erlauben", reject: "Ablehnen",
	run: put("Ausführen: %s"), edit: put("%s bearbeiten"), create: put("%s anlegen"), change: many("1 Datei ändern", "%d Dateien ändern"), remove: put("%s löschen"), read: put("%s lesen"), visit: put("%s öffnen"),
	move:  func(from, to string) string { return from + " nach " + to + " verschieben" },
	in:    put("in %s"),
	files: many(" in 1 Datei", " in %d Dateien"), others: many(" und 1 weitere Datei", " und %d weitere Dateien"),
}

var chinese = &words{
	needsYou: put("%s 需要你处理"), finished: put("%s 已完成"), failed: put("%s 失败"),
	signIn: "登录 GitHub", waits: put("%s 在等待登录。没有丢失任何内容。"),
	review: "检查文件夹", untrusted: put("你信任其文件夹后，%s 就会开始。没有丢失任何内容。"),
	interrupted: "回答被中断。", why: "原因见对话。", untitled: "新对话",
	all: [3]func(int) string{
		many("1 个对话需要你处理", "%d 个对话需要你处理"), many("1 个对话已完成", "%d 个对话已完成"), many("1 个对话失败", "%d 个对话失败"),
	},
	open: "打开", allowOnce: "允许一次", reject: "拒绝",
	run: put("运行 %s"), edit: put("编辑 %s"), create: put("创建 %s"), change: many("更改 1 个文件", "更改 %d 个文件"), remove: put("删除 %s"), read: put("读取 %s"), visit: put("打开 %s"),
	move:  func(from, to string) string { return "移动 " + from + " 到 " + to },
	in:    put("在 %s 中"),
	files: many("，1 个文件", "，%d 个文件"), others: many(" 和另外 1 个文件", " 和另外 %d 个文件"),
}
