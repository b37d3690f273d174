package process

import (
	"os"
	"os/exec"
	"sync"
	"unsafe"

	"golang.org/x/sys/windows"
)

// job is the job object of a process. When the job is closed or VoxPilot exits, Windows
// kills all processes in the job.
type job struct {
	mu     sync.Mutex
	handle windows.Handle
}

// adopt assigns a suspended command to the job and resumes the command. If that fails,
// the command is killed.
func (j *job) adopt(cmd *exec.Cmd) error {
	pid := uint32(cmd.Process.Pid)
	err := j.take(pid)
	if err == nil {
		err = resume(pid)
	}
	if err != nil {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		j.close()
		return os.NewSyscallError("putting the process into a job", err)
	}
	return nil
}

func (j *job) take(pid uint32) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	handle, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	j.handle = handle
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(handle, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		return err
	}
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, pid)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return windows.AssignProcessToJobObject(handle, h)
}

// resume resumes the threads of a suspended process.
func resume(pid uint32) error {
	snap, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPTHREAD, 0)
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(snap) }()
	var e windows.ThreadEntry32
	e.Size = uint32(unsafe.Sizeof(e))
	for err = windows.Thread32First(snap, &e); err == nil; err = windows.Thread32Next(snap, &e) {
		if e.OwnerProcessID != pid {
			continue
		}
		t, err := windows.OpenThread(windows.THREAD_SUSPEND_RESUME, false, e.ThreadID)
		if err != nil {
			return err
		}
		_, err = windows.ResumeThread(t)
		_ = windows.CloseHandle(t)
		if err != nil {
			return err
		}
	}
	return nil
}

// ids returns the pids of the job's running processes, at most 4,096. It returns none if the system doesn't report
// them.
func (j *job) ids() []uintptr {
	j.mu.Lock()
	defer j.mu.Unlock()
	// list is a JOBOBJECT_BASIC_PROCESS_ID_LIST with enough room for the descendants of an agent.
	var list struct {
		assigned, listed uint32
		ids              [4096]uintptr
	}
	if j.handle != 0 {
		_ = windows.QueryInformationJobObject(j.handle, windows.JobObjectBasicProcessIdList,
			uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	}
	return list.ids[:list.listed]
}

// terminate kills all processes of the job.
func (j *job) terminate() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.TerminateJobObject(j.handle, 1)
	}
}

// close closes the job and kills its processes.
func (j *job) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.handle != 0 {
		_ = windows.CloseHandle(j.handle)
		j.handle = 0
	}
}
