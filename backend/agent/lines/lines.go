// Package lines recognizes the lines that the Copilot CLI inserts into the model's output.
package lines

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Lines that the CLI itself inserts into the output, or parts of such lines. Each line arrives as one chunk, which
// differs from the model's output only in its wording. Therefore, only lines with a known wording are recognized.
var (
	InfoPrefix  = []byte("Info: ")
	ErrorPrefix = []byte("Error: ")
	// WarningPrefix and afterDeath are parts of a warning that the CLI writes before its first answer after a
	// restart, if the CLI was killed while a tool was running. The prefix alone isn't enough, because a model's
	// answer may start with it.
	WarningPrefix = []byte("Warning: ")
	afterDeath    = []byte(" had no recorded result at resume.")

	// notices are the beginnings of the lines that IsNote recognizes.
	notices = [][]byte{
		[]byte("Info: Response was interrupted"),
		[]byte("Info: Request failed"),
		[]byte("Info: Operation cancelled"),
	}
	// Retrying occurs in each line that announces another attempt at a model call.
	Retrying = []byte("Retrying")

	// reports matches the CLI's reports of failed model calls. Such a report ends the turn.
	reports = regexp.MustCompile(`^Error: (Failed to get response from the AI model|Authentication failed with provider|Model '[^']*' not found on provider|\d{3} |.*\(HTTP \d{3}\))`)
)

// IsNote reports whether a chunk is one of the lines with a known wording that the CLI itself inserts. Error
// reports don't count. raw is the chunk as the content of a JSON string, with its escape sequences.
func IsNote(raw []byte) bool {
	if bytes.HasPrefix(raw, WarningPrefix) {
		return bytes.Contains(raw, afterDeath)
	}
	return slices.ContainsFunc(notices, func(n []byte) bool { return bytes.HasPrefix(raw, n) })
}

// ContinuesNote reports whether a chunk may belong to the same line as the chunk before it. raw is the chunk, and
// earlier is the one before it. ContinuesNote returns false if earlier is a complete "Info: " line of the CLI,
// ending with a punctuation mark, and raw starts with a letter, like text from the model.
func ContinuesNote(earlier, raw []byte) bool {
	last, _ := utf8.DecodeLastRune(earlier)
	first, _ := utf8.DecodeRune(raw)
	return !bytes.HasPrefix(earlier, InfoPrefix) || !strings.ContainsRune(".!?…", last) || !unicode.IsLetter(first)
}

// IsReport reports whether raw, a chunk, is the CLI's report of a failed model call.
func IsReport(raw []byte) bool { return reports.Match(raw) }

// keyAdvice matches the CLI's advice to check the key of a model. The advice names environment variables that VoxPilot
// sets and the user doesn't know.
var keyAdvice = regexp.MustCompile(`\n\s*Check your COPILOT_PROVIDER_[^\n]*`)

// WithoutVariables returns the report, but replaces the advice that keyAdvice matches with advice that the user can
// follow.
func WithoutVariables(report string) string {
	return keyAdvice.ReplaceAllString(report, "\n  Correct the API key in Settings.")
}
