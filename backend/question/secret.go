package question

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
)

// secretRefusal returns the refusal of a question that asks for a secret. who is the start of its first sentence.
func secretRefusal(who string) error {
	return &Refusal{
		text: who + " for a password, key or other secret. VoxPilot doesn't pass secrets to models, so the question wasn't asked. " +
			"Ask the user to enter the secret where it is used instead, such as in a terminal, a file or an environment variable, and to tell you when that's done.",
		secret: true,
		Reason: backend.Say("not asked: it asks for a secret"),
	}
}

// The words (secretWords), pairs of consecutive words (secretPairs) and Chinese words (secretSigns) that name a secret
// in the name or title of a field.
var (
	secretWords = []string{
		"password", "passwords", "passwd", "pwd", "passphrase", "passcode", "secret", "secrets", "token", "apikey", "credential", "credentials",
		"pin", "otp", "totp", "cvv", "cvc", "mnemonic", "kennwort", "passwort", "geheimnis", "privatekey", "accesskey",
	}
	secretPairs = [][2]string{
		{"api", "key"}, {"access", "key"}, {"private", "key"}, {"secret", "key"}, {"ssh", "key"}, {"signing", "key"}, {"encryption", "key"},
		{"license", "key"}, {"auth", "key"}, {"seed", "phrase"}, {"recovery", "code"}, {"security", "code"}, {"verification", "code"}, {"card", "number"},
	}
	secretSigns = []string{"密码", "口令", "密钥", "令牌"}
)

// isSecretField reports whether a field asks for a secret. A text field is judged by its name and title, and a number,
// which can only be a short code, by its name. Other fields don't ask for secrets.
func isSecretField(f backend.QuestionField) bool {
	switch f.Kind {
	case backend.FieldText:
	case backend.FieldInteger, backend.FieldNumber:
		return slices.ContainsFunc(wordsOf(f.Name), func(w string) bool {
			return slices.Contains([]string{"pin", "otp", "totp", "cvv", "cvc", "passcode"}, w)
		})
	default:
		return false
	}
	return slices.ContainsFunc([]string{f.Name, f.Title}, namesSecret)
}

func namesSecret(text string) bool {
	words := wordsOf(text)
	if len(words) == 1 && words[0] == "key" {
		return true
	}
	for i, w := range words {
		if slices.Contains(secretWords, w) {
			return true
		}
		if i > 0 && slices.Contains(secretPairs, [2]string{words[i-1], w}) {
			return true
		}
	}
	return slices.ContainsFunc(secretSigns, func(sign string) bool { return strings.Contains(text, sign) })
}

// wordsOf splits a name such as dbPassword, DB_PASSWORD or "Database password" into words in lower case.
func wordsOf(name string) (words []string) {
	var word []rune
	flush := func() {
		if len(word) > 0 {
			words = append(words, strings.ToLower(string(word)))
		}
		word = word[:0]
	}
	runes := []rune(name)
	for i, r := range runes {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			flush()
			continue
		case unicode.IsUpper(r) && i > 0 && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) && unicode.IsUpper(runes[i-1])):
			flush()
		}
		word = append(word, r)
	}
	flush()
	return words
}

// secretRequest matches an open question that asks for a secret of the user.
var secretRequest = regexp.MustCompile(`(?i)\b(your|the|enter|paste|type|provide|give me|dein|ihr)\b[^.?!\n]{0,40}\b(password|passphrase|passwort|kennwort|api[ -]?key|access[ -]?key|private key|secret key|(access|auth|api|personal access|github) token|pin code|recovery code)\b`)

// asksForSecret reports whether the text of an open question asks for a secret. It also returns true for some questions
// about a secret, such as where it is stored.
func asksForSecret(text string) bool { return secretRequest.MatchString(text) }
