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

// inJob returns the running processes in the agent's job: the agent and its descendants.
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

// shells are the programs in which agents run commands.
var shells = []string{"cmd.exe", "powershell.exe", "pwsh.exe", "bash.exe", "sh.exe"}

// Works reports whether the agent is running a command. On Windows, a command differs from the agent's
// own helpers only in that it runs in a shell. An agent with a helper in a shell therefore also counts
// as running a command.
func (p *Process) Works() bool {
	return slices.ContainsFunc(p.inJob(), func(q windows.ProcessEntry32) bool {
		return q.ProcessID != uint32(p.PID) && slices.Contains(shells, strings.ToLower(exeOf(q)))
	})
}

func exeOf(e windows.ProcessEntry32) string { return windows.UTF16ToString(e.ExeFile[:]) }

// List returns the agent and its descendants. commandLine formats the agent's
// arguments; for the other processes only the program name is available.
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

// memoryCounters is the Windows structure PROCESS_MEMORY_COUNTERS.
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

// memoryOf returns the resident memory of a process in bytes, or 0 if the system doesn't report it.
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

// startOf returns the start time of the process, or "" if unknown.
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

// reap stops the process of the record and returns the number of processes that it stopped. This number is usually 0:
// when VoxPilot exited, the process's job killed the process and all its descendants, unless the process couldn't be
// assigned to a job.
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
		return 0 // the pid was reused
	}
	if state, err := windows.WaitForSingleObject(h, 0); err != nil || state == windows.WAIT_OBJECT_0 {
		return 0 // it has already exited
	}
	if windows.TerminateProcess(h, 1) != nil {
		return 0
	}
	_, _ = windows.WaitForSingleObject(h, uint32(graceTERM.Milliseconds()))
	return 1
}
