package update

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/Masterminds/semver/v3"
	"github.com/voxpilot/voxpilot/backend"
)

// A Feed is the publisher's description of the newest version. Its signed form (Sign) is one line with the signature,
// followed by the signed JSON.
type Feed struct {
	Format  int       `json:"format"` // feedFormat
	Program string    `json:"program"`
	Version string    `json:"version"`
	Date    time.Time `json:"date"`    // a feed older than one already seen is rejected
	Expires time.Time `json:"expires"` // rejected after this time
	Notes   string    `json:"notes"`
	Source  Source    `json:"source,omitzero"`
	Assets  []Asset   `json:"assets"`
}

// Source is the origin of a build. The holder of the signing key can name any origin in a feed, so a Source only
// distinguishes the feeds of different repositories and identifies the build provenance of the files.
type Source struct {
	Repository string `json:"repository"` // https URL
	Commit     string `json:"commit"`
	Workflow   string `json:"workflow"` // URL of the run that built it
}

// An Asset is an installable file for one version of the app.
type Asset struct {
	System string        `json:"system"`         // GOOS
	Arch   string        `json:"arch,omitempty"` // GOARCH; "" runs on all
	Format PackageFormat `json:"form"`
	URL    string        `json:"url"`
	Size   int64         `json:"size"`
	SHA256 string        `json:"sha256"`
}

const (
	feedFormat  = 1
	feedProgram = "io.github.voxpilot.VoxPilot"
	signedBy    = "voxpilot-feed-1 " // prefix of the first line, followed by the signature in base64

	// validFor is the lifetime of a feed. An attacker on the network can hide a newer version by sending an old feed,
	// but VoxPilot rejects the old feed after this time.
	validFor = 180 * 24 * time.Hour

	maxFeed  = 512 << 10
	maxNotes = 32 << 10
	maxAsset = 500 << 20
)

// Sign returns the file to publish: the feed, signed with key. If Expires is zero, the feed expires validFor
// after its date. Sign returns an error if a field is invalid.
func (f Feed) Sign(key ed25519.PrivateKey) ([]byte, error) {
	f.Format, f.Program = feedFormat, feedProgram
	f.Date = f.Date.UTC().Truncate(time.Second)
	if f.Expires.IsZero() {
		f.Expires = f.Date.Add(validFor)
	}
	f.Expires = f.Expires.UTC().Truncate(time.Second)
	if err := f.check(); err != nil {
		return nil, err
	}
	var body bytes.Buffer
	encoder := json.NewEncoder(&body)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(f); err != nil {
		return nil, err
	}
	signed := append([]byte(signatureLine(ed25519.Sign(key, body.Bytes()))+"\n"), body.Bytes()...)
	if len(signed) > maxFeed {
		return nil, backend.Problem("the update list is %d bytes; the limit is %d", len(signed), maxFeed)
	}
	return signed, nil
}

var (
	errUnsigned = backend.Problem("the update isn't signed by VoxPilot's publisher")
	errFormat   = backend.Problem("this version of VoxPilot doesn't support the update's format")
	errExpired  = backend.Problem("the update list has expired")
	errSource   = backend.Problem("the update comes from a different repository than this copy of VoxPilot, or doesn't identify its commit and workflow run")
)

// openFeed returns the feed in a published file, which must be signed with one of keys. Nothing in the
// file is parsed before its signature is verified.
func openFeed(signed []byte, keys []ed25519.PublicKey) (f Feed, err error) {
	line, body, _ := bytes.Cut(signed, []byte("\n"))
	encoded := strings.TrimPrefix(string(line), signedBy)
	signature, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || signatureLine(signature) != string(line) || !verified(body, signature, keys) {
		return f, errUnsigned
	}
	if err := json.Unmarshal(body, &f); err != nil {
		return Feed{}, fmt.Errorf("%w: %w", errFormat, err)
	}
	if err := f.check(); err != nil {
		return Feed{}, err
	}
	f.Notes = shortenNotes(f.Notes)
	return f, nil
}

// Renew sets the date of a signed feed to the given time, extends the feed's lifetime accordingly and signs it again
// with key. The original must have been signed with the same key.
func Renew(signed []byte, key ed25519.PrivateKey, now time.Time) ([]byte, error) {
	public, ok := key.Public().(ed25519.PublicKey)
	if !ok {
		return nil, errUnsigned
	}
	f, err := openFeed(signed, []ed25519.PublicKey{public})
	if err != nil {
		return nil, err
	}
	f.Date, f.Expires = now, time.Time{}
	return f.Sign(key)
}

func signatureLine(signature []byte) string {
	return signedBy + base64.StdEncoding.EncodeToString(signature)
}

func verified(body, signature []byte, keys []ed25519.PublicKey) bool {
	for _, key := range keys {
		if ed25519.Verify(key, body, signature) {
			return true
		}
	}
	return false
}

func (f Feed) check() error {
	if f.Format != feedFormat || f.Program != feedProgram {
		return errFormat
	}
	if _, err := semver.StrictNewVersion(f.Version); err != nil {
		return fmt.Errorf("%w: version %q: %w", errFormat, f.Version, err)
	}
	if f.Date.IsZero() {
		return fmt.Errorf("%w: the update list has no date", errFormat)
	}
	if f.Expires.Before(f.Date) || f.Expires.After(f.Date.Add(2*validFor)) {
		return backend.Problem("%w: the update list's expiration date isn't valid: %s", errFormat, f.Expires)
	}
	for _, a := range f.Assets {
		if digest, err := hex.DecodeString(a.SHA256); err != nil || len(digest) != 32 || a.Size <= 0 || a.Size > maxAsset || a.URL == "" || a.System == "" || !formatName.MatchString(string(a.Format)) {
			return fmt.Errorf("%w: the file %s", errFormat, a.URL)
		}
	}
	return nil
}

// formatName matches current and future PackageFormats, which are file name extensions.
var formatName = regexp.MustCompile(`^[a-z0-9]+(\.[a-z0-9]+)?$`)

var commitID = regexp.MustCompile(`^[0-9a-f]{40}$`)

// from reports whether the source names a commit and a workflow run of the repository with the given URL.
func (s Source) from(repository string) bool {
	return s.Repository == repository && commitID.MatchString(s.Commit) && strings.HasPrefix(s.Workflow, repository+"/")
}

// asset returns the file for a system, an architecture and a package format. It returns
// false if there is none.
func (f Feed) asset(system, arch string, form PackageFormat) (Asset, bool) {
	for _, a := range f.Assets {
		if a.System == system && (a.Arch == arch || a.Arch == "") && a.Format == form {
			return a, true
		}
	}
	return Asset{}, false
}

// shortenNotes truncates notes at a line end to a size that the window can show.
func shortenNotes(notes string) string {
	notes = strings.ToValidUTF8(notes, "\uFFFD")
	if len(notes) <= maxNotes {
		return notes
	}
	notes = strings.ToValidUTF8(notes[:maxNotes], "")
	if end := strings.LastIndexByte(notes, '\n'); end > 0 {
		notes = notes[:end]
	}
	return notes + "\n\n…"
}

// newer reports whether a version is newer than another. It returns false if either is
// invalid, as in custom builds.
func newer(version, than string) bool {
	v, err := semver.StrictNewVersion(version)
	if err != nil {
		return false
	}
	t, err := semver.NewVersion(than)
	return err == nil && v.GreaterThan(t)
}

// parseKeys parses comma-separated base64 public keys.
func parseKeys(list string) ([]ed25519.PublicKey, error) {
	var keys []ed25519.PublicKey
	for _, encoded := range strings.Split(list, ",") {
		key, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
		if err != nil || len(key) != ed25519.PublicKeySize {
			return nil, fmt.Errorf("%q is no ed25519 key in base64", encoded)
		}
		keys = append(keys, key)
	}
	return keys, nil
}
