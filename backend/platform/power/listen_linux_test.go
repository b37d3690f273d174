package power

import (
	"bufio"
	"context"
	"errors"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/godbus/dbus/v5"
	"golang.org/x/sys/unix"

	"github.com/voxpilot/voxpilot/internal/need"
)

func TestMain(m *testing.M) {
	if os.Getenv(networkVar) != "" {
		moveNetwork()
	}
	os.Exit(m.Run())
}

// logindStub replaces logind on a test bus.
type logindStub struct {
	t          *testing.T
	bus        *dbus.Conn
	mu         sync.Mutex
	inhibitors map[string][]inhibitor // inhibitor locks, by operation
	requests   chan string            // the operation, for every new lock
}

// inhibitor holds the two ends of an inhibitor lock. A read from the stub's end (ours) ends when the lock is released.
type inhibitor struct{ ours, theirs int }

const sessionPath = dbus.ObjectPath("/org/freedesktop/login1/session/_33")

// Inhibit implements logind's method.
func (l *logindStub) Inhibit(what, _, _, mode string) (dbus.UnixFD, *dbus.Error) {
	var pipe [2]int
	err := unix.Pipe2(pipe[:], unix.O_CLOEXEC)
	if err != nil || mode != "delay" {
		return 0, dbus.MakeFailedError(errors.Join(err, errors.New("mode "+mode)))
	}
	l.mu.Lock()
	l.inhibitors[what] = append(l.inhibitors[what], inhibitor{pipe[0], pipe[1]})
	l.mu.Unlock()
	l.requests <- what
	return dbus.UnixFD(pipe[1]), nil
}

// GetSessionByPID implements logind's method.
func (l *logindStub) GetSessionByPID(uint32) (dbus.ObjectPath, *dbus.Error) { return sessionPath, nil }

// systemBus starts a bus that replaces the system bus, with a logindStub on it.
func systemBus(t *testing.T) *logindStub {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "dbus-daemon", "--session", "--nofork", "--print-address")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("make deps-test installs dbus: %v", err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", strings.TrimSpace(address))
	l := &logindStub{t: t, inhibitors: map[string][]inhibitor{}, requests: make(chan string, 100)}
	if l.bus, err = dbus.ConnectSystemBus(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.bus.Close() })
	if err := l.bus.Export(l, "/org/freedesktop/login1", manager); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{logind, network} {
		if _, err := l.bus.RequestName(name, dbus.NameFlagDoNotQueue); err != nil {
			t.Fatal(err)
		}
	}
	return l
}

func (l *logindStub) emit(path dbus.ObjectPath, signal string, values ...any) {
	l.t.Helper()
	if err := l.bus.Emit(path, signal, values...); err != nil {
		l.t.Fatal(err)
	}
}

func (l *logindStub) locked(is bool) {
	l.emit(sessionPath, "org.freedesktop.DBus.Properties.PropertiesChanged", session, map[string]dbus.Variant{"LockedHint": dbus.MakeVariant(is)}, []string{})
}

// waitForInhibitors waits until at least the given number of locks have been requested for an operation, such as
// "sleep".
func (l *logindStub) waitForInhibitors(what string, times int) {
	l.t.Helper()
	for {
		l.mu.Lock()
		n := len(l.inhibitors[what])
		l.mu.Unlock()
		if n >= times {
			return
		}
		select {
		case <-l.requests:
		case <-time.After(time.Minute):
			l.t.Fatalf("nobody asked to be waited for before %s", what)
		}
	}
}

// released closes the stub's copy of the latest lock for an operation, such as "sleep". The client must already have
// received that lock. The returned channel is closed when the client releases the lock.
func (l *logindStub) released(what string) <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.inhibitors[what][len(l.inhibitors[what])-1]
	_ = unix.Close(h.theirs)
	gone := make(chan struct{})
	go func() {
		defer close(gone)
		_, _ = unix.Read(h.ours, make([]byte, 1))
		_ = unix.Close(h.ours)
	}()
	return gone
}

func waitFor(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(time.Minute):
		t.Fatalf("timed out waiting for %s", what)
	}
}

func TestLogind_DelaysSleepUntilSaved(t *testing.T) {
	l := systemBus(t)
	calls, resume := make(chan string, 10), make(chan struct{})
	note := func(name string) func() { return func() { calls <- name } }
	stop := func(name string) func() {
		return func() {
			calls <- name
			<-resume
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		Watch(ctx, Events{Sleep: stop("sleep"), Ending: stop("ending"), Resume: note("resume"), NetworkChanged: note("network"), Unlocked: note("unlocked")}, slog.New(slog.DiscardHandler))
	}()
	next := func(want string) {
		t.Helper()
		select {
		case got := <-calls:
			if got != want {
				t.Fatalf("told %s, want %s", got, want)
			}
		case <-time.After(time.Minute):
			t.Fatalf("timed out waiting for %s", want)
		}
	}
	holds := func(gone <-chan struct{}, what string) {
		t.Helper()
		select {
		case <-gone:
			t.Errorf("the system does not wait for %s", what)
		default:
		}
	}
	const root = dbus.ObjectPath("/org/freedesktop/login1")
	for n := range 2 { // again after a resume
		l.waitForInhibitors("sleep", n+1)
		l.emit(root, manager+".PrepareForSleep", true)
		next("sleep")
		gone := l.released("sleep")
		holds(gone, "what is saved before a sleep")
		resume <- struct{}{}
		waitFor(t, "the computer to be let asleep", gone)
		l.emit(root, manager+".PrepareForSleep", false)
		next("resume")
	}
	l.locked(true)
	l.locked(true)
	l.locked(false)
	next("unlocked")
	l.emit("/org/freedesktop/login1/session/_34", "org.freedesktop.DBus.Properties.PropertiesChanged", session, map[string]dbus.Variant{"LockedHint": dbus.MakeVariant(false)}, []string{})
	l.emit("/org/freedesktop/NetworkManager", network+".StateChanged", uint32(20))
	l.emit("/org/freedesktop/NetworkManager", network+".StateChanged", uint32(70))
	if localAddresses() != "" {
		next("network")
	}
	l.waitForInhibitors("shutdown", 1)
	sendSignal(t, root, manager, "PrepareForShutdown", true)
	l.locked(true)
	l.locked(false)
	next("unlocked") // and not "ending"
	l.emit(root, manager+".PrepareForShutdown", true)
	next("ending")
	gone := l.released("shutdown")
	holds(gone, "what is saved at the end")
	resume <- struct{}{}
	waitFor(t, "the computer to be let down", gone)
	l.emit(root, manager+".PrepareForShutdown", false)
	l.waitForInhibitors("shutdown", 2)
	l.waitForInhibitors("sleep", 3)
	asleep := l.released("sleep")
	cancel()
	waitFor(t, "the end of the watch", ended)
	waitFor(t, "what is held to be let go at the end", asleep)
}

// sendSignal sends a signal directly to every connection on the bus, which any program can do.
func sendSignal(t *testing.T, path dbus.ObjectPath, iface, member string, value any) {
	t.Helper()
	bus, err := dbus.ConnectSystemBus()
	if err != nil {
		t.Fatal(err)
	}
	defer bus.Close()
	var all []string
	if err := bus.BusObject().Call(names+".ListNames", 0).Store(&all); err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if strings.HasPrefix(name, ":") {
			bus.Send(&dbus.Message{
				Type: dbus.TypeSignal,
				Headers: map[dbus.HeaderField]dbus.Variant{
					dbus.FieldDestination: dbus.MakeVariant(name), dbus.FieldPath: dbus.MakeVariant(path),
					dbus.FieldInterface: dbus.MakeVariant(iface), dbus.FieldMember: dbus.MakeVariant(member),
					dbus.FieldSignature: dbus.MakeVariant(dbus.SignatureOf(value)),
				},
				Body: []any{value},
			}, nil)
		}
	}
	// When it responds, the bus has delivered all earlier messages.
	if err := bus.BusObject().Call(names+".GetId", 0).Err; err != nil {
		t.Fatal(err)
	}
}

func TestListen_WithoutSystemBusReportsRest(t *testing.T) {
	t.Setenv("DBUS_SYSTEM_BUS_ADDRESS", "unix:path=/nonexistent")
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	var said strings.Builder
	go func() {
		defer close(ended)
		listen(ctx, func(eventKind) {}, slog.New(slog.NewTextHandler(&said, &slog.HandlerOptions{Level: slog.LevelDebug})))
	}()
	cancel()
	waitFor(t, "the end", ended)
	if n := strings.Count(said.String(), "no system bus"); n != 1 {
		t.Errorf("said %d times: %s", n, said.String())
	}
}

// networkVar is the environment variable that makes the test binary run moveNetwork, in a separate network namespace.
const networkVar = "VOXPILOT_POWER_NETWORK"

func TestNetlink_ReportsNetworkChange(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "/proc/self/exe")
	cmd.Env = append(os.Environ(), networkVar+"=1", "DBUS_SYSTEM_BUS_ADDRESS=unix:path=/nonexistent")
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNET,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EINVAL) {
		need.Missing(t, "this system allows no user namespaces: %v", err)
	}
	if err != nil || string(out) != "192.0.2.7 192.0.2.8 " {
		t.Errorf("got %q, %v", out, err)
	}
}

// moveNetwork joins one network and then another. Each time Watch has reported the change, moveNetwork prints the local
// addresses.
func moveNetwork() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	calls := make(chan struct{}, 10)
	nothing := func() {}
	go Watch(ctx, Events{Sleep: nothing, Ending: nothing, Resume: nothing, Unlocked: nothing, NetworkChanged: func() { calls <- struct{}{} }}, slog.New(slog.DiscardHandler))
	for _, address := range []string{"192.0.2.7", "192.0.2.8"} {
		// The watch may not be listening yet.
		for told := false; !told; {
			if err := setAddress(address); err != nil {
				os.Stdout.WriteString(err.Error())
				os.Exit(1)
			}
			select {
			case <-calls:
				told = true
			case <-time.After(3 * time.Second):
				// Watch started listening after the change. It reports only changed addresses, so it needs another
				// change.
				_ = setAddress("192.0.2.6")
				select {
				case <-calls:
				case <-time.After(3 * time.Second):
				case <-ctx.Done():
				}
			case <-ctx.Done():
				os.Exit(2)
			}
		}
		os.Stdout.WriteString(localAddresses())
	}
	os.Exit(0)
}

// setAddress assigns an address to the loopback interface. The address is in the IPv4
// network that localAddresses tries to reach.
func setAddress(address string) error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	r, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	set := func(request uint, a, b, c, d byte) error {
		if err := r.SetInet4Addr([]byte{a, b, c, d}); err != nil {
			return err
		}
		return unix.IoctlIfreq(fd, request, r)
	}
	if err := set(unix.SIOCSIFADDR, 192, 0, 2, address[len(address)-1]-'0'); err != nil {
		return err
	}
	if err := set(unix.SIOCSIFNETMASK, 255, 255, 255, 0); err != nil {
		return err
	}
	r.SetUint16(unix.IFF_UP | unix.IFF_LOOPBACK | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, r)
}
