// Command feed writes the signed update feed, which every VoxPilot installation reads, to standard
// output. The release workflow runs it on the folder of the published files:
//
//	go run ./build/feed -version 1.2.0 -url https://…/v1.2.0/ -notes notes.md -repository https://… -commit … -workflow https://… -key VOXPILOT_UPDATE_KEY dist/ > feed.txt
//	go run ./build/feed -renew feed.txt -key VOXPILOT_UPDATE_KEY > renewed.txt
//	go run ./build/feed -new-key
//
// The private key is in the environment variable that -key names. Only -new-key prints a private key: the one that it
// generates.
package main

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend/update"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "feed:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	flags := flag.NewFlagSet("feed", flag.ContinueOnError)
	newKey := flags.Bool("new-key", false, "generate a key pair and exit")
	version := flags.String("version", "", "the published version, without v")
	key := flags.String("key", "", "the environment variable with the private key")
	base := flags.String("url", "", "the download folder: an https URL that ends with a slash")
	notes := flags.String("notes", "", "a file with the release notes in Markdown")
	var source update.Source
	flags.StringVar(&source.Repository, "repository", "", "the https URL of the source repository")
	flags.StringVar(&source.Commit, "commit", "", "the source commit")
	flags.StringVar(&source.Workflow, "workflow", "", "the URL of the workflow run that built it")
	renew := flags.String("renew", "", "sign this feed again with a new date and exit")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *newKey {
		return writeKeys(out)
	}
	if *renew != "" {
		return renewed(*renew, *key, out)
	}
	if flags.NArg() != 1 {
		return errors.New("usage: feed [flags] FOLDER, the folder with the published files")
	}
	private, err := readKey(*key)
	if err != nil {
		return err
	}
	feed := update.Feed{Version: *version, Date: time.Now(), Source: source}
	if *notes != "" {
		text, err := os.ReadFile(*notes)
		if err != nil {
			return err
		}
		feed.Notes = string(text)
	}
	if feed.Assets, err = assets(flags.Arg(0), *version, *base); err != nil {
		return err
	}
	signed, err := feed.Sign(private)
	if err != nil {
		return err
	}
	_, err = out.Write(signed)
	return err
}

// renewed signs the feed in the given file again, with a later expiry date, and writes it to out.
func renewed(file, key string, out io.Writer) error {
	private, err := readKey(key)
	if err != nil {
		return err
	}
	signed, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if signed, err = update.Renew(signed, private, time.Now()); err != nil {
		return err
	}
	_, err = out.Write(signed)
	return err
}

func writeKeys(out io.Writer) error {
	public, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(out, "private key, for the secret UPDATE_PRIVATE_KEY: %s\npublic key, for the variable UPDATE_KEY: %s\n",
		base64.StdEncoding.EncodeToString(private.Seed()), base64.StdEncoding.EncodeToString(public))
	return err
}

// readKey reads the private key, a base64 seed, from an environment variable.
func readKey(variable string) (ed25519.PrivateKey, error) {
	if variable == "" {
		return nil, errors.New("-key must name the environment variable with the private key")
	}
	seed, err := base64.StdEncoding.DecodeString(strings.TrimSpace(os.Getenv(variable)))
	if err != nil || len(seed) != ed25519.SeedSize {
		return nil, fmt.Errorf("%s isn't a private key of 32 bytes in base64; generate one with -new-key", variable)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// assets returns the installation files of the given version in dir, with their download URLs. It skips other files,
// such as checksums.
func assets(dir, version, base string) ([]update.Asset, error) {
	if u, err := url.Parse(base); err != nil || u.Scheme != "https" || u.Host == "" || !strings.HasSuffix(u.Path, "/") {
		return nil, fmt.Errorf("-url %q isn't an https URL that ends with a slash", base)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var found []update.Asset
	for _, entry := range entries {
		a, ok := describe(entry.Name())
		// .rpm names contain ~ instead of the version's -.
		if !ok || !strings.Contains(strings.ReplaceAll(entry.Name(), "~", "-"), version) {
			continue
		}
		if i := slices.IndexFunc(found, func(b update.Asset) bool { return a.System == b.System && a.Arch == b.Arch && a.Format == b.Format }); i >= 0 {
			return nil, fmt.Errorf("%s and %s are for the same system and architecture", entry.Name(), found[i].URL)
		}
		if a.Size, a.SHA256, err = sum(filepath.Join(dir, entry.Name())); err != nil {
			return nil, err
		}
		a.URL = base + url.PathEscape(entry.Name())
		found = append(found, a)
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s has no files of version %s", dir, version)
	}
	return found, nil
}

// describe derives the system, architecture and format of a published file from its
// name. ok is false if the file isn't an installation file.
func describe(name string) (a update.Asset, ok bool) {
	name = strings.ToLower(name)
	if strings.Contains(name, "source") || strings.Contains(name, "src") {
		return a, false
	}
	a.Arch = "amd64"
	if strings.Contains(name, "arm64") || strings.Contains(name, "aarch64") {
		a.Arch = "arm64"
	}
	switch {
	case strings.HasSuffix(name, ".tar.gz"):
		a.System, a.Format = "linux", update.FormatTar
	case strings.HasSuffix(name, ".deb"):
		a.System, a.Format = "linux", update.FormatDeb
	case strings.HasSuffix(name, ".rpm"):
		a.System, a.Format = "linux", update.FormatRPM
	case strings.HasSuffix(name, "setup.exe"):
		a.System, a.Format = "windows", update.FormatSetup
	case strings.HasSuffix(name, ".zip") && !strings.Contains(name, "macos") && !strings.Contains(name, "darwin"):
		a.System, a.Format = "windows", update.FormatZip
	case strings.HasSuffix(name, ".dmg"): // universal, unless its name says otherwise
		a.System, a.Format = "darwin", update.FormatImage
		if a.Arch == "amd64" && !strings.Contains(name, "amd64") {
			a.Arch = ""
		}
	default:
		return a, false
	}
	return a, true
}

func sum(path string) (size int64, digest string, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, "", err
	}
	defer file.Close()
	hash := sha256.New()
	size, err = io.Copy(hash, file)
	return size, hex.EncodeToString(hash.Sum(nil)), err
}
