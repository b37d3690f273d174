// Package terms splits texts and searches into words, as the search index keeps
// them, and cuts texts between characters and words. It knows no database.
package terms

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/voxpilot/voxpilot/backend"
)

// maxToken is the length, in bytes, up to which words are told apart. A longer
// one is a hash or worse.
const maxToken = 64

// A word is one of a text, folded, and where it stands in it.
type token struct {
	folded   string
	from, to int
}

// unspaced are scripts that put no space between words. Each of their letters is
// a word, so that any piece of such a text is a phrase.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// eachToken calls take with the words of a text, in order, until that says false.
// Words are runs of letters and digits; everything else, as in a path or in
// code, only separates them.
func eachToken(text string, take func(token) bool) {
	from, ascii, alone := -1, true, false
	end := func(at int) bool {
		if from < 0 {
			return true
		}
		w := token{folded: fold(text[from:at], ascii), from: from, to: at}
		from, ascii, alone = -1, true, false
		return w.folded == "" || take(w)
	}
	for at, r := range text {
		switch classOf(r) {
		case separator:
			if !end(at) {
				return
			}
		case mark: // belongs to the letter before it
			ascii = false
		case single:
			if !end(at) {
				return
			}
			from, ascii, alone = at, false, true
		case letter:
			if alone && !end(at) {
				return
			}
			if from < 0 {
				from = at
			}
			ascii = ascii && r < utf8.RuneSelf
		}
	}
	end(len(text))
}

// charClass is what a character is to words.
type charClass int

const (
	separator charClass = iota
	letter
	single // a word of its own
	mark
)

func classOf(r rune) charClass {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' {
			return letter
		}
	case unicode.IsMark(r):
		return mark
	case unicode.IsLetter(r) && unicode.In(r, unspaced...):
		return single
	case unicode.IsLetter(r) || unicode.IsNumber(r):
		return letter
	}
	return separator
}

// fold is what a word has in common with those that count as the same: without
// case and accents, and cut at maxToken.
func fold(text string, ascii bool) string {
	text = strings.ToLower(text)
	if !ascii {
		text = norm.NFC.String(strings.Map(func(r rune) rune {
			if '\u0300' <= r && r <= '\u036f' { // what other scripts put on letters is no accent
				return -1
			}
			return r
		}, norm.NFD.String(text)))
	}
	if len(text) > maxToken {
		text = text[:Cut(text, maxToken)]
	}
	return text
}

// Folded is a text as the index takes it: its words, with a space between them.
func Folded(to *strings.Builder, text string) {
	eachToken(text, func(w token) bool {
		to.WriteString(w.folded)
		to.WriteByte(' ')
		return true
	})
}

// A Phrase is words that follow one another. With prefix, the last may be the
// beginning of a word.
type Phrase struct {
	tokens []string
	prefix bool
}

// How much of a search is looked at.
const (
	maxQuery   = 1000 // bytes
	maxPhrases = 32
	minPrefix  = 2 // letters, from which on the last word may be a beginning
)

// straight are the quotes that keyboards and texts have in place of straight ones.
var straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// Phrases are what a search is for, all of which have to be there. What stands
// between quotes is one phrase; so is what stands together, such as a path. The
// last word may be the beginning of one, unless a space or a quote ended it.
func Phrases(query string) (list []Phrase) {
	if len(query) > maxQuery {
		query = query[:Cut(query, maxQuery)]
	}
	add := func(text string, open bool) {
		var p Phrase
		letters := 0
		eachToken(text, func(w token) bool {
			p.tokens = append(p.tokens, w.folded)
			letters = utf8.RuneCountInString(w.folded)
			return true
		})
		p.prefix = open && letters >= minPrefix
		if len(p.tokens) > 0 && len(list) < maxPhrases {
			list = append(list, p)
		}
	}
	query = straight.Replace(query)
	for quoted := false; query != ""; quoted = !quoted {
		part, rest, closed := strings.Cut(query, `"`)
		if quoted {
			add(part, !closed)
		} else {
			parts := strings.Fields(part)
			for i, one := range parts {
				add(one, !closed && i == len(parts)-1 && strings.HasSuffix(part, one))
			}
		}
		query = rest
	}
	return list
}

// Match is the phrases in the language of FTS5. Words have letters and digits
// only, so that nothing of them is taken for an operator. endings are the words
// that begin as the last one, of a phrase with prefix, does; nil where they are
// too many.
func Match(list []Phrase, endings []string) string {
	var b strings.Builder
	b.WriteString("words : (")
	for i, p := range list {
		if i > 0 {
			b.WriteString(" AND ")
		}
		quoted := `"` + strings.Join(p.tokens, " ") + `"`
		switch {
		case p.prefix && endings != nil:
			before := strings.Join(p.tokens[:len(p.tokens)-1], " ")
			for n, word := range endings {
				endings[n] = `"` + strings.TrimSpace(before+" "+word) + `"`
			}
			b.WriteString("(" + strings.Join(append(endings, quoted), " OR ") + ")")
		case p.prefix:
			b.WriteString(quoted + " *")
		default:
			b.WriteString(quoted)
		}
	}
	b.WriteByte(')')
	return b.String()
}

// BeginningOf is the beginning of a word in which a search ends, or "".
func BeginningOf(list []Phrase) string {
	for _, p := range list {
		if p.prefix { // only the last phrase can
			return p.tokens[len(p.tokens)-1]
		}
	}
	return ""
}

// ChatColumn is the condition that a row is of one of these chats.
func ChatColumn(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = `"` + strings.ReplaceAll(id, `"`, `""`) + `"`
	}
	return "chat : (" + strings.Join(quoted, " OR ") + ")"
}

// matchesAt says whether a phrase stands at the end of a row of words.
func (p Phrase) matchesAt(words []token) bool {
	n := len(p.tokens)
	if len(words) < n {
		return false
	}
	words = words[len(words)-n:]
	for i, w := range words {
		if w.folded != p.tokens[i] && (!p.prefix || i < n-1 || !strings.HasPrefix(w.folded, p.tokens[i])) {
			return false
		}
	}
	return true
}

// How much of a text stands around what was found, in bytes.
const (
	excerptBefore = 60
	excerptAfter  = 200
)

// Excerpt is the part of a text around the first place where one of the phrases
// stands; nil where none does.
func Excerpt(text string, list []Phrase) []backend.Excerpt {
	longest := 0
	for _, p := range list {
		longest = max(longest, len(p.tokens))
	}
	var words []token // the last ones, as many as the longest phrase has
	var marks [][2]int
	from, end := 0, len(text)
	eachToken(text, func(w token) bool {
		if w.from >= end {
			return false
		}
		if words = append(words, w); len(words) > longest {
			words = words[1:]
		}
		for _, p := range list {
			if !p.matchesAt(words) {
				continue
			}
			start := words[len(words)-len(p.tokens)].from
			if len(marks) == 0 {
				from, end = Around(text, start)
			}
			marks = append(marks, [2]int{start, min(w.to, max(end, start))})
		}
		return true
	})
	if len(marks) == 0 {
		return nil
	}
	slices.SortFunc(marks, func(a, b [2]int) int { return a[0] - b[0] })
	var parts []backend.Excerpt
	add := func(part string, hit bool) {
		if part == "" {
			return
		}
		if n := len(parts); n > 0 && parts[n-1].Hit == hit {
			parts[n-1].Text += part
			return
		}
		parts = append(parts, backend.Excerpt{Text: part, Hit: hit})
	}
	if from > 0 {
		add("…", false)
	}
	at := from
	for _, m := range marks {
		m[0], m[1] = max(m[0], at), max(m[1], at)
		add(text[at:m[0]], false)
		add(text[m[0]:m[1]], true)
		at = m[1]
	}
	add(text[at:max(end, at)], false)
	if end < len(text) {
		add("…", false)
	}
	for i := range parts {
		parts[i].Text = OneLine(parts[i].Text)
	}
	return parts
}

// Around is the part of a text, about a place in it, that an excerpt shows. It
// begins and ends between words where that is possible.
func Around(text string, at int) (from, to int) {
	if from = max(0, at-excerptBefore); from > 0 {
		for !utf8.RuneStart(text[from]) {
			from++
		}
		if space := strings.IndexAny(text[from:at], " \n\t"); space >= 0 {
			from += space + 1
		}
	}
	if to = min(len(text), at+excerptAfter); to < len(text) {
		for !utf8.RuneStart(text[to]) {
			to--
		}
		if space := strings.LastIndexAny(text[at:to], " \n\t"); space > 0 {
			to = at + space
		}
	}
	return from, to
}

// OneLine is text with a single space in the place of each stretch of white
// space, and without characters that control a terminal.
func OneLine(text string) string {
	var b strings.Builder
	space := false
	for _, r := range strings.ToValidUTF8(text, "�") {
		if unicode.IsSpace(r) || unicode.IsControl(r) {
			space = true
			continue
		}
		if space {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(r)
	}
	if space {
		b.WriteByte(' ')
	}
	return b.String()
}

// Cut is where to cut text that is longer than limit: at most there, or
// after its first character, and between characters wherever it is UTF-8.
func Cut[Text string | []byte](text Text, limit int) int {
	for cut := limit; cut > 0 && cut > limit-utf8.UTFMax; cut-- {
		if utf8.RuneStart(text[cut]) {
			return cut
		}
	}
	if limit < utf8.UTFMax {
		_, first := utf8.DecodeRuneInString(string(text[:min(utf8.UTFMax, len(text))]))
		return first
	}
	return limit
}
