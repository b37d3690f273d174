// Package inside is the part of the sandbox that runs inside it: a small program that bubblewrap starts as
// the first process of its namespaces, in which everything is read-only. The program mounts the places that
// the command may write to or must not see, and then gives up the right to mount. It adds Landlock and a
// system call filter, forwards connections from 127.0.0.1 to the proxy, runs the command, and explains a
// failure to the model.
//
// bubblewrap could also mount these places, but it reads the list of all mounts for each one. That takes 10
// ms for a typical folder, compared with less than 1 ms for this program. The program is started for each
// command, so this package has few imports.
package inside

import (
	"bytes"
	"errors"
	"strconv"
)

// First arguments that start the functions of this package.
const (
	RunArg    = "sandbox-run"    // run the job on the descriptor JobFD
	StartArg  = "sandbox-start"  // start bubblewrap for the run in the folder that follows
	LaunchArg = "sandbox-launch" // ask VoxPilot to run the command with the key that follows
)

// File descriptors that bubblewrap passes to the program.
const (
	AliveFD = 3 // the FIFO that is open for as long as the first process of the sandbox exists
	JobFD   = 4 // the encoded Job
)

// Files in the folder of a run, one for each descriptor.
const (
	AliveFile = "alive"
	JobFile   = "job"
)

// LauncherPath is the path, in an agent's sandbox, of the socket through which VoxPilot starts commands for
// the agent.
//
// A client sends a key together with its three standard streams, and later the numbers of signals for the
// command, one byte each. VoxPilot runs the command, sends its exit code as one byte, and closes the
// connection. If the client disconnects first, VoxPilot kills the command.
const LauncherPath = "/run/voxpilot/launcher"

// KeySize is the length of a key in bytes.
const KeySize = 26

// Started is the text that a run writes to AliveFile before bubblewrap starts. It is followed, separated by
// periods, by the process ID of bubblewrap, the name of the PID namespace, as in /proc/PID/ns/pid, and the ID of
// its first process.
const Started = "s"

// Blocked is the URL for which the proxy returns a JSON list of the hosts that it blocked.
const Blocked = "http://voxpilot.sandbox/blocked"

// MountKind is the kind of a mount.
type MountKind byte

// The kinds of mounts.
const (
	ReadOnly MountKind = 'r' // another path
	Writable MountKind = 'w' // another path
	Empty    MountKind = 'e' // an empty folder, read-only
)

// Mount is a mount of the sandbox.
type Mount struct {
	Kind MountKind
	From string // the mounted path, as it is before any of the mounts; "" if Kind is Empty
	At   string // the path in the sandbox; it contains no links
	// Optional skips the mount if At doesn't exist or the user can't access it.
	Optional bool
}

// Job describes the work of one sandbox. No field may contain a NUL.
type Job struct {
	// Mounts holds the mounts in order: folders before the places in them.
	Mounts []Mount
	// Proc mounts a new /proc with only the processes of the sandbox.
	Proc bool
	// Root hides the parts of /proc that root can change even without privileges. The user may be root
	// outside and have a different user ID in the sandbox.
	Root bool
	// Env is the command's environment ("NAME=value"). If it is empty, the command inherits that of this
	// process.
	Env     []string
	Command []string // the program's path and its arguments, starting with its name
	// Note is the line shown to the model if the command fails, or "". If the proxy blocked hosts, it is
	// followed by NoteBlocked, in which "%s" stands for the hosts.
	Note, NoteBlocked string
	Proxy             string // path of the proxy's Unix socket, or ""
	Sites             bool   // programs use the proxy
	Ports             []int  // ports on 127.0.0.1 that are connected with those outside
	// Write lists the folders that the command can write to, and Sockets the Unix sockets that it may connect
	// to, for Landlock. If Write is empty, Landlock only blocks abstract sockets and signals: a process that
	// can't write everywhere can't mount anything either, which a nested sandbox must do.
	Write, Sockets []string
	// NoUserNS forbids user namespaces.
	NoUserNS bool
	// Hide hides the command's memory and environment from other processes in the sandbox.
	Hide bool
}

// Encode returns the job as text for Decode.
func (j Job) Encode() []byte {
	var b bytes.Buffer
	add := func(key, value string) { b.WriteString(key + "=" + value + "\x00") }
	for _, m := range j.Mounts {
		add("from", string(m.Kind)+m.From)
		add("at", m.At)
		if m.Optional {
			add("optional", "")
		}
	}
	for _, list := range []struct {
		key    string
		values []string
	}{{"command", j.Command}, {"env", j.Env}, {"write", j.Write}, {"socket", j.Sockets}, {"note", []string{j.Note}}, {"blocked", []string{j.NoteBlocked}}, {"proxy", []string{j.Proxy}}} {
		for _, v := range list.values {
			add(list.key, v)
		}
	}
	for _, port := range j.Ports {
		add("port", strconv.Itoa(port))
	}
	if j.Proc {
		add("proc", "")
	}
	if j.Root {
		add("root", "")
	}
	if j.Sites {
		add("sites", "")
	}
	if j.NoUserNS {
		add("nouserns", "")
	}
	if j.Hide {
		add("hide", "")
	}
	add("end", "")
	return b.Bytes()
}

// Decode returns the job encoded in data. It returns an error if data is incomplete.
func Decode(data []byte) (j Job, err error) {
	for field := range bytes.SplitSeq(data, []byte{0}) {
		key, value, _ := bytes.Cut(field, []byte{'='})
		text := string(value)
		switch string(key) {
		case "from":
			if text == "" {
				return j, errors.New("a mount of no kind")
			}
			j.Mounts = append(j.Mounts, Mount{Kind: MountKind(text[0]), From: text[1:]})
		case "at", "optional":
			if len(j.Mounts) == 0 {
				return j, errors.New("no mount")
			}
			if m := &j.Mounts[len(j.Mounts)-1]; string(key) == "at" {
				m.At = text
			} else {
				m.Optional = true
			}
		case "proc":
			j.Proc = true
		case "root":
			j.Root = true
		case "env":
			j.Env = append(j.Env, text)
		case "command":
			j.Command = append(j.Command, text)
		case "write":
			j.Write = append(j.Write, text)
		case "socket":
			j.Sockets = append(j.Sockets, text)
		case "note":
			j.Note = text
		case "blocked":
			j.NoteBlocked = text
		case "proxy":
			j.Proxy = text
		case "port":
			port, err := strconv.Atoi(text)
			if err != nil {
				return j, err
			}
			j.Ports = append(j.Ports, port)
		case "sites":
			j.Sites = true
		case "nouserns":
			j.NoUserNS = true
		case "hide":
			j.Hide = true
		case "end":
			if len(j.Command) < 2 {
				return j, errors.New("no command")
			}
			return j, nil
		}
	}
	return j, errors.New("the job isn't complete")
}
