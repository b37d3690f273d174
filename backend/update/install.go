package update

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/voxpilot/voxpilot/backend"
)

// A Package is a version that was downloaded and verified.
type Package struct {
	Version string
	Path    string
	Into    Installation

	asset Asset
	dir   string
	from  string // the version that runs
}

// Ready is the version that waits to be installed.
func (u *Updater) Ready() (*Package, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.now.State != backend.UpdateReady {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("No update is ready to install. Download it first.")}
	}
	return &Package{
		Version: u.latest.Version, Path: u.path(), Into: u.Install, asset: u.asset, dir: u.Dir, from: u.Version,
	}, nil
}

// Failed says that a Package could not be installed.
func (u *Updater) Failed(p *Package, err error) {
	u.Log.Error("VoxPilot could not install an update", "version", p.Version, "err", err)
	what := backend.Say("Couldn't install VoxPilot %s. You're still on this version.", p.Version)
	message := what
	var told *backend.Error
	switch {
	case errors.As(err, &told):
		message = told.Message
	case errors.As(err, new(writeError)), errors.Is(err, errChecksum), errors.Is(err, errFormat):
		message = explain(what, err).Message
	}
	u.set(func(now *backend.Update) { now.State, now.Message = backend.UpdateFailed, message })
}

// Prepare does all that can be done while VoxPilot runs: it verifies the file
// again, and unpacks the program beside the one that runs and has it say its
// version, so that one which cannot run on this computer replaces nothing. On
// macOS it opens the image: the user does the rest, and quit is false.
func (p *Package) Prepare(ctx context.Context) (quit bool, err error) {
	if err := verify(p.Path, p.asset); err != nil {
		return false, err
	}
	switch p.Into.Format {
	case FormatImage:
		return false, exec.CommandContext(ctx, "/usr/bin/open", p.Path).Run()
	case FormatTar, FormatZip:
		if err := p.unpack(ctx); err != nil {
			return false, errors.Join(err, removeIfExists(p.fresh()))
		}
	default: // the installer does it
	}
	return true, nil
}

// fresh and old are the new program before it replaces the one that runs, and
// that one afterwards.
func (p *Package) fresh() string { return p.Into.Program + ".new" }
func (p *Package) old() string   { return p.Into.Program + ".old" }

const tryTime = time.Minute

func (p *Package) unpack(ctx context.Context) error {
	file, err := os.OpenFile(p.fresh(), os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o755)
	if err != nil {
		return writeError{err}
	}
	err = extract(p.Path, p.Into.Format, file)
	if err := errors.Join(err, file.Chmod(0o755), file.Sync(), file.Close()); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, tryTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.fresh(), "--version")
	cmd.WaitDelay = time.Second
	hide(cmd)
	said, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(said)+"\n", " "+p.Version+"\n") {
		return &backend.Error{
			Code:    backend.CodeUnavailable,
			Message: backend.Say("VoxPilot %s doesn't run on this computer. You're still on this version.", p.Version),
			Detail:  fmt.Sprintf("%v: %s", err, said),
		}
	}
	return nil
}

// installRecord is there while a new version has not yet said that it has started
// well.
type installRecord struct {
	Version string `json:"version"`
	Old     string `json:"old"` // what it replaced
}

const installRecordName = "installing.json"

// startTime is how long the version that was replaced watches over the new one.
const startTime = 2 * time.Minute

// Install replaces the program and starts the new one. It is called when VoxPilot
// has ended but for this: its data is closed. It returns when the new version
// has opened its data, or runs without having done so for a while. One that ends
// before is replaced by this version again, which is started, unless canReturn
// says that it could not read the data any more.
func (p *Package) Install(env []string, canReturn func() bool, log *slog.Logger) error {
	marker := filepath.Join(p.dir, installRecordName)
	err := removeIfExists(p.old()) // one of an update before this would be put back
	if err != nil {
		return errors.Join(err, p.restart(env, log))
	}
	err = writeJSON(marker, installRecord{Version: p.Version, Old: p.old()})
	if err == nil {
		err = p.replace()
	}
	if err != nil {
		return errors.Join(err, p.rollBack(err, env, log))
	}
	program := p.command(env)
	if err = program.Start(); err != nil {
		return errors.Join(err, p.rollBack(err, env, log))
	}
	log.Info("the new version was started", "version", p.Version, "pid", program.Process.Pid)
	ended := make(chan error, 1)
	go func() { ended <- program.Wait() }()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	late := time.NewTimer(startTime)
	defer late.Stop()
	for {
		select {
		case <-look.C:
			if _, err := os.Stat(marker); errors.Is(err, fs.ErrNotExist) {
				return nil
			}
		case <-late.C:
			log.Warn("the new version runs, and has not opened its data yet", "version", p.Version)
			return nil
		case err := <-ended:
			if _, missing := os.Stat(marker); err == nil || errors.Is(missing, fs.ErrNotExist) {
				return nil // it had started well, or the user has quit it
			}
			if !canReturn() {
				log.Error("the new version ended while it started; its data is of its own kind already, so it stays", "version", p.Version, "err", err)
				return err
			}
			return errors.Join(err, p.rollBack(err, env, log))
		}
	}
}

// command is the installed program, whichever version that is.
func (p *Package) command(env []string) *exec.Cmd {
	cmd := exec.Command(p.Into.Program) //nolint:noctx // it outlives us
	cmd.Env = env
	return cmd
}

// replace puts the new program into the place of the one that runs. Where it can,
// there is one at every moment.
func (p *Package) replace() error {
	setup := ""
	if p.Into.Format == FormatSetup { // a while ago it was what was signed
		copied, remove, err := verifiedCopy(p.dir, p.Path, p.asset)
		if err != nil {
			return err
		}
		defer remove()
		setup = copied
	}
	err := errors.ErrUnsupported
	if runtime.GOOS != "windows" { // where a program that runs can be moved and not replaced
		err = os.Link(p.Into.Program, p.old())
	}
	if err != nil {
		err = os.Rename(p.Into.Program, p.old())
	}
	if err != nil {
		return err
	}
	if p.Into.Format == FormatSetup {
		return runSetup(setup, filepath.Dir(p.Into.Program))
	}
	if err := os.Rename(p.fresh(), p.Into.Program); err != nil {
		return err
	}
	syncDir(filepath.Dir(p.Into.Program))
	return nil
}

// rollBack puts the version before into its place again, and starts it.
func (p *Package) rollBack(why error, env []string, log *slog.Logger) error {
	log.Error("the new version does not start; the one before is put back", "version", p.Version, "err", why)
	err := os.Rename(p.old(), p.Into.Program)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // it was not moved
	}
	syncDir(filepath.Dir(p.Into.Program))
	// Two names of one file are still both there.
	return errors.Join(err, removeIfExists(p.old()), removeIfExists(filepath.Join(p.dir, installRecordName)), p.restart(env, log))
}

// restart starts the version that was to be replaced, which tells the user that it
// was not.
func (p *Package) restart(env []string, log *slog.Logger) error {
	k := readState(p.dir, log)
	k.Failed = backend.Say("VoxPilot %s didn't start, so %s was restored. Your chats aren't affected.", p.Version, p.from).Stored(false)
	return errors.Join(k.write(p.dir), removeIfExists(p.fresh()), p.command(env).Start())
}

// confirm says that this version has started well: what it replaced goes. It is
// what the version before waits for.
func (u *Updater) confirm() {
	marker := filepath.Join(u.Dir, installRecordName)
	var now installRecord
	data, err := os.ReadFile(marker)
	if err == nil {
		err = json.Unmarshal(data, &now)
	}
	if err == nil && now.Version == u.Version {
		u.state.Old = now.Old
		u.Log.Info("this version was installed as an update and has started")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		if err := os.Remove(marker); err != nil {
			u.Log.Warn("what is kept of an installation cannot be removed", "err", err)
		}
	}
	if u.state.Old != "" && removeIfExists(u.state.Old) == nil {
		u.state.Old = ""
		u.save()
	}
}

// canReplace says why the program at a path could not be replaced.
func canReplace(program string) error {
	file, err := os.CreateTemp(filepath.Dir(program), ".voxpilot-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// removeIfExists removes a file, if it is there.
func removeIfExists(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// extract copies the program out of an archive.
func extract(path string, form PackageFormat, to io.Writer) error {
	program, closeAll, err := programIn(path, form)
	if err != nil {
		return err
	}
	n, err := io.Copy(writer{to}, io.LimitReader(program, maxAsset))
	if err := errors.Join(err, closeAll()); err != nil {
		return err
	}
	if n == maxAsset {
		return errTooMuch
	}
	return nil
}

// writer marks errors as those of the disk.
type writer struct{ io.Writer }

func (w writer) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		err = writeError{err}
	}
	return n, err
}
