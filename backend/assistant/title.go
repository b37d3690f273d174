package assistant

import (
	"context"
	"net/url"
	"path"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/excerpt"
)

// Limits for deriving a title.
const (
	minWords = 3    // further clauses are added to a title with fewer words
	maxWords = 6    // words
	maxTitle = 40   // characters
	maxHan   = 14   // characters of a Chinese title
	maxRead  = 4000 // bytes of a message that are read for its title
)

// Title derives a chat's title from its first message: the first clause with content, without greetings and courtesies.
// Following clauses are added until the title has at least minWords words. The title is then cut to maxWords words and
// maxTitle characters or, in Chinese, to maxHan characters. Paths are shortened to their last element, URLs to their
// host. The title is never empty.
func Title(text string) string {
	text = excerpt.Head(text, maxRead)
	title := ""
	for _, words := range clauses(fences.ReplaceAllString(text, "\n")) {
		switch {
		case words == "" || vague[strings.ToLower(words)]:
		case title == "":
			title = words
		default:
			title += ", " + lowerFirst(words)
		}
		if isHan(title) || len(strings.Fields(title)) >= minWords {
			break
		}
	}
	switch {
	case title == "" && opening.MatchString(text):
		return orNew(upperFirst(cutWords(firstTextLine(text)))) // only a greeting
	case title == "": // only code
		return orNew(cutWords(firstTextLine(text)))
	case isHan(title):
		return orNew(cutHan(title))
	}
	return orNew(sentenceCase(cutWords(title)))
}

func orNew(title string) string {
	if strings.IndexFunc(title, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.Is(unicode.So, r) }) < 0 {
		return "New chat"
	}
	return title
}

var (
	fences = regexp.MustCompile("(?ms)^[ \t]*(?:```|~~~).*?(?:^[ \t]*(?:```|~~~)[ \t]*$|\\z)")
	marks  = regexp.MustCompile(`^(?:[#>*+\-–•\s]|\d{1,3}[.)]\s|\[[ xX]\]\s)+`)
	// The next three patterns match the ends of clauses. A colon ends a clause only at the end of its line (see split).
	sentences    = regexp.MustCompile(`[.!?…;:]+(?:\s+|$)|[。！？；…]+`)
	commas       = regexp.MustCompile(`,\s+|[，：]|\s+[–—-]{1,2}\s+|\s+\(`)
	conjunctions = regexp.MustCompile(`(?i)\s+(?:because|so that|since|and then|and tell|and explain|which|while|without|but|if|weil|damit|sodass|und dann|und sag|und erkläre|obwohl|aber|wenn|falls)\s`)
)

// clauses returns the shortened clauses of text, some of which may be empty. It skips the rest
// of a sentence once a clause is long enough.
func clauses(text string) (all []string) {
	for line := range strings.Lines(text) {
		line = marks.ReplaceAllString(strings.TrimSpace(line), "")
		for _, sentence := range split(sentences, line) {
			parts := split(commas, stripPhrases(sentence))
			// "When the page reloads, the list is empty": the second part has the content.
			if len(parts) > 1 && subordinate.MatchString(parts[0]) {
				parts = parts[1:]
			}
			for _, part := range parts {
				words := shortenClause(part)
				all = append(all, words)
				if len(strings.Fields(words)) >= minWords {
					break
				}
			}
		}
	}
	return all
}

var subordinate = regexp.MustCompile(`^(?i)(?:when|if|after|before|since|while|as|wenn|falls|nachdem|bevor|sobald|seit)\s`)

// split splits text wherever the given pattern matches. It doesn't split at a colon within a line, at the period of an
// abbreviation or a number, or after a slash.
func split(cut *regexp.Regexp, text string) (parts []string) {
	at := 0
	for _, match := range cut.FindAllStringIndex(text, -1) {
		sign := text[match[0]:match[1]]
		if strings.HasPrefix(sign, ":") && match[1] < len(text) || isShort(text[at:match[0]], sign) ||
			strings.HasSuffix(text[:match[0]], "/") { // ./...

			continue
		}
		parts, at = append(parts, text[at:match[0]]), match[1]
	}
	return append(parts, text[at:])
}

// isShort reports whether sign starts with a period that belongs to an abbreviation or a number. The parameter before
// is the text in front of the period.
func isShort(before, sign string) bool {
	if !strings.HasPrefix(sign, ".") {
		return false
	}
	word := strings.ToLower(before[strings.LastIndexAny(before, " (")+1:])
	switch word {
	case "e.g", "i.e", "z.b", "d.h", "bzw", "vs", "etc", "usw", "nr", "no", "ca", "approx":
		return true
	}
	return word != "" && strings.Trim(word, "0123456789") == ""
}

// Phrases without content at the start or end of a message, in the app's UI languages.
// In each pattern, a longer alternative precedes its own prefixes.
var (
	opening = regexp.MustCompile(`^(?i)(?:` +
		`hi there|hey there|hi|hello|hey|good (?:morning|afternoon|evening)|thank you|thanks|many thanks|greetings|dear copilot|copilot|` +
		`please|pls|plz|kindly|(?:can|could|would|will) (?:you|we)(?: (?:mind|maybe|perhaps|possibly|help me(?: to)?))?|` +
		`i(?: would|'d|’d) (?:like|love)(?: you)? to|i (?:want|need)(?: you)? to|i need|i want|i am trying to|i'm trying to|i’m trying to|` +
		`help me(?: to)?|let's|let’s|let us|tell me|give me|ok|okay|so|now|just|also|well|actually|quick question|go ahead and|try to|` +
		`hallo zusammen|hallo|moin|servus|guten (?:tag|morgen|abend)|liebe[rs]? copilot|bitte|danke|vielen dank|` +
		`(?:kannst|könntest|würdest|magst|willst) du|(?:können|könnten|würden) (?:sie|wir)|ich (?:möchte|will|würde gerne?|hätte gerne?|brauche)(?:,? dass du)?|` +
		`hilf mir(?: dabei)?(?:,)?|sag mir|zeig mir|gib mir|lass uns|mal|mir|uns|also|jetzt|nun|einmal|kurz|schnell|doch|` +
		`the|an?|der|die|das|den|dem|eine[nmrs]?|ein` +
		`)(?:[\s,.!:]+|$)`)
	openingHan = regexp.MustCompile(`^(?:你好|您好|大家好|嗨|请问|请你|请您|请|麻烦您|麻烦你|麻烦|能不能|可不可以|能否|可否|可以|你能|您能|帮我们|帮我|帮忙|我想要|我想|我需要|我要|给我|一下|先|现在|[\s，,。！!：:])+`)
	closing    = regexp.MustCompile(`(?i)(?:[\s,]+(?:please|pls|thanks|thank you|for me|again|bitte|danke|mal|for you)|[，,]?谢谢|[吗呢吧啊])+$`)
	// command matches a slash command at the start of a message.
	command = regexp.MustCompile(`^/[a-z][\w:-]*\s+`)
)

// vague holds clauses that mean little on their own; the search for a title continues after them.
var vague = map[string]bool{
	"question": true, "help": true, "fix this": true, "fix it": true, "fix": true, "it": true, "this": true, "that": true, "do this": true,
	"problem": true, "frage": true, "hilfe": true, "yes": true, "no": true, "look at this": true, "see below": true,
	"behebe das": true, "schau mal": true, "siehe unten": true, "问题": true, "帮助": true, "修复这个": true, "thanks": true, "danke": true,
}

// stripPhrases removes opening and closing phrases, a leading slash command and quotation marks from a sentence.
func stripPhrases(text string) string {
	text = strings.TrimSpace(text)
	if rest := command.ReplaceAllString(text, ""); rest != "" {
		text = rest
	}
	text = quotes.Replace(text)
	for {
		before := text
		text = opening.ReplaceAllString(text, "")
		text = openingHan.ReplaceAllString(text, "")
		text = strings.TrimSpace(closing.ReplaceAllString(text, ""))
		if text == before {
			return text
		}
	}
}

var quotes = strings.NewReplacer("`", "", "**", "", "__", "", "“", "", "”", "", "„", "", "\"", "")

// shortenClause removes opening and closing phrases from a clause, as well as everything from a conjunction on. It
// replaces paths with their last element and URLs with their host.
func shortenClause(clause string) string {
	clause = stripPhrases(clause)
	// The part before the conjunction needs at least two words to stand alone.
	if at := conjunctions.FindStringIndex(clause); at != nil && len(strings.Fields(clause[:at[0]])) > 1 {
		clause = clause[:at[0]]
	}
	words := strings.Fields(clause)
	for i, word := range words {
		words[i] = lastName(word)
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

var drive = regexp.MustCompile(`^[A-Za-z]:\\`)

// lastName returns a word without surrounding brackets. If the word is a path, lastName returns the path's last
// element. If it is a URL, lastName returns the URL's host.
func lastName(word string) string {
	if !strings.ContainsFunc(word, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
		return word // such as the arrow of "0 -> 9"
	}
	bare := strings.Trim(word, "()[]{}<>'’,;!?")
	bare = strings.TrimPrefix(bare, "@")
	tail := ""
	if strings.HasSuffix(word, ",") {
		tail = ","
	}
	if at, err := url.Parse(bare); err == nil && (at.Scheme == "http" || at.Scheme == "https") {
		return strings.TrimPrefix(at.Hostname(), "www.") + tail
	}
	slashes := strings.ReplaceAll(bare, `\`, "/")
	isPath := strings.Contains(slashes, "/") && (strings.HasPrefix(word, "@") || strings.HasPrefix(slashes, "~/") ||
		strings.HasPrefix(slashes, ".") || drive.MatchString(bare) || strings.Count(slashes, "/") > 1 || path.Ext(slashes) != "")
	if isPath {
		if base := path.Base(slashes); strings.Trim(base, "./") != "" {
			return base + tail
		}
	}
	return strings.TrimPrefix(strings.Trim(word, "()[]{}<>;!?"), "@")
}

// firstTextLine removes list marks, heading marks and code formatting from the lines of text, and returns the first
// line that isn't blank then.
func firstTextLine(text string) string {
	for line := range strings.Lines(text) {
		line = marks.ReplaceAllString(strings.TrimSpace(line), "")
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			continue
		}
		if line = strings.Join(strings.Fields(strings.Trim(line, "`* ")), " "); line != "" {
			return line
		}
	}
	return ""
}

// dangling holds the words that a title must not end with.
var dangling = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(`a an the of in on to for and or with from by at as into is are was be that this my our its out so do does not
		der die das den dem des ein eine einen einem einer und oder mit von vom zu zum zur für an am auf in im bei aus nach über ist sind dass nicht wie z.b e.g only just nur noch auch`) {
		all[word] = true
	}
	return all
}()

// joining holds conjunctions. If only one word follows a conjunction after a long title has been cut, both are removed.
var joining = map[string]bool{"and": true, "or": true, "und": true, "oder": true}

var articles = regexp.MustCompile(`(?i)\s(?:the|an?)\s`)

// cutWords returns as many words of a title as fit. A cut title doesn't end in the middle of a phrase.
func cutWords(text string) string {
	words := strings.Fields(text)
	n, letters := 0, -1
	for n < len(words) && n < maxWords && letters+1+utf8.RuneCountInString(words[n]) <= maxTitle {
		letters += 1 + utf8.RuneCountInString(words[n])
		n++
	}
	if n == 0 {
		return firstLine(text, maxTitle)
	}
	if n < len(words) { // it may fit without articles
		if short := articles.ReplaceAllString(text, " "); len(strings.Fields(short)) <= maxWords && utf8.RuneCountInString(short) <= maxTitle {
			return cutWords(short)
		}
	}
	if n < len(words) {
		n = lastWordIndex(words, n)
		// A single word of a second part has too little content: "make it polite and give".
		if n > minWords && joining[strings.ToLower(words[n-2])] {
			n = lastWordIndex(words, n-2)
		}
	}
	return strings.TrimRight(strings.Join(words[:n], " "), " ,;:.!?-–")
}

// lastWordIndex returns how many of the first n words remain after dangling words have been removed from the end. At
// least one word remains.
func lastWordIndex(words []string, n int) int {
	for n > 1 && dangling[strings.ToLower(strings.Trim(words[n-1], ",.:;"))] {
		n--
	}
	return n
}

// isHan reports whether text is mostly Chinese or Japanese.
func isHan(text string) bool {
	han, words := 0, 0
	inWord := false
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
			han, inWord = han+1, false
		case unicode.IsLetter(r) && !inWord:
			words, inWord = words+1, true
		case !unicode.IsLetter(r):
			inWord = false
		}
	}
	return han > 0 && han >= words
}

// cutHan returns the beginning of a Chinese title. Characters of other scripts count as
// half a character, and words written in them are never cut.
func cutHan(text string) string {
	room, end, word := 2*maxHan, 0, 0
	for i, r := range text {
		isWide := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) || r > 0x2E80
		if isWide {
			room -= 2
		} else {
			room--
		}
		if room < 0 {
			break
		}
		if isWide || r == ' ' {
			word = i
		}
		end = i + utf8.RuneLen(r)
	}
	if end < len(text) {
		if next, _ := utf8.DecodeRuneInString(text[end:]); next < 0x2E80 && next != ' ' && word > 0 {
			_, size := utf8.DecodeRuneInString(text[word:])
			end = word + size
		}
	}
	return strings.TrimRight(text[:end], " ，、。！？：；,.的和与在到从把给向")
}

// sentenceCase returns title with a capital first letter, unless its first word has its
// own spelling, such as main.go or iOS. A title in all caps becomes lower case.
func sentenceCase(title string) string {
	if strings.ContainsFunc(title, unicode.IsLower) || len(strings.Fields(title)) < 2 {
		return upperFirst(title)
	}
	return upperFirst(strings.ToLower(title))
}

func upperFirst(title string) string {
	first, _, _ := strings.Cut(title, " ")
	letter, size := utf8.DecodeRuneInString(title)
	if size == 0 || strings.ContainsAny(first, "./_\\(=") || strings.ContainsFunc(first[min(size, len(first)):], unicode.IsUpper) {
		return title
	}
	return string(unicode.ToUpper(letter)) + title[size:]
}

// lowerFirst returns a clause as it appears after another one: if its first word is one of sentenceWords, its first
// letter becomes lower case. Other words, which may be names, stay unchanged.
func lowerFirst(clause string) string {
	letter, size := utf8.DecodeRuneInString(clause)
	first, _, _ := strings.Cut(clause, " ")
	if size == 0 || !sentenceWords[strings.ToLower(first)] {
		return clause
	}
	return string(unicode.ToLower(letter)) + clause[size:]
}

// sentenceWords holds words that often start a clause and are never names. The words are in lower case.
var sentenceWords = func() map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(`add fix make write run commit check update remove delete change rename move show explain create use then it there
		when where why how what and or but if füge behebe mach schreib starte prüfe lösche ändere zeige erkläre erstelle dann es wenn wo warum wie was und oder aber`) {
		all[word] = true
	}
	return all
}()

// SuggestTitle replaces the title derived from the first message with a better one, such as the
// agent's. It never overwrites a title set by the user, and ignores a title derived from a recap.
func (s *Service) SuggestTitle(ctx context.Context, chatID, title string) error {
	title = strings.TrimSpace(title)
	if title == "" || strings.HasPrefix(title, recapHead[:18]) {
		return nil
	}
	title = Title(title)
	return s.Change(ctx, chatID, func(chat *backend.Chat) {
		if !chat.TitleByUser {
			chat.Title = title
		}
	})
}

// titleOf returns the title for a chat with q as its first message.
func titleOf(q backend.QueuedPrompt) string {
	if strings.TrimSpace(q.Text) == "" && len(q.Attachments) > 0 {
		return firstLine(q.Attachments[0].Name, maxTitle)
	}
	return Title(q.Text)
}
