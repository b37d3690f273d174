package i18n

import (
	"fmt"
	"strings"
	"testing"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
)

// TestOld_RecognizesEachMessage checks that each old text is recognized as a message and translated into each
// language.
func TestOld_RecognizesEachMessage(t *testing.T) {
	whole, _ := oldSentences()
	for said, key := range whole {
		n := 0
		text := varies.ReplaceAllStringFunc(said, func(mark string) string {
			n++
			if mark == "{n}" {
				return "1,234"
			}
			return fmt.Sprintf("x%d/y.go", n)
		})
		if !strings.ContainsFunc(varies.ReplaceAllString(said, ""), unicode.IsLetter) {
			continue // only punctuation: see TestOld_RecognizesCombinedMessages
		}
		for _, agent := range []string{"Copilot", "Tea Maker"} {
			text := strings.ReplaceAll(text, "Copilot", agent)
			m, is := Old(text)
			if !is || m.String() != text {
				t.Errorf("%q is not known (%q)", text, m)
				continue
			}
			if m.Key() != key {
				// Texts that differ only in variable parts are ambiguous.
				t.Logf("%q is taken for %q", text, m.Key())
			}
			for _, language := range Languages {
				if got := In(language).Text(m); got == text {
					t.Errorf("%s says %q in English", language, text)
				} else if argPlaceholder.MatchString(got) {
					t.Errorf("%s says %q as %q", language, text, got)
				}
			}
		}
	}
}

func TestOld_RecognizesCombinedMessages(t *testing.T) {
	for said, want := range map[string]string{
		"VoxPilot could not save what is new. The disk is full: free some space.": "VoxPilot konnte neue Daten nicht speichern. Der Datenträger ist voll. Gib etwas Speicherplatz frei.",
		"3 files, +1,200 −4": "3 Dateien, +1,200 −4",
		"It already ran in the sandbox, 5 min ago. Exit code: 1": "Dieser Befehl lief vor 5 min in der Sandbox und endete mit dem Exit-Code 1.",
		"1,234 lines": "1.234 Zeilen",
		"Copilot ended as soon as it was started (it was ended by SIGKILL). It is started again.": "Copilot hat sich gleich nach dem Start beendet (beendet durch SIGKILL). VoxPilot startet Copilot neu.",
		"more than 2,000 matches":                                  "mehr als 2.000 Treffer",
		"Tea Maker was stopped. Send a message to start it again.": "Tea Maker wurde gestoppt. Sende eine Nachricht, um Tea Maker wieder zu starten.",
	} {
		m, is := Old(said)
		if got := In("de").Text(m); !is || m.String() != said || got != want {
			t.Errorf("%q is %q, not %q", said, got, want)
		}
	}
}

func TestOld_KeepsForeignText(t *testing.T) {
	for _, said := range []string{
		"", "my files", "many lines", "The page has 3 lines", "ended by his own hand", "a: b", "a. b", "1, +2 −3",
		strings.Repeat("This is x. ", 150) + "Nobody says this.", "x" + strings.Repeat(", because Copilot did not answer. Try again in a moment.", 28) + " Nobody says this.", strings.Repeat("The ", 300), strings.Repeat("x", 5000),
	} {
		if m, is := Old(said); is {
			t.Errorf("%.60q is taken for %q", said, m.Key())
		}
	}
}

func TestText_InEachLanguage(t *testing.T) {
	m := backend.Say("%s. %s", backend.Say("VoxPilot couldn't read its data"), backend.Say("%.1f %s", 12.0, "GB"))
	for language, want := range map[string]string{
		"en": "VoxPilot couldn't read its data. 12.0 GB", "fr": "VoxPilot couldn't read its data. 12.0 GB",
		"de": "VoxPilot konnte seine Daten nicht lesen. 12,0 GB", "zh": "VoxPilot 无法读取其数据。12.0 GB",
	} {
		if got := In(language).Text(m); got != want {
			t.Errorf("%s says %q, not %q", language, got, want)
		}
	}
	if got := In("de").Text(backend.Plain("The answer was stopped.")); got != "The answer was stopped." {
		t.Errorf("the words of others are %q", got)
	}
	abilities := []backend.Message{backend.Say("load sessions"), backend.Say("list sessions"), backend.Say("accept audio")}
	for language, want := range map[string]string{
		"en": "A can load sessions, list sessions and accept audio. It can't load sessions, list sessions or accept audio.",
		"de": "A kann Sitzungen laden, Sitzungen auflisten und Audio annehmen, aber nicht Sitzungen laden, Sitzungen auflisten oder Audio annehmen.",
		"zh": "A 可以加载会话、列出会话和接收音频，但不能加载会话、列出会话或接收音频。",
	} {
		if got := In(language).Say("%s can %s. It can't %s.", "A", backend.And(abilities...), backend.Or(abilities...)); got != want {
			t.Errorf("%s lists %q, not %q", language, got, want)
		}
	}
	if got := In("de").Count(1234, "1 file", "%d files"); got != "1.234 Dateien" {
		t.Errorf("a number is %q", got)
	}
}
