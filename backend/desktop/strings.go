package desktop

import (
	"fmt"

	"github.com/voxpilot/voxpilot/backend"
)

// said is what VoxPilot says in one language outside of its page: in dialogs of the
// system's own and in the menu bar of macOS. Where the page, the tray or a
// notification say the same, they say it in the same words.
type said struct {
	chooseFolder, chooseFile, saveAs  string
	oneRuns, manyRun, quitAnyway      string
	stops, quit, keep                 string
	frozen, frozenBody, restart, wait string
	bar                               titles
}

// titles are those of the menu bar.
type titles struct {
	settings, hide, quit                   string
	edit, undo, redo, cut, copy, paste     string
	pasteAlike, erase, all, speech         string
	speak, beQuiet                         string
	window, minimise, zoom, fillsTheScreen string
}

var sayings = map[string]said{
	"en": {
		chooseFolder: "Choose a folder", chooseFile: "Choose a file", saveAs: "Save as",
		oneRuns: "1 chat is still running.", manyRun: "%d chats are still running.", quitAnyway: " Quit anyway?",
		stops: "Copilot stops; you can pick the sessions up next time.", quit: "Quit", keep: "Keep running",
		frozen:     "VoxPilot's window has stopped",
		frozenBody: "The part that draws the window does not answer any more. Your chats are saved, and running work is picked up again after a restart.",
		restart:    "Restart VoxPilot", wait: "Wait",
		bar: titles{
			settings: "Settings…", hide: "Hide VoxPilot", quit: "Quit VoxPilot",
			edit: "Edit", undo: "Undo", redo: "Redo", cut: "Cut", copy: "Copy", paste: "Paste", pasteAlike: "Paste and Match Style",
			erase: "Delete", all: "Select All", speech: "Speech", speak: "Start Speaking", beQuiet: "Stop Speaking",
			window: "Window", minimise: "Minimize", zoom: "Zoom", fillsTheScreen: "Full Screen",
		},
	},
	"de": {
		chooseFolder: "Ordner wählen", chooseFile: "Datei wählen", saveAs: "Speichern unter",
		oneRuns: "1 Chat läuft noch.", manyRun: "%d Chats laufen noch.", quitAnyway: " Trotzdem beenden?",
		stops: "Copilot wird angehalten; die Sitzungen lassen sich beim nächsten Mal fortsetzen.", quit: "Beenden", keep: "Weiterlaufen lassen",
		frozen:     "Das Fenster von VoxPilot reagiert nicht mehr",
		frozenBody: "Der Teil, der das Fenster zeichnet, antwortet nicht mehr. Deine Chats sind gespeichert, und laufende Arbeit wird nach einem Neustart wieder aufgenommen.",
		restart:    "VoxPilot neu starten", wait: "Warten",
		bar: titles{
			settings: "Einstellungen…", hide: "VoxPilot ausblenden", quit: "VoxPilot beenden",
			edit: "Bearbeiten", undo: "Widerrufen", redo: "Wiederholen", cut: "Ausschneiden", copy: "Kopieren", paste: "Einsetzen", pasteAlike: "Einsetzen und Stil anpassen",
			erase: "Löschen", all: "Alles auswählen", speech: "Sprachausgabe", speak: "Sprachausgabe starten", beQuiet: "Sprachausgabe stoppen",
			window: "Fenster", minimise: "Im Dock ablegen", zoom: "Zoomen", fillsTheScreen: "Vollbild",
		},
	},
	"zh": {
		chooseFolder: "选择文件夹", chooseFile: "选择文件", saveAs: "另存为",
		oneRuns: "1 个对话仍在运行。", manyRun: "%d 个对话仍在运行。", quitAnyway: "仍要退出？",
		stops: "Copilot 会停止；下次可以接着使用这些会话。", quit: "退出", keep: "继续运行",
		frozen:     "VoxPilot 的窗口已停止响应",
		frozenBody: "绘制窗口的部分不再响应。你的对话已保存，重新启动后会继续正在进行的工作。",
		restart:    "重新启动 VoxPilot", wait: "等待",
		bar: titles{
			settings: "设置…", hide: "隐藏 VoxPilot", quit: "退出 VoxPilot",
			edit: "编辑", undo: "撤销", redo: "重做", cut: "剪切", copy: "拷贝", paste: "粘贴", pasteAlike: "粘贴并匹配样式",
			erase: "删除", all: "全选", speech: "语音", speak: "开始朗读", beQuiet: "停止朗读",
			window: "窗口", minimise: "最小化", zoom: "缩放", fillsTheScreen: "全屏幕",
		},
	},
}

func sayingIn(language string) said { return backend.InLanguage(sayings, language) }

// says is what is said in the language of the settings, or else of the window.
func (d *Desktop) says() said { return sayingIn(d.tray.state().Language) }

// stillRun asks whether to quit while chats are at work.
func (s said) stillRun(chats int) string {
	if chats == 1 {
		return s.oneRuns + s.quitAnyway
	}
	return fmt.Sprintf(s.manyRun, chats) + s.quitAnyway
}

// list is the titles in one order, which is the same in every language.
func (t titles) list() []string {
	return []string{
		t.settings, t.hide, t.quit, t.edit, t.undo, t.redo, t.cut, t.copy, t.paste, t.pasteAlike, t.erase, t.all,
		t.speech, t.speak, t.beQuiet, t.window, t.minimise, t.zoom, t.fillsTheScreen,
	}
}
