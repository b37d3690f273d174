package sandbox_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"net/netip"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/internal/need"
	"github.com/voxpilot/voxpilot/internal/process"
)

// computerVar is the environment variable that is set in a process that simulates a computer.
const computerVar = "HOSTILE_COMPUTER"

// resultMark is the prefix of the lines in which a test on a simulated computer reports its results to the original
// test.
const resultMark = "RESULT: "

// secretVar is the environment variable that contains the common prefix of all secrets. The prefix itself is secret,
// too.
const secretVar = "HOSTILE_SECRET"

// States of a simulated computer. The value of computerVar starts with one of them.
const (
	preparing = "preparing"
	ready     = "ready"
)

// exitNoComputer is the exit code of a process that couldn't set up its simulated computer.
const exitNoComputer = 78

func TestMain(m *testing.M) {
	process.ExecIfRequested()
	switch os.Getenv(computerVar) {
	case preparing:
		if err := errors.Join(makeComputer(), startAgain()); err != nil {
			fmt.Println(err)
			os.Exit(exitNoComputer)
		}
	case ready:
		// The first process of a PID namespace ignores signals from that namespace unless it handles them. Go handles
		// some and exits.
		signals := make(chan os.Signal, 8)
		signal.Notify(signals, syscall.SIGHUP, syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGABRT)
		go func() {
			for range signals {
			}
		}()
	}
	os.Exit(m.Run())
}

// startAgain re-executes this program without ambient capabilities, so that the program has no capabilities unless its
// user is root.
func startAgain() error {
	runtime.LockOSThread()
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return err
	}
	return syscall.Exec(os.Args[0], os.Args, append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, computerVar+"=") }), computerVar+"="+ready))
}

// onComputer runs the test again in a new process, which is the first one on a simulated computer. Successful attacks
// do no harm there: the computer has its own processes, network, host name, home folder, /etc, /dev, /run and temporary
// folders, and everything else is read-only. In the new process, inside is true. In the original one, inside is false,
// and results holds the results that the new process reported.
func onComputer(t *testing.T, uid int) (inside bool, results []string) {
	t.Helper()
	if os.Getenv(computerVar) == ready {
		return true, nil
	}
	need.Programs(t, "bwrap", "bash", "git", "python3", "cp")
	cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^"+strings.ReplaceAll(t.Name(), "/", "$/^")+"$", "-test.v", "-test.timeout=30m")
	cmd.Env = append(os.Environ(), computerVar+"="+preparing, secretVar+"=hunter2-"+rand.Text()[:10])
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: uid, HostID: os.Getgid(), Size: 1}},
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN},
		Pdeathsig:   syscall.SIGKILL,
	}
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	err := cmd.Run()
	out := output.Bytes()
	for line := range strings.Lines(string(out)) {
		if _, text, ok := strings.Cut(line, resultMark); ok {
			results = append(results, strings.TrimSpace(text))
		}
	}
	var exit *exec.ExitError
	switch {
	case err == nil && strings.Contains(string(out), "--- SKIP"):
		t.Skipf("in the namespace: %s", out)
	case err == nil:
		t.Logf("in the namespace: %s", out)
	case errors.As(err, &exit) && exit.ExitCode() != exitNoComputer:
		t.Errorf("in the namespace: %v\n%s", err, out)
	default:
		need.Missing(t, "namespaces of users: %v\n%s", err, out)
	}
	return false, results
}

// report passes a result from the test on the simulated computer to the original test.
func report(format string, args ...any) { fmt.Printf("\n"+resultMark+format+"\n", args...) }

// Paths on the simulated computer.
const (
	home = "/srv/me" // of the simulated computer's user; the real home folders are read-only
	// stage is the folder in which other folders are prepared before they are mounted at their final paths.
	stage = "/mnt"
)

// Network addresses of the simulated computer.
const (
	lanAddress  = "10.9.8.8"
	resolver    = "10.9.8.53"
	metaAddress = "169.254.169.254"
)

// changing lists the writable folders of the simulated computer other than home. All folders but /etc and /dev are
// empty at first. The tests compare the state of home and of these folders before and after attacks.
var changing = []string{"/etc", "/dev", "/run", "/tmp", "/var/tmp", "/var/spool", "/usr/local/sbin", "/sys/fs/cgroup"}

// makeComputer sets up the simulated computer for this process, which must be in separate namespaces.
func makeComputer() error {
	me, err := os.Executable()
	if err != nil {
		return err
	}
	binary, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		return err
	}
	steps := []func() error{
		func() error { return unix.Mount("none", "/", "", unix.MS_REC|unix.MS_PRIVATE, "") },
		func() error {
			return unix.MountSetattr(unix.AT_FDCWD, "/", unix.AT_RECURSIVE, &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY})
		},
		func() error { return unix.Mount("proc", "/proc", "proc", 0, "") },
		func() error { return unix.Mount("stage", stage, "tmpfs", 0, "mode=0755") },
		func() error { return unix.Mount("home", filepath.Dir(home), "tmpfs", 0, "mode=0755") },
	}
	for _, dir := range changing {
		if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
			continue
		}
		from := filepath.Join(stage, dir)
		steps = append(steps, func() error { return fill(from, dir) }, func() error { return unix.Mount(from, dir, "", unix.MS_BIND|unix.MS_REC, "") })
	}
	steps = append(steps,
		func() error { return os.MkdirAll(filepath.Dir(me), 0o755) },
		func() error { return os.WriteFile(me, binary, 0o755) }, //nolint:gosec // a program
		func() error { return os.Mkdir(home, 0o755) },
		network,
		func() error { return os.WriteFile("/proc/sys/net/ipv4/ip_unprivileged_port_start", []byte("0"), 0) },
		func() error { return unix.Sethostname([]byte("computer")) })
	for i, step := range steps {
		if err := step(); err != nil {
			return fmt.Errorf("step %d: %w", i, err)
		}
	}
	return nil
}

// fill creates the folder from and adds the files that it needs when it is mounted at dir.
func fill(from, dir string) error {
	if err := os.MkdirAll(from, 0o755); err != nil {
		return err
	}
	switch dir {
	case "/etc":
		// Some files may be unreadable.
		_ = exec.Command("cp", "-a", "/etc/.", from).Run()
		for name, text := range map[string]string{
			"resolv.conf":   "nameserver " + resolver + "\noptions timeout:1 attempts:1\n",
			"hosts":         "127.0.0.1 localhost computer\n::1 localhost\n" + metaAddress + " meta.test\n127.0.0.1 rebind.test\n" + lanAddress + " lan.test allowed.test\n",
			"nsswitch.conf": "hosts: files dns\n", "passwd": fmt.Sprintf("me:x:%d:%d:me:%s:/bin/bash\n", os.Getuid(), os.Getgid(), home), "group": fmt.Sprintf("me:x:%d:\n", os.Getgid()),
		} {
			_ = os.Remove(filepath.Join(from, name))
			if err := os.WriteFile(filepath.Join(from, name), []byte(text), 0o644); err != nil { //nolint:gosec // as it is everywhere
				return err
			}
		}
	case "/dev":
		return devices(from)
	}
	return nil
}

// devices creates the folder that replaces /dev. The folder contains no devices for the disk and the memory; makeHome
// creates plain files in place of these.
func devices(dir string) error {
	for _, name := range []string{"null", "zero", "full", "random", "urandom", "tty", "fuse", "kvm", "net/tun"} {
		if _, err := os.Stat("/dev/" + name); err != nil {
			continue
		}
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, nil, 0o600), unix.Mount("/dev/"+name, at, "", unix.MS_BIND, ""),
			unix.MountSetattr(unix.AT_FDCWD, at, 0, &unix.MountAttr{Attr_clr: unix.MOUNT_ATTR_RDONLY})); err != nil {
			return err
		}
	}
	for _, name := range []string{"pts", "shm", "mqueue"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			return err
		}
	}
	for name, to := range map[string]string{"ptmx": "pts/ptmx", "fd": "/proc/self/fd", "stdin": "fd/0", "stdout": "fd/1", "stderr": "fd/2"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	return unix.Mount("devpts", filepath.Join(dir, "pts"), "devpts", 0, "newinstance,ptmxmode=0666,mode=0620")
}

// network turns on the loopback interface and assigns all addresses of the simulated computer to it.
func network() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	for i, address := range []string{"127.0.0.1", lanAddress, resolver, metaAddress} {
		name := "lo"
		if i > 0 {
			name += ":" + strconv.Itoa(i)
		}
		req, err := unix.NewIfreq(name)
		if err != nil {
			return err
		}
		ip := netip.MustParseAddr(address).As4()
		if err := req.SetInet4Addr(ip[:]); err != nil {
			return err
		}
		if i > 0 {
			if err := unix.IoctlIfreq(fd, unix.SIOCSIFADDR, req); err != nil {
				return fmt.Errorf("%s: %w", address, err)
			}
		}
		req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
		if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req); err != nil {
			return fmt.Errorf("%s: %w", address, err)
		}
	}
	runtime.KeepAlive(fd)
	return nil
}
