package agent

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is the job object that the process and all it starts belong to. Closing
// it, or the end of VoxPilot, ends them all.
type tree struct {
	mu  sync.Mutex
	job windows.Handle
}

// command is path with no window, in a process group of its own, and suspended
// until it is in its job.
func (p *process) command(path string, args []string) (*exec.Cmd, error) {
	cmd := exec.Command(path, args...) //nolint:noctx // it ends by the ladder, not by a context
	cmd.SysProcAttr = &syscall.SysProcAttr{
		HideWindow:    true,
		CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW | windows.CREATE_SUSPENDED,
	}
	return cmd, nil
}

func (*tree) lockThread() (unlock func()) { return func() {} }

// adopt puts the suspended process into a job and lets it run.
func (p *process) adopt() error {
	err := p.intoJob()
	if err == nil {
		err = resume(uint32(p.cmd.Process.Pid))
	}
	if err != nil {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
		p.closeJob()
		return fmt.Errorf("putting the process into a job: %w", err)
	}
	return nil
}

func (p *process) intoJob() error {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return err
	}
	p.tree.job = job
	info := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		return err
	}
	h, err := windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.cmd.Process.Pid))
	if err != nil {
		return err
	}
	defer func() { _ = windows.CloseHandle(h) }()
	return windows.AssignProcessToJobObject(job, h)
}

// resume lets the threads of a suspended process run.
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

// terminate is what comes before the kill on other systems; Windows has no
// signal that a process without a console could be sent.
func (p *process) terminate() {}

// killTree ends the process and all it started.
func (p *process) killTree() {
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	if p.tree.job != 0 {
		_ = windows.TerminateJobObject(p.tree.job, 1)
	}
	_ = p.cmd.Process.Kill()
}

// sweep ends what an agent that is gone left behind.
func (p *process) sweep() {
	if p.remote() {
		return
	}
	p.tree.mu.Lock()
	defer p.tree.mu.Unlock()
	if p.tree.job != 0 {
		_ = windows.TerminateJobObject(p.tree.job, 1)
	}
	p.closeJob()
}

func (p *process) closeJob() {
	if p.tree.job != 0 {
		_ = windows.CloseHandle(p.tree.job)
		p.tree.job = 0
	}
}

func signalOf(*os.ProcessState) string { return "" }

func sameVar(a, b string) bool { return strings.EqualFold(a, b) }
