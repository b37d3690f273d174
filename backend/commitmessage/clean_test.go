package commitmessage

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
)

func TestClean_FindsMessage(t *testing.T) {
	const message = "undo: keep the file's mode\n\nThe mode was lost when the file came back."
	for name, said := range map[string]string{
		"plain":              message,
		"spaces":             "\n\n  " + message + " \n\n",
		"CRLF":               strings.ReplaceAll(message, "\n", "\r\n"),
		"fence":              "```\n" + message + "\n```",
		"fence with name":    "```text\n" + message + "\n```\n",
		"unclosed fence":     "```\n" + message,
		"text after fence":   "```\n" + message + "\n```\nLet me know if it should be shorter!",
		"introduction":       "Here is the commit message:\n\n" + message,
		"typographic":        "Here’s a commit message for these changes:\n" + message,
		"bold introduction":  "**Suggested commit message:**\n\n" + message,
		"introduction fence": "Sure, this fits the log:\n\n```gitcommit\n" + message + "\n```",
		"label":              "Commit message: " + message,
		"heading":            "# " + message,
		"quotes":             `"` + message + `"`,
		"German quotes":      "„" + message + "“",
		"quoted subject":     "`undo: keep the file's mode`\n\nThe mode was lost when the file came back.",
		"bold subject":       "**undo: keep the file's mode**\n\nThe mode was lost when the file came back.",
		"no empty line":      strings.Replace(message, "\n\n", "\n", 1),
		"many empty lines":   strings.Replace(message, "\n\n", "\n \n\n\n", 1),
		"invisible":          "\ufeffundo: keep\u200b the\u202e file's\x00 mode\x1b\n\nThe mode\a was lost when the file came back.",
		"broken UTF-8":       "undo: keep the\xff file's mode\n\nThe mode was lost when the file came back.\xc3",
	} {
		if got := clean(said); got != message {
			t.Errorf("%s: got %q, want %q", name, got, message)
		}
	}
}

func TestClean_KeepsMessageText(t *testing.T) {
	for _, message := range []string{
		"Fix typo",
		"Revert \"Add a button\"",
		"`git diff` shows renamed files",
		"Use \"yes\" and \"no\"",
		"Here documents: quote the end mark",
		"feat(ui)!: drop the old menu\n\n- one\n- two\n\nCo-authored-by: Ann <ann@example.org>",
		"docs: explain fences\n\n```\ncode\n```",
		"👩\u200d💻 Fix the login",
		"提交：修复登录",
	} {
		if got := clean(message); got != message {
			t.Errorf("got %q, want %q", got, message)
		}
	}
}

func TestClean_EmptyAnswers(t *testing.T) {
	for _, said := range []string{"", " \n\t\n", "```\n```", "\u200b\u202e", "\x00\x01", `""`} {
		if got := clean(said); got != "" {
			t.Errorf("%q: got %q, want nothing", said, got)
		}
	}
}

func TestClean_HugeAnswerIsCut(t *testing.T) {
	for name, said := range map[string]string{
		"one line":     strings.Repeat("ä", 5<<20),
		"many lines":   strings.Repeat("line\n", 1<<20),
		"empty lines":  "a" + strings.Repeat("\n", 5<<20) + "b",
		"fences":       strings.Repeat("```\n", 1<<20),
		"quotes":       strings.Repeat(`"`, 5<<20),
		"introduction": strings.Repeat("Here is the message:\n", 1<<18),
	} {
		if got := clean(said); len(got) > backend.MaxMessageDraft || !utf8.ValidString(got) {
			t.Errorf("%s: got %d bytes, valid %v", name, len(got), utf8.ValidString(got))
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("Here is the message:\n```\n\"Fix\x00 it\"\r\n```")
	f.Add("**„“**\n\u2028\u202e")
	f.Fuzz(func(t *testing.T, said string) {
		got := clean(said)
		if len(got) > backend.MaxMessageDraft || !utf8.ValidString(got) || got != strings.TrimSpace(got) {
			t.Errorf("%q becomes %q", said, got)
		}
		if i := strings.IndexFunc(got, func(r rune) bool { return r != '\n' && r != '\t' && unicode.IsControl(r) }); i >= 0 {
			t.Errorf("%q becomes %q with a control character", said, got)
		}
		if lines := strings.SplitN(got, "\n", 3); len(lines) > 1 && lines[1] != "" {
			t.Errorf("%q becomes %q without an empty line below the subject", said, got)
		}
	})
}
