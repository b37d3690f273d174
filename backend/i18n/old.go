package i18n

import (
	"cmp"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
)

// Before messages had keys, VoxPilot stored only their English text. old.json maps the texts that might
// be stored to keys: {0}, {1}, … stand for variable parts, and {n} for a number.

// oldSentence is a sentence that an older version of VoxPilot stored without a key. Placeholders stand for its
// variable parts.
type oldSentence struct {
	key    string
	most   string                // longest fixed part
	whole  func() *regexp.Regexp // matches a text that is this sentence, with a group per variable part
	counts []bool                // by argument: whether it is a number
	own    int                   // length of the fixed parts
	weak   bool                  // ambiguous: a variable part with several words must be a known sentence
	bare   bool                  // only punctuation: at least one variable part must be a known sentence
}

const (
	longestOld = 2000 // maximum length of an old text in bytes
	weakOld    = 9    // minimum number of fixed letters of an unambiguous text that isn't a label
	mostOld    = 200  // maximum number of parts examined in a text
)

var (
	varies = regexp.MustCompile(`\{(?:\d|n)\}`)
	quoted = regexp.MustCompile(`\\\{(?:\d|n)\\\}`) // placeholders as regexp.QuoteMeta escapes them
)

var oldSentences = sync.OnceValues(func() (whole map[string]string, varying []oldSentence) {
	whole = load("old")
	for said, key := range whole {
		at := varies.FindAllStringIndex(said, -1)
		if at == nil && !strings.Contains(said, "Copilot") {
			continue
		}
		own := varies.ReplaceAllString(said, "")
		letters := countLetters(own)
		one := oldSentence{
			key: key, own: len(own), bare: letters == 0,
			weak: letters < weakOld && (!unicode.IsUpper(rune(said[0])) || strings.Contains(said, ". {")),
		}
		pattern := regexp.QuoteMeta(said)
		for i := range at {
			one.counts = append(one.counts, said[at[i][0]:at[i][1]] == "{n}")
		}
		pattern = quoted.ReplaceAllString(pattern, `(.*?)`)
		// Texts about another agent have its name instead of Copilot.
		pattern = strings.ReplaceAll(pattern, "Copilot", `(?P<about>.{1,40}?)`)
		one.whole = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?s)^` + pattern + `$`) })
		parts := varies.Split(strings.ReplaceAll(said, "Copilot", "{n}"), -1)
		one.most = slices.MaxFunc(parts, func(a, b string) int { return len(a) - len(b) })
		varying = append(varying, one)
	}
	slices.SortFunc(varying, func(a, b oldSentence) int { return cmp.Or(b.own-a.own, strings.Compare(a.key, b.key)) })
	return whole, varying
})

func countLetters(text string) (n int) {
	for _, r := range text {
		if unicode.IsLetter(r) {
			n++
		}
	}
	return n
}

// Old returns the message for text stored by a version of VoxPilot without message keys, or false if
// text is from another source.
func Old(text string) (backend.Message, bool) {
	if text == "" || len(text) > longestOld {
		return backend.Message{}, false
	}
	r := oldReader{remaining: mostOld}
	m := r.message(text)
	return m, !m.IsZero()
}

// oldReader finds the message for one stored text. remaining is the number of attempts left, which limits the time that
// a malicious text can take.
type oldReader struct{ remaining int }

// message returns the message for text, or the zero message if text is unknown.
func (r *oldReader) message(text string) backend.Message {
	if m := r.one(text); !m.IsZero() {
		return m
	}
	for i, c := range text {
		if c != '.' || !strings.HasPrefix(text[i:], ". ") {
			continue
		}
		if head := r.one(text[:i+1]); !head.IsZero() {
			if rest := r.message(text[i+2:]); !rest.IsZero() {
				return backend.Sentences(head, rest)
			}
		}
	}
	return backend.Message{}
}

// one returns the message for text if it is a single known sentence, or else the zero message.
func (r *oldReader) one(text string) (m backend.Message) {
	if r.remaining--; r.remaining < 0 {
		return m
	}
	whole, varying := oldSentences()
	if key, is := whole[text]; is {
		return keyedMessage(text, key, "", nil)
	}
	for _, s := range varying {
		if strings.Contains(text, s.most) {
			if m = r.as(s, text); !m.IsZero() {
				break
			}
		}
	}
	return m
}

// as returns the message for text if it matches the sentence s, or else the zero message.
func (r *oldReader) as(s oldSentence, text string) backend.Message {
	whole := s.whole()
	found := whole.FindStringSubmatch(text)
	if found == nil {
		return backend.Message{}
	}
	about, known := "", false
	var args []any
	for i, part := range found {
		if i == 0 {
			continue
		}
		if whole.SubexpNames()[i] == "about" {
			if about != "" && about != part {
				return backend.Message{}
			}
			about = part
			continue
		}
		if s.counts[len(args)] {
			number := strings.ReplaceAll(part, ",", "")
			if strings.Trim(number, "0123456789") != "" || number == "" {
				return backend.Message{}
			}
			args = append(args, json.Number(number))
			continue
		}
		m := r.message(part)
		known = known || !m.IsZero()
		switch {
		case !m.IsZero():
			args = append(args, m)
		case s.weak && strings.Contains(part, " "):
			return backend.Message{}
		default:
			args = append(args, part)
		}
	}
	if s.bare && !known {
		return backend.Message{}
	}
	if about == "Copilot" {
		about = ""
	}
	return keyedMessage(text, s.key, about, args)
}

// keyedMessage returns the message that the current version would create for text, given the message's key, agent and
// arguments.
func keyedMessage(text, key, about string, args []any) (m backend.Message) {
	raw, err := json.Marshal(map[string]any{"text": text, "key": key, "args": args, "about": about})
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		panic(err) // the arguments are only strings, numbers and messages
	}
	return m
}
