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

// Before messages had keys, VoxPilot stored its English sentences alone, and later some
// were reworded, which changed their keys. old.json has the sentences that it may have
// stored, with the keys of today: {0}, {1}, … stand for what varied, and {n} for a number
// that was counted.

// oldSentence is one of them in which something varies.
type oldSentence struct {
	key    string
	most   string // the longest part that does not vary
	whole  func() *regexp.Regexp
	counts []bool // by argument
	own    int    // how much does not vary
	weak   bool   // so little that it could be anything: a part with several words has to be known
	bare   bool   // nothing but marks: one part has to be known at least
}

const (
	longestOld = 2000 // how long a sentence of VoxPilot's may be, in bytes
	weakOld    = 9    // how many letters of its own make one unmistakable, where it is no label
	mostOld    = 200  // how many parts of a text are looked at
)

var (
	varies = regexp.MustCompile(`\{(?:\d|n)\}`)
	quoted = regexp.MustCompile(`\\\{(?:\d|n)\\\}`) // the same in a pattern
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
		// An agent of another name has its name where Copilot would stand.
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

// Old returns the message of a sentence that a VoxPilot from before there were keys
// has stored, and false for the words of others.
func Old(text string) (backend.Message, bool) {
	if text == "" || len(text) > longestOld {
		return backend.Message{}, false
	}
	r := oldReader{left: mostOld}
	m := r.message(text)
	return m, !m.IsZero()
}

// A reading is the look at one text. It ends, whatever the text is.
type oldReader struct{ left int }

// message returns what a text says, the zero message where that is not known.
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

// one returns what a single sentence says.
func (r *oldReader) one(text string) (m backend.Message) {
	if r.left--; r.left < 0 {
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

// as takes a text for the sentence.
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

// keyedMessage is a message as it would have been said.
func keyedMessage(text, key, about string, args []any) (m backend.Message) {
	raw, err := json.Marshal(map[string]any{"text": text, "key": key, "args": args, "about": about})
	if err == nil {
		err = json.Unmarshal(raw, &m)
	}
	if err != nil {
		panic(err) // of strings and messages
	}
	return m
}
