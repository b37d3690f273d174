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

// linkScheme is that of the links that the system opens with VoxPilot.
const linkScheme = "voxpilot:"

// isLink says that a target is an address, and not a folder.
func isLink(target string) bool {
	return strings.HasPrefix(strings.ToLower(target), linkScheme)
}

// chatID is what backend.NewID makes.
var chatID = regexp.MustCompile(`^[a-z0-9]{26}$`)

// navigationOf is what the window shows for a target that VoxPilot was started with:
// nil for none, else a folder, from dir on, or a link. Whoever made a link wants
// something of the user, who did not write it: it leads to a screen and to
// nothing else.
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

// cleanFolder is a folder of the command line as it was meant. Windows reads the end of
// "C:\" as a quote in the name, and no name has one.
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
	case "answer": // one that is good was followed before
		return nil, &backend.Error{
			Code:    backend.CodeInvalid,
			Message: backend.Say("Your answer wasn't used. VoxPilot accepts an answer from a notification only while that notification is open. Requests waiting for you are in the window."),
		}
	case "chat":
		if id, ok := strings.CutPrefix(path, "/"); ok && chatID.MatchString(id) && len(query) == 0 {
			return &backend.Navigation{For: backend.NavigateChat, ChatID: id}, nil
		}
		return nil, invalid(backend.Say("The link doesn't name a valid chat."))
	case "new":
		folders := query["folder"]
		if path != "" || len(folders) > 1 || len(query) > len(folders) {
			break
		}
		if len(folders) == 0 {
			return &backend.Navigation{For: backend.NavigateNewChat}, nil
		}
		// Looking at a folder of another computer would tell that who the user is.
		if !filepath.IsAbs(folders[0]) || isRemote(folders[0]) {
			return nil, invalid(backend.Say("The link must contain the full path of a folder on this computer."))
		}
		folder, err := workspace.Resolve(folders[0])
		if err != nil {
			return nil, err
		}
		return &backend.Navigation{For: backend.NavigateNewChat, Folder: folder}, nil
	}
	return nil, invalid(backend.Say("It asks for something that links can't do."))
}

// isRemote says that a path may lead to another computer, as those of Windows can:
// all that do not begin with the letter of a drive.
func isRemote(path string) bool {
	if drive := filepath.VolumeName(path); runtime.GOOS == "windows" && (len(drive) != 2 || drive[1] != ':') {
		return true
	}
	return len(path) > 1 && os.IsPathSeparator(path[0]) && (path[1] == '/' || path[1] == '\\')
}
