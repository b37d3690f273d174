package setup

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/hostname"
)

// CheckSandbox returns an error if a chat's sandbox is invalid.
func CheckSandbox(s backend.Sandbox) error {
	return checkPolicy(s.Network, s.Write, s.Sites, true)
}

// checkSandboxSettings returns an error if the sandbox settings are invalid.
func checkSandboxSettings(s backend.SandboxSettings) error {
	if s.WhenBlocked != backend.BlockedAsk && s.WhenBlocked != backend.BlockedKeep {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Choose what happens when a command tries to connect to a site that isn't listed."), Detail: string(s.WhenBlocked)}
	}
	if i := slices.IndexFunc(s.Ports, func(port int) bool { return port < 1 || port > 65535 }); i >= 0 {
		return backend.Invalid("%d isn't a port. Enter a number from 1 to 65535.", s.Ports[i])
	}
	return checkPolicy(s.Network, slices.Concat(s.Write, s.Hidden), s.Sites, false)
}

// checkPolicy returns an error if the network setting, a place or a site is invalid. If ofChat is true, these belong to
// one chat's sandbox. In that case, places must be full paths, and the network setting may be "".
func checkPolicy(network backend.SandboxNetwork, places, sites []string, ofChat bool) error {
	known := []backend.SandboxNetwork{backend.NetworkOff, backend.NetworkSites, backend.NetworkOn}
	if !slices.Contains(known, network) && (!ofChat || network != "") {
		return &backend.Error{Code: backend.CodeInvalid, Message: backend.Say("Unknown network setting."), Detail: string(network)}
	}
	for _, place := range places {
		if inHome := place == "~" || strings.HasPrefix(place, "~/"); !filepath.IsAbs(place) && (ofChat || !inHome) {
			return backend.Invalid("%s isn't a full path. Enter a full path.", place)
		}
	}
	if i := slices.IndexFunc(sites, func(site string) bool { return hostname.Pattern(site) == "" }); i >= 0 {
		return backend.Invalid("%s isn't a site. Enter a host, such as example.com or *.example.com.", sites[i])
	}
	return nil
}
