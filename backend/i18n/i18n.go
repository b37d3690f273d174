// Package i18n has what VoxPilot says in other languages than English: one
// catalogue a language, from the keys of messages to their words, in which {0}, {1},
// … stand for the arguments. The page reads the same files.
package i18n

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/voxpilot/voxpilot/backend"
)

//go:embed *.json
var files embed.FS

// Languages are those that have a catalogue, besides English.
var Languages = []string{"de", "zh"}

// A Catalogue is what is said in a language.
type Catalogue struct {
	texts map[string]string
	comma string // between thousands
}

var catalogues = sync.OnceValue(func() map[string]Catalogue {
	return map[string]Catalogue{"de": {load("de"), "."}, "zh": {load("zh"), ","}}
})

func load(name string) (of map[string]string) {
	text, err := files.ReadFile(name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err != nil {
		panic(err) // it is compiled in
	}
	return of
}

// In returns the catalogue of a language of the settings: "en", "de" or "zh". Any
// other is English.
func In[L ~string](language L) Catalogue { return catalogues()[string(language)] }

// IsEnglish says that messages stay as they are.
func (c Catalogue) IsEnglish() bool { return c.texts == nil }

// Say returns a sentence in the language of the catalogue, as backend.Say has it in
// English.
func (c Catalogue) Say(format string, args ...any) string {
	return c.Text(backend.Say(format, args...))
}

// Count returns a number in the language of the catalogue, as backend.Count has it
// in English.
func (c Catalogue) Count(n int, one, many string) string { return c.Text(backend.Count(n, one, many)) }

// Known reports whether the keys of a message, and of the messages in it, are keys of
// today.
func Known(m backend.Message) bool {
	if _, is := In("de").texts[m.Key()]; !is && m.Key() != "" {
		return false
	}
	for _, arg := range m.Args() {
		if part, is := arg.(backend.Message); is && !Known(part) {
			return false
		}
	}
	return true
}

// placeholder is a place for an argument, or the agent that a message is about.
var placeholder = regexp.MustCompile(`Copilot|\{\d+\}`)

// Text returns a message in the language of the catalogue.
func (c Catalogue) Text(m backend.Message) string {
	words, is := c.texts[m.Key()]
	if !is {
		return m.String()
	}
	args, agent := m.Args(), cmp.Or(m.Agent(), "Copilot")
	return placeholder.ReplaceAllStringFunc(words, func(mark string) string {
		var n int
		if mark == "Copilot" {
			return agent
		}
		if _, err := fmt.Sscanf(mark, "{%d}", &n); err != nil || n >= len(args) {
			return mark
		}
		switch arg := args[n].(type) {
		case backend.Message:
			return c.Text(arg)
		case json.Number:
			return c.number(arg)
		}
		return fmt.Sprint(args[n])
	})
}

// number writes a number as the language does.
func (c Catalogue) number(n json.Number) string {
	whole, fraction, has := strings.Cut(n.String(), ".")
	if i, err := strconv.Atoi(whole); err == nil {
		whole = strings.ReplaceAll(backend.GroupDigits(i), ",", c.comma)
	}
	switch {
	case !has:
		return whole
	case c.comma == ".":
		return whole + "," + fraction
	}
	return whole + "." + fraction
}
