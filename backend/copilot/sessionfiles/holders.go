package sessionfiles

import (
	"errors"
	"io"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"time"

	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/internal/process"
)

// claim matches the name of the file that a process of the CLI creates to mark a session as open. The number is the
// process's PID.
var claim = regexp.MustCompile(`^inuse\.([1-9][0-9]{0,9})\.lock$`)

// maxEntries is the maximum number of files that are listed in the folder of a session.
const maxEntries = 10_000

// clockSlack is the tolerance for comparing the start of a process with the time of its claim. Both times are rounded,
// so the process may seem to have started after the claim.
const clockSlack = 2 * time.Second

// Holders returns the running programs that have the session open, including VoxPilot's own agents, in the order of
// their PIDs. If home is "", the CLI's default home is used. The result is empty if the session doesn't exist or can't
// be read.
func Holders(home, id string) []backend.SessionHolder {
	return HoldersExcept(home, id, func(int) bool { return false })
}

// OtherHolders is like Holders, but without VoxPilot's own agents.
func OtherHolders(home, id string) []backend.SessionHolder {
	return HoldersExcept(home, id, process.IsOwn)
}

// HoldersExcept is like Holders, but without the processes for which skip returns true. skip is called with the PIDs of
// running processes.
//
// The CLI creates a claim when it creates a session, or when it receives the first prompt after loading one. It removes
// the claim when it closes the session or exits. The claim of a killed process stays. A claim doesn't count if no
// process has the PID, or if that process started later than the claim, runs as another user or verifiably doesn't have
// the session open (hasOpen).
func HoldersExcept(home, id string, skip func(pid int) bool) []backend.SessionHolder {
	if !sessionID.MatchString(id) {
		return nil
	}
	root, err := os.OpenRoot(filepath.Join(HomeDir(home), "session-state"))
	if err != nil {
		return nil
	}
	defer root.Close()
	found, _ := holders(root, id, skip)
	return found
}

// HasOpen reports whether the process with the given PID has a session in home open. known is false if this can't be
// determined.
func HasOpen(home, id string, pid int) (is, known bool) {
	if !sessionID.MatchString(id) {
		return false, false
	}
	root, err := os.OpenRoot(filepath.Join(HomeDir(home), "session-state"))
	if err != nil {
		return false, false
	}
	defer root.Close()
	return hasOpen(root, id, pid)
}

// holders is like HoldersExcept, for a session in root, the folder of all sessions. claimed reports whether there is
// any claim.
func holders(root *os.Root, id string, skip func(pid int) bool) (found []backend.SessionHolder, claimed bool) {
	names, err := claimsIn(root, id)
	if err != nil {
		return nil, false
	}
	for _, name := range names {
		info, err := root.Lstat(path.Join(id, name))
		if err != nil || !info.Mode().IsRegular() {
			continue
		}
		pid, err := strconv.ParseInt(claim.FindStringSubmatch(name)[1], 10, 32)
		if err != nil {
			continue
		}
		p, ok := process.Look(int(pid))
		if !ok || p.Started.After(info.ModTime().Add(clockSlack)) {
			continue
		}
		if user := ownerOf(info); user >= 0 && p.User >= 0 && user != p.User {
			continue
		}
		if skip(int(pid)) {
			continue
		}
		if is, known := hasOpen(root, id, int(pid)); known && !is {
			continue
		}
		found = append(found, backend.SessionHolder{
			PID: int(pid), StartedAt: backend.Millis(p.Started.UnixMilli()), Program: p.Program, Terminal: p.Terminal,
		})
	}
	slices.SortFunc(found, func(a, b backend.SessionHolder) int { return a.PID - b.PID })
	return found, len(names) > 0
}

// claimsIn returns the names of the claims in the folder of a session.
func claimsIn(root *os.Root, id string) (names []string, err error) {
	if info, err := root.Lstat(id); err != nil || !info.IsDir() {
		return nil, err
	}
	dir, err := root.OpenFile(id, os.O_RDONLY|openFlags, 0)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	all, err := dir.Readdirnames(maxEntries)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return slices.DeleteFunc(all, func(name string) bool { return !claim.MatchString(name) }), nil
}
