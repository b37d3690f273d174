// Package i18n translates messages. For each language other than English, a catalog maps message keys to
// translations, in which {0}, {1}, … stand for the arguments. The page loads its catalogs from the same files.
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

// Languages are the languages with a catalog; English needs none.
var Languages = []string{"de", "zh"}

// Catalog holds the translations into one language.
type Catalog struct {
	texts map[string]string
	comma string // thousands separator
}

var catalogs = sync.OnceValue(func() map[string]Catalog {
	return map[string]Catalog{"de": {load("de"), "."}, "zh": {load("zh"), ","}}
})

func load(name string) (of map[string]string) {
	text, err := files.ReadFile(name + ".json")
	if err == nil {
		err = json.Unmarshal(text, &of)
	}
	if err != nil {
		panic(err) // the files are embedded
	}
	return of
}

// In returns the catalog for a language. As in backend.Settings, the language is "en", "de" or "zh"; any other
// value is treated as English.
func In[L ~string](language L) Catalog { return catalogs()[string(language)] }

// IsEnglish reports whether the catalog is the English one, which leaves messages untranslated.
func (c Catalog) IsEnglish() bool { return c.texts == nil }

// Say is like backend.Say but returns the text in the catalog's language.
func (c Catalog) Say(format string, args ...any) string {
	return c.Text(backend.Say(format, args...))
}

// Count is like backend.Count but returns the text in the catalog's language.
func (c Catalog) Count(n int, one, many string) string { return c.Text(backend.Count(n, one, many)) }

// Known reports whether the catalogs contain the key of m and the keys of all messages in its arguments. A stored
// message can have a key that VoxPilot no longer uses.
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

// placeholder matches the parts of a translation that are replaced: "Copilot", which stands for the agent's name, and
// placeholders for arguments, such as {0}.
var placeholder = regexp.MustCompile(`Copilot|\{\d+\}`)

// Text returns the text of m in the catalog's language, or m.String() if the catalog has no translation.
func (c Catalog) Text(m backend.Message) string {
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

// number formats a number as is usual in the catalog's language.
func (c Catalog) number(n json.Number) string {
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
