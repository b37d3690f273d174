// Package terms splits texts and queries into words for the search index, and truncates texts at character or word
// boundaries. It doesn't depend on the database.
package terms

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/voxpilot/voxpilot/backend"
)

// maxToken is the maximum number of bytes of a word that are compared. Longer words are usually hashes or random data.
const maxToken = 64

// token is a word of a text in folded form, with its position.
type token struct {
	folded   string
	from, to int
}

// unspaced lists the scripts that have no spaces between words. Each letter of such a script counts as a word, so that
// any part of a text is a phrase.
var unspaced = []*unicode.RangeTable{
	unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar,
}

// eachToken passes the words of a text to the function take, in order, until take returns false. A word is a sequence
// of letters and digits. All other characters, such as those in paths or code, separate words.
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
		case mark: // the mark belongs to the preceding letter
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

// charClass is the role of a character in splitting text into words.
type charClass int

const (
	separator charClass = iota
	letter
	single // a letter of an unspaced script, which is a whole word
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

// fold returns a word in the form in which words are compared: in lower case, without accents, and at most maxToken
// bytes long. The parameter ascii must be true only if the word contains nothing but ASCII characters.
func fold(text string, ascii bool) string {
	text = strings.ToLower(text)
	if !ascii {
		text = norm.NFC.String(strings.Map(func(r rune) rune {
			if '\u0300' <= r && r <= '\u036f' { // in other scripts, marks aren't accents
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

// Folded appends the words of text in folded form to the builder, each followed by a space. The index contains words in
// this form.
func Folded(to *strings.Builder, text string) {
	eachToken(text, func(w token) bool {
		to.WriteString(w.folded)
		to.WriteByte(' ')
		return true
	})
}

// A Phrase is a sequence of words that must follow one another. If prefix is set, the last one may be only the start
// of a word.
type Phrase struct {
	tokens []string
	prefix bool
}

// Limits for a query.
const (
	maxQuery   = 1000 // bytes
	maxPhrases = 32
	minPrefix  = 2 // minimum number of letters in the last word for a prefix search
)

// straight replaces typographic quotes with straight ones.
var straight = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`)

// Phrases returns the phrases of a query, all of which must match. Text in quotes is one phrase, and so is text without
// spaces, such as a path. The last word may be the start of a word, unless a space or a quote follows it.
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

// Match returns the FTS5 query for the phrases. Each word is quoted and contains only letters and digits, so that FTS5
// doesn't mistake it for an operator. The parameter endings holds the completions of the last word of a prefix phrase,
// or is nil if there are too many; Match overwrites them.
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

// BeginningOf returns the start of a word at the end of a query, or "" if the query doesn't end with one.
func BeginningOf(list []Phrase) string {
	for _, p := range list {
		if p.prefix { // only the last phrase can be a prefix
			return p.tokens[len(p.tokens)-1]
		}
	}
	return ""
}

// ChatColumn returns an FTS5 condition that is true for the rows of the given chats.
func ChatColumn(ids []string) string {
	quoted := make([]string, len(ids))
	for i, id := range ids {
		quoted[i] = `"` + strings.ReplaceAll(id, `"`, `""`) + `"`
	}
	return "chat : (" + strings.Join(quoted, " OR ") + ")"
}

// matchesAt reports whether the given words end with the phrase.
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

// Size of an excerpt around a match, in bytes.
const (
	excerptBefore = 60
	excerptAfter  = 200
)

// Excerpt returns the part of a text around the first match of one of the phrases, or nil if no phrase matches.
func Excerpt(text string, list []Phrase) []backend.Excerpt {
	longest := 0
	for _, p := range list {
		longest = max(longest, len(p.tokens))
	}
	var words []token // the last words, as many as the longest phrase has
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

// Around returns the range of text to show in an excerpt. The range contains the given offset, and starts and ends
// between words if possible.
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

// OneLine replaces each run of whitespace and control characters with a single space.
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

// Cut returns the offset at which to truncate a text that is longer than limit bytes. It doesn't split a character of
// valid UTF-8. The offset is at most limit, unless the first character is longer than limit; in that case, it is the
// length of that character.
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

// Escapes matches terminal escape sequences.
var Escapes = regexp.MustCompile("\x1b(?:\\[[0-?]*[ -/]*[@-~]|\\][^\x07\x1b]*(?:\x07|\x1b\\\\)?|[@-Z\\\\^_])")

// Plain returns command output without escape sequences.
func Plain(text string) string {
	if strings.IndexByte(text, 0x1b) < 0 {
		return text
	}
	return Escapes.ReplaceAllString(text, "")
}
