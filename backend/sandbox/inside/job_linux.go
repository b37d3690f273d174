// Package inside describes the job of the first process of a sandbox, which is implemented by package first. VoxPilot
// does as much of the work as possible in advance and encodes the rest as a job, because the first process runs for
// every command.
package inside

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Values of the program's first argument. Each starts a function of package first.
const (
	RunArg    = "sandbox-run"    // run the job on the descriptor JobFD
	StartArg  = "sandbox-start"  // start bubblewrap for the run in the folder that follows
	LaunchArg = "sandbox-launch" // ask VoxPilot to run the command with the key that follows
)

// File descriptors that bubblewrap passes to the first process.
const (
	AliveFD = 3 // the FIFO that is open while the sandbox's first process exists
	JobFD   = 4 // the encoded Job
)

// Files in the folder of a run that are opened as AliveFD and JobFD.
const (
	AliveFile = "alive"
	JobFile   = "job"
)

// LauncherPath is the path of a socket in an agent's sandbox. Through this socket, the agent makes VoxPilot start
// commands.
//
// A client sends a key together with its three standard streams. Later, it may send signals for the command, as numbers
// of one byte each. VoxPilot runs the command, sends its exit code as one byte, and closes the connection. If the
// client disconnects first, VoxPilot kills the command.
const LauncherPath = "/run/voxpilot/launcher"

// KeySize is the length of a key in bytes.
const KeySize = 26

// Started is the text that a run writes to AliveFile before bubblewrap starts. It is followed by three values,
// separated by periods: the process ID of bubblewrap, the name of the PID namespace (as in /proc/PID/ns/pid), and the
// ID of the namespace's first process.
const Started = "s"

// Blocked is the URL for which the proxy returns a JSON list of the hosts that it has blocked.
const Blocked = "http://voxpilot.sandbox/blocked"

// MountKind is the kind of a mount.
type MountKind byte

// The kinds of mounts.
const (
	ReadOnly MountKind = 'r' // mounts From at another path, read-only
	Writable MountKind = 'w' // mounts From at another path, writable
	Empty    MountKind = 'e' // an empty folder, read-only
)

// Mount is a mount that the first process makes in the sandbox.
type Mount struct {
	Kind MountKind
	From string // the path to mount, as it is before any of the mounts; "" if Kind is Empty
	At   string // the path in the sandbox, which contains no links
	// Optional means that the mount is skipped if At doesn't exist or the user can't access it.
	Optional bool
}

// Relay is a port on 127.0.0.1 in the sandbox. Connections to it are forwarded through the proxy.
type Relay struct {
	Port int
	To   int // the port on 127.0.0.1 outside, or 0 for the proxy itself
}

// Job describes the work of a sandbox's first process. No field may contain a NUL.
type Job struct {
	// Mounts holds the mounts in order. A folder comes before the mounts inside it.
	Mounts []Mount
	// Proc means that a new /proc is mounted, with only the processes in the sandbox.
	Proc bool
	// Root means that the parts of /proc that root can change even without privileges are hidden. The user may be root
	// outside the sandbox and have a different user ID inside.
	Root bool
	// Env is the command's environment ("NAME=value"). If it is empty, the command inherits the first process's
	// environment.
	Env     []string
	Command []string // the program's path, its name and its arguments
	// Note is the line that is shown to the model if the command fails or the proxy blocked hosts, or "" for no line. If
	// the proxy blocked hosts, NoteBlocked follows the line, with the hosts in place of "%s".
	Note, NoteBlocked string
	Proxy             string // path of the proxy's Unix socket, or ""
	Relays            []Relay
	// Write lists the folders to which Landlock lets the command write, and Sockets lists the Unix sockets to which it
	// lets the command connect. If Write is empty, Landlock only blocks abstract sockets and signals: restricting writes
	// would also prevent mounting, which a nested sandbox needs.
	Write, Sockets []string
	// NoUserNS means that the command can't create user namespaces.
	NoUserNS bool
	// Hide means that other processes in the sandbox can't read the command's memory and environment.
	Hide bool
}

// Encode returns the job as the content of JobFile. The content consists of fields "name=value", each of which ends
// with a NUL, in the order in which the first process reads them. Encode returns an error if a field contains a NUL.
func (j Job) Encode() ([]byte, error) {
	var b bytes.Buffer
	var err error
	add := func(name string, values ...string) {
		for _, v := range values {
			if strings.ContainsRune(v, 0) {
				err = fmt.Errorf("a null character in %q", v)
			}
			b.WriteString(name + "=" + v + "\x00")
		}
	}
	for _, m := range j.Mounts {
		add("from", string(m.Kind)+m.From)
		add("at", m.At)
		if m.Optional {
			add("optional", "")
		}
	}
	add("command", j.Command...)
	add("env", j.Env...)
	add("note", j.Note)
	add("blocked", j.NoteBlocked)
	add("proxy", j.Proxy)
	for _, r := range j.Relays {
		add("relay", fmt.Sprintf("%d:%d", r.Port, r.To))
	}
	rights, rules := landlock(Landlock(), j.Write, j.Sockets)
	add("rule", rules...)
	if rights != "" {
		add("landlock", rights)
	}
	if j.NoUserNS && filter() != "" {
		add("filter", filter())
	}
	for name, is := range map[string]bool{"proc": j.Proc, "root": j.Root, "hide": j.Hide} {
		if is {
			add(name, "")
		}
	}
	add("end", "")
	return b.Bytes(), err
}

// Decode returns the fields of an encoded job that the first process needs after the C part has ended. It returns an
// error if data is incomplete or contains an invalid relay.
func Decode(data []byte) (j Job, err error) {
	for field := range bytes.SplitSeq(data, []byte{0}) {
		name, value, _ := strings.Cut(string(field), "=")
		switch name {
		case "command":
			j.Command = append(j.Command, value)
		case "env":
			j.Env = append(j.Env, value)
		case "note":
			j.Note = value
		case "blocked":
			j.NoteBlocked = value
		case "proxy":
			j.Proxy = value
		case "relay":
			var r Relay
			if _, err := fmt.Sscanf(value, "%d:%d", &r.Port, &r.To); err != nil {
				return j, err
			}
			j.Relays = append(j.Relays, r)
		case "end":
			return j, nil
		}
	}
	return j, errors.New("the job isn't complete")
}
