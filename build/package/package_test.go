// Package packaging_test checks packaging files for other operating systems, which check.sh can't test on Linux, as
// well as the release workflows and notes.
package packaging_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// plist parses a property list: dicts become maps, arrays slices, and so on.
func plist(t *testing.T, text string) map[string]any {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if err != nil {
			t.Fatalf("there is no dict: %v", err)
		}
		if start, ok := token.(xml.StartElement); ok && start.Name.Local == "dict" {
			v, err := value(d, start)
			if err != nil {
				t.Fatal(err)
			}
			return dictOf(t, v)
		}
	}
}

func dictOf(t *testing.T, v any) map[string]any {
	t.Helper()
	dict, ok := v.(map[string]any)
	if !ok {
		t.Fatalf("%v is no dict", v)
	}
	return dict
}

func firstDict(t *testing.T, v any) map[string]any {
	t.Helper()
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		t.Fatalf("%v is no array with something in it", v)
	}
	return dictOf(t, list[0])
}

func value(d *xml.Decoder, start xml.StartElement) (any, error) {
	switch kind := start.Name.Local; kind {
	case "true", "false":
		return kind == "true", d.Skip()
	case "string", "key", "integer":
		var s string
		err := d.DecodeElement(&s, &start)
		return s, err
	case "array", "dict":
		var list []any
		dict := map[string]any{}
		key := ""
		for {
			token, err := d.Token()
			if err != nil {
				return nil, err
			}
			switch token := token.(type) {
			case xml.EndElement:
				if kind == "array" {
					return list, nil
				}
				return dict, nil
			case xml.StartElement:
				v, err := value(d, token)
				switch {
				case err != nil:
					return nil, err
				case kind == "array":
					list = append(list, v)
				case token.Name.Local == "key":
					key = fmt.Sprint(v)
				case key == "" || dict[key] != nil:
					return nil, fmt.Errorf("a value without a key of its own, after %q", key)
				default:
					dict[key], key = v, ""
				}
			}
		}
	}
	return nil, errors.New("no property list has <" + start.Name.Local + ">")
}

func TestMacApp_InfoPlistIsComplete(t *testing.T) {
	text := read(t, "../darwin/Info.plist")
	info := plist(t, text)
	for key, want := range map[string]any{
		"CFBundlePackageType": "APPL", "CFBundleIdentifier": "io.github.voxpilot.VoxPilot", "CFBundleIconFile": "iconfile",
		"LSMinimumSystemVersion": "12.0", "NSHighResolutionCapable": true,
	} {
		if info[key] != want {
			t.Errorf("%s is %v, want %v", key, info[key], want)
		}
	}
	links := firstDict(t, info["CFBundleURLTypes"])
	if got := fmt.Sprint(links["CFBundleURLSchemes"]); got != "[voxpilot]" {
		t.Errorf("the links are %s", got)
	}
	// VoxPilot can open folders but is not their default handler.
	folders := firstDict(t, info["CFBundleDocumentTypes"])
	if fmt.Sprint(folders["LSItemContentTypes"]) != "[public.folder]" || folders["LSHandlerRank"] != "Alternate" {
		t.Errorf("the documents are %v", folders)
	}
	for key, v := range info {
		if s, ok := v.(string); ok && strings.HasSuffix(key, "UsageDescription") && len(s) < 20 {
			t.Errorf("%s says %q to the user", key, s)
		}
	}
	bundle := read(t, "darwin/bundle.sh")
	for _, field := range regexp.MustCompile(`{{[^}]*}}`).FindAllString(text, -1) {
		if !strings.Contains(bundle, "s/"+field+"/") {
			t.Errorf("bundle.sh leaves %s as it is", field)
		}
	}
	for key, v := range plist(t, read(t, "darwin/entitlements.plist")) {
		if v != true || strings.Contains(key, "app-sandbox") || strings.Contains(key, "get-task-allow") {
			t.Errorf("the entitlement %s is %v", key, v)
		}
	}
}

func TestMacApp_DetectsInvalidPlist(t *testing.T) {
	for _, bad := range []string{"<dict><string>a</string></dict>", "<dict><key>a</key><key>b</key>", "<dict><key>a</key><b/></dict>"} {
		d := xml.NewDecoder(strings.NewReader(bad))
		start, err := d.Token()
		if err != nil {
			t.Fatal(err)
		}
		element, ok := start.(xml.StartElement)
		if !ok {
			t.Fatalf("%s begins with %v", bad, start)
		}
		if v, err := value(d, element); err == nil {
			t.Errorf("%s is read as %v", bad, v)
		}
	}
}

// TestActions_PinnedToCommit checks that the workflows pin actions to a commit, since an action's owner can move a tag
// to other code.
func TestActions_PinnedToCommit(t *testing.T) {
	pinned := regexp.MustCompile(`^[\w-]+/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	files, err := filepath.Glob("../../.github/workflows/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("there are no workflows: %v", err)
	}
	for _, file := range files {
		uses := regexp.MustCompile(`(?m)uses: (.*)$`).FindAllStringSubmatch(read(t, file), -1)
		if len(uses) == 0 {
			t.Errorf("%s uses no action", file)
		}
		for _, use := range uses {
			if !pinned.MatchString(use[1]) {
				t.Errorf("%s: %s", file, use[1])
			}
		}
	}
}

// TestInstaller_AutostartMatchesSettings checks that the installer and the app's settings write the same registry value
// to start VoxPilot at login.
func TestInstaller_AutostartMatchesSettings(t *testing.T) {
	installer, settings := read(t, "windows/installer.nsi"), read(t, "../../backend/platform/autostart/autostart_windows.go")
	for _, in := range []string{`Software\Microsoft\Windows\CurrentVersion\Run`, `"VoxPilot"`} {
		if !strings.Contains(installer, in) || !strings.Contains(settings, in) {
			t.Errorf("not both have %s", in)
		}
	}
	if !strings.Contains(installer, `'"$INSTDIR\voxpilot.exe" --hidden'`) {
		t.Error("the installer does not start it hidden")
	}
}

func TestReleaseNotes_MatchChangelogSection(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the script is run on Linux")
	}
	changelog := filepath.Join(t.TempDir(), "CHANGELOG.md")
	text := "# Changelog\n\n## Unreleased\n\n- later\n\n## 1.2.0 (2026-11-21)\n\n- one\n\n### Two\n\n## 1.2\n\n- before\n"
	if err := os.WriteFile(changelog, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	notes := func(version string) (string, error) {
		cmd := exec.CommandContext(t.Context(), "./notes.sh", version)
		cmd.Env = append(os.Environ(), "CHANGELOG="+changelog)
		var said strings.Builder
		cmd.Stdout, cmd.Stderr = &said, io.Discard
		err := cmd.Run()
		return strings.TrimSpace(said.String()), err
	}
	if got, err := notes("1.2.0"); err != nil || got != "- one\n\n### Two" {
		t.Errorf("got %q, %v", got, err)
	}
	if got, err := notes("1.2.1"); err == nil {
		t.Errorf("a release without notes has %q", got)
	}
}
