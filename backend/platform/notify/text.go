package notify

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/i18n"
)

// Maximum lengths, in characters: of a chat's name in the title of a notice, and of the body of a notice. Every system
// shows at least that many characters without truncation.
const (
	maxTitle = 60
	maxBody  = 160
)

// maxWhole is the maximum length, in characters, of a request's text and of its folder's path. If one of them is
// longer, the notice has no buttons that answer the request.
const maxWhole = 120

func (n Notice) same(other Notice) bool {
	return n.Title == other.Title && n.Body == other.Body && n.Open == other.Open && n.IsPersistent == other.IsPersistent && slices.Equal(n.Actions, other.Actions)
}

// notices returns all notices to show.
func (p *policy) notices() []Notice {
	var notices []Notice
	groups := map[kind]bool{}
	w := messages{i18n.In(p.language())}
	for _, h := range p.events {
		switch {
		case !h.published:
		case !p.grouped[h.kind]:
			notices = append(notices, p.notice(h, w))
		case !groups[h.kind]:
			groups[h.kind] = true
			notices = append(notices, p.group(h.kind, w))
		}
	}
	return notices
}

func (p *policy) notice(h *chatEvent, w messages) Notice {
	n := Notice{Key: h.key(), ChatID: h.chat, Open: w.Say("Open")}
	chat := p.chats[h.chat]
	name := cut(visibleText(chat.Title), maxTitle)
	if name == "" {
		name = w.Say("New chat")
	}
	switch h.kind {
	case needsYou:
		n.Title, n.IsPersistent = w.Say("%s needs you", name), true
		i := slices.IndexFunc(p.open, func(ask backend.Permission) bool { return ask.ID == h.text })
		if i < 0 {
			break
		}
		ask := p.open[i]
		if ask.Question != nil && ask.Question.Plan != "" { // it can only be approved where it is shown
			n.Body = w.Say("Plan ready to approve: %s", cut(visibleText(ask.Title), maxBody))
			break
		}
		if ask.Question != nil {
			n.Body, n.Actions = p.questionNotice(ask)
			break
		}
		body, whole := requestBody(ask, chat.Folder, w)
		n.Body = body
		if !whole || !p.limits.fits(body) {
			break
		}
		for _, answer := range []struct {
			prefix, label string
			kind          backend.OptionKind
		}{{actionAllow, w.Say("Allow once"), backend.OptionAllowOnce}, {actionReject, w.Say("Reject"), backend.OptionRejectOnce}} {
			if optionOf(ask, answer.kind) != "" {
				n.Actions = append(n.Actions, Action{ID: answer.prefix + ask.ID, Label: answer.label})
			}
		}
	case finished:
		n.Title, n.Body = w.Say("%s is finished", name), cut(visibleText(h.text), maxBody)
	case failed:
		n.Title, n.Body = w.Say("%s failed", name), cut(visibleText(w.reason(h.why)), maxBody)
	case signIn:
		n.Title, n.Body, n.IsPersistent = w.Say("Sign in to GitHub"), w.Say("%s is waiting for you to sign in. Your messages are saved.", name), true
	case review:
		n.Title, n.Body, n.IsPersistent = w.Say("Review a folder"), w.Say("%s is waiting for you to trust its folder. Your messages are saved.", name), true
	case message:
		n.Title, n.Body = h.title, h.text
	}
	return n
}

// group returns one notice for all chats with the same kind of event.
func (p *policy) group(k kind, w messages) Notice {
	var names []string
	var last string
	count := 0
	for _, h := range p.events {
		if !h.published || h.kind != k {
			continue
		}
		last = h.chat
		if count++; len(names) < maxNotices {
			names = append(names, cut(visibleText(p.chats[h.chat].Title), maxTitle/2))
		}
	}
	if count > len(names) {
		names = append(names, "…")
	}
	return Notice{Key: keyOfAll(k), ChatID: last, Title: w.all(k, count), Body: strings.Join(names, ", "), Open: w.Say("Open"), IsPersistent: k == needsYou}
}

// requestBody returns the text for a request. whole is true if the text is complete, so that the user can answer
// without seeing more. A complete text includes the folder, because a command or a path has a different meaning in
// another folder.
func requestBody(ask backend.Permission, folder string, w messages) (body string, whole bool) {
	where := ask.Folder
	if where == "" {
		where = folder
	}
	n := ask.Others()
	for _, path := range []string{ask.Path, ask.To} {
		if path != "" {
			n++
		}
	}
	changes := ask.Kind == backend.ToolEdit || ask.Kind == backend.ToolDelete || ask.Kind == backend.ToolMove
	switch {
	// The card in the window explains what allowing a request to leave the sandbox would mean; a notification can't.
	case ask.Sandbox == backend.SandboxAsksSite && ask.Command != "":
		return cut(w.Say("Blocked connection to %s", visibleText(ask.Command)), maxBody), false
	case ask.Sandbox == backend.SandboxLeaves && ask.Command != "":
		return cut(w.Say("Run %s outside the sandbox", visibleText(strings.TrimSpace(ask.Command))), maxBody), false
	case changes && len(ask.Files) > 0 && ask.Others() > 0:
		return w.Count(n, "Change 1 file", "Change %d files"), false
	case ask.Kind == backend.ToolExecute && ask.Command != "":
		command := ask.Command
		whole = len(ask.Commands) == 1 && len(ask.Marks) == 0 && ask.TextID == "" && strings.TrimSpace(ask.Commands[0]) == strings.TrimSpace(command)
		return withFolder(w.Say("Run %s", visibleText(strings.TrimSpace(command))), where, whole && isVisible(command), w)
	case ask.Kind == backend.ToolFetch && ask.Command != "":
		return cut(w.Say("Open %s", visibleText(ask.Command)), maxBody), false // the address may contain more than its host
	case ask.Kind == backend.ToolMove && ask.Path != "" && ask.To != "":
		to := visibleText(in(where, ask.To)) + others(ask, w)
		return withFolder(w.Say("Move %s to %s", visibleText(in(where, ask.Path)), to), where, len(ask.Files) == 0 && isVisible(ask.Path+ask.To), w)
	case ask.Path != "":
		if does := w.action(ask, visibleText(in(where, ask.Path))+others(ask, w)); does != "" {
			// The card in the window lists what a deletion affects; a notification can't.
			whole = len(ask.Files) == 0 && ask.Kind != backend.ToolDelete && isVisible(ask.Path)
			return withFolder(does, where, whole, w)
		}
	}
	return cut(visibleText(ask.Title), maxBody), false
}

// others returns a phrase with the number of additional files in the request, or "" if there are none.
func others(ask backend.Permission, w messages) string {
	if n := ask.Others(); n > 0 {
		return w.Count(n, " and 1 more file", " and %d more files")
	}
	return ""
}

// withFolder appends the folder to the request's text if whole is true and both the text and the folder are short
// enough to be shown in full. It returns the text, truncated if it is too long, and whether it has appended the folder.
func withFolder(text, folder string, whole bool, w messages) (string, bool) {
	if utf8.RuneCountInString(text) > maxWhole {
		return cut(text, maxBody), false
	}
	at := tilde(folder)
	if whole = whole && folder != "" && isVisible(at) && utf8.RuneCountInString(at) <= maxWhole; whole {
		text += "\n" + w.Say("in %s", at)
	}
	return text, whole
}

// in returns a path relative to the folder if the path is inside it. Otherwise, it returns the path relative to the
// user's home if possible.
func in(folder, path string) string {
	if rel, err := filepath.Rel(folder, path); folder != "" && err == nil && filepath.IsLocal(rel) && rel != "." {
		return rel
	}
	return tilde(path)
}

func tilde(path string) string {
	home, err := os.UserHomeDir()
	if err != nil || home == "" {
		return path
	}
	if rel, err := filepath.Rel(home, path); err == nil && filepath.IsLocal(rel) {
		if rel == "." {
			return "~"
		}
		return "~" + string(filepath.Separator) + rel
	}
	return path
}

// cut truncates text to the given maximum number of characters, including the final ellipsis.
func cut(text string, most int) string {
	if utf8.RuneCountInString(text) <= most {
		return text
	}
	letters := []rune(text)
	return strings.TrimRight(string(letters[:most-1]), " ") + "…"
}
