package commandline

import (
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"unicode"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/workspace"
	"github.com/voxpilot/voxpilot/internal/realpath"
)

// linkScheme is the scheme of the links that the system opens with VoxPilot.
const linkScheme = "voxpilot:"

// isLink reports whether target is a link rather than a folder.
func isLink(target string) bool {
	return strings.HasPrefix(strings.ToLower(target), linkScheme)
}

// chatID matches the IDs created by backend.NewID.
var chatID = regexp.MustCompile(`^[a-z0-9]{26}$`)

// navigationOf returns the navigation for a target passed at startup: a link, or a folder, which is
// resolved against dir. It returns nil if there is no target or the link only opens the window. Links
// come from untrusted sources, so they only open a screen.
func navigationOf(target, dir string) (*backend.Navigation, error) {
	switch {
	case target == "":
		return nil, nil
	case len(target) > 8192 || strings.ContainsFunc(target, unicode.IsControl):
		return nil, backend.Invalid("This isn't a folder or a link that VoxPilot can open.")
	case isLink(target):
		return navigationOfLink(target)
	}
	if address, err := url.Parse(target); err == nil && address.Scheme == "file" && (address.Host == "" || address.Host == "localhost") {
		target = address.Path
	}
	folder, err := workspace.Resolve(realpath.Join(dir, cleanFolder(target, runtime.GOOS == "windows")))
	if err != nil {
		return nil, err
	}
	return &backend.Navigation{For: backend.NavigateNewChat, Folder: folder}, nil
}

// cleanFolder returns a folder argument as the user meant it. In an argument such as
// "C:\", Windows parses the end as a literal quote, which no folder name contains.
func cleanFolder(target string, windows bool) string {
	if rest, is := strings.CutSuffix(target, `"`); is && windows {
		return rest + `\`
	}
	return target
}

func navigationOfLink(link string) (*backend.Navigation, error) {
	invalid := func(why backend.Message) error {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("VoxPilot can't open this link. %s", why), Detail: link}
	}
	u, err := url.Parse(link)
	if err != nil || u.Opaque != "" || u.User != nil || u.Fragment != "" || u.Port() != "" {
		return nil, invalid(backend.Say("It isn't a valid VoxPilot link."))
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return nil, invalid(backend.Say("It isn't a valid VoxPilot link."))
	}
	path := strings.TrimSuffix(u.Path, "/")
	switch strings.ToLower(u.Host) {
	case "open":
		if path == "" && len(query) == 0 {
			return nil, nil
		}
	case "answer": // a valid one was handled earlier
		return nil, &backend.Error{
			Code:    backend.CodeInvalid,
			Message: backend.Say("Your answer wasn't used. VoxPilot accepts an answer from a notification only while that notification is open. You can answer pending requests in VoxPilot's window."),
		}
	case "chat":
		if id, ok := strings.CutPrefix(path, "/"); ok && chatID.MatchString(id) && len(query) == 0 {
			return &backend.Navigation{For: backend.NavigateChat, ChatID: id}, nil
		}
		return nil, invalid(backend.Say("The link doesn't point to a valid chat."))
	case "new":
		folders := query["folder"]
		if path != "" || len(folders) > 1 || len(query) > len(folders) {
			break
		}
		if len(folders) == 0 {
			return &backend.Navigation{For: backend.NavigateNewChat}, nil
		}
		// Accessing a folder on another computer would reveal the user's identity to it.
		if !filepath.IsAbs(folders[0]) || isRemote(folders[0]) {
			return nil, invalid(backend.Say("The link must contain the full path of a folder on this computer."))
		}
		folder, err := workspace.Resolve(folders[0])
		if err != nil {
			return nil, err
		}
		return &backend.Navigation{For: backend.NavigateNewChat, Folder: folder}, nil
	}
	return nil, invalid(backend.Say("This action isn't available through links."))
}

// isRemote reports whether a path may be on another computer. On Windows, that is any
// path without a drive letter.
func isRemote(path string) bool {
	if drive := filepath.VolumeName(path); runtime.GOOS == "windows" && (len(drive) != 2 || drive[1] != ':') {
		return true
	}
	return len(path) > 1 && os.IsPathSeparator(path[0]) && (path[1] == '/' || path[1] == '\\')
}
