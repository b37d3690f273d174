package process

import (
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"

	"github.com/voxpilot/voxpilot/backend"
)

// inJob are the processes in the agent's job: the agent and all that it
// started, whoever of those still runs.
func (p *Process) inJob() []windows.ProcessEntry32 {
	ids := p.tree.job.ids()
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return nil
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	var found []windows.ProcessEntry32
	var e windows.ProcessEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Process32First(snap, &e); err == nil; err = windows.Process32Next(snap, &e) {
		if slices.Contains(ids, uintptr(e.ProcessID)) {
			found = append(found, e)
		}
	}
	return found
}

// shells are what agents run commands in.
var shells = []string{"cmd.exe", "powershell.exe", "pwsh.exe", "bash.exe", "sh.exe"}

// Works says whether a command of the agent's runs. Nothing but its shell tells
// one from what belongs to the agent itself here; so an agent whose own helpers
// run in a shell is taken for one that works.
func (p *Process) Works() bool {
	return slices.ContainsFunc(p.inJob(), func(q windows.ProcessEntry32) bool {
		return q.ProcessID != uint32(p.PID) && slices.Contains(shells, strings.ToLower(exeOf(q)))
	})
}

func exeOf(e windows.ProcessEntry32) string { return windows.UTF16ToString(e.ExeFile[:]) }

// List are the agent and what it started, with the command line of each by what
// commandLine makes of its arguments.
func (p *Process) List(commandLine func(args []string) string) (list []backend.Process) {
	for _, q := range p.inJob() {
		out := backend.Process{PID: int(q.ProcessID), ParentPID: int(q.ParentProcessID), Command: exeOf(q)}
		if q.ProcessID == uint32(p.PID) {
			out.Command = commandLine(p.cmd.Args)
		}
		if h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, q.ProcessID); err == nil {
			out.Memory = memoryOf(h)
			if at, err := createdAt(h); err == nil {
				out.StartedAt = backend.Millis(at.Nanoseconds() / int64(time.Millisecond))
			}
			_ = windows.CloseHandle(h)
		}
		list = append(list, out)
	}
	return list
}

// memoryCounters is PROCESS_MEMORY_COUNTERS.
type memoryCounters struct {
	size                       uint32
	pageFaultCount             uint32
	peakWorkingSetSize         uintptr
	workingSetSize             uintptr
	quotaPeakPagedPoolUsage    uintptr
	quotaPagedPoolUsage        uintptr
	quotaPeakNonPagedPoolUsage uintptr
	quotaNonPagedPoolUsage     uintptr
	pagefileUsage              uintptr
	peakPagefileUsage          uintptr
}

var getProcessMemoryInfo = windows.NewLazySystemDLL("kernel32.dll").NewProc("K32GetProcessMemoryInfo")

// memoryOf is the resident memory of a process; 0 where the system does not
// say.
func memoryOf(h windows.Handle) int64 {
	var c memoryCounters
	c.size = uint32(unsafe.Sizeof(c))
	if ok, _, _ := getProcessMemoryInfo.Call(uintptr(h), uintptr(unsafe.Pointer(&c)), uintptr(c.size)); ok == 0 {
		return 0
	}
	return int64(c.workingSetSize)
}

func createdAt(h windows.Handle) (created windows.Filetime, err error) {
	var exit, kernel, user windows.Filetime
	err = windows.GetProcessTimes(h, &created, &exit, &kernel, &user)
	return created, err
}

// startOf says when the process was started.
func startOf(pid int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(pid))
	if err != nil {
		return ""
	}
	defer func() { _ = windows.CloseHandle(h) }()
	at, err := createdAt(h)
	if err != nil {
		return ""
	}
	return strconv.FormatInt(at.Nanoseconds(), 10)
}

// reap ends what the record is of. Its job has ended it with VoxPilot, together
// with all that it started, unless it could not be put into one.
func (r record) reap() int {
	if r.PID == 0 || r.Start == "" {
		return 0
	}
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION|windows.PROCESS_TERMINATE|windows.SYNCHRONIZE, false, uint32(r.PID))
	if err != nil {
		return 0
	}
	defer func() { _ = windows.CloseHandle(h) }()
	if at, err := createdAt(h); err != nil || strconv.FormatInt(at.Nanoseconds(), 10) != r.Start {
		return 0 // another process by now
	}
	if state, err := windows.WaitForSingleObject(h, 0); err != nil || state == windows.WAIT_OBJECT_0 {
		return 0 // it has ended already
	}
	if windows.TerminateProcess(h, 1) != nil {
		return 0
	}
	_, _ = windows.WaitForSingleObject(h, uint32(graceTERM.Milliseconds()))
	return 1
}
