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

// A Package is a downloaded and verified version of VoxPilot.
type Package struct {
	Version string
	Path    string
	Into    Installation // the installation to update

	asset Asset
	dir   string
	from  string // the running version
}

// Ready returns the version that is ready to be installed, or an error if no version has been
// downloaded.
func (u *Updater) Ready() (*Package, error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.now.State != backend.UpdateReady {
		return nil, &backend.Error{Code: backend.CodeUnavailable, Message: backend.Say("The update hasn't been downloaded yet. Download it first.")}
	}
	return &Package{
		Version: u.latest.Version, Path: u.path(), Into: u.Install, asset: u.asset, dir: u.Dir, from: u.Version,
	}, nil
}

// Failed records that a Package couldn't be installed.
func (u *Updater) Failed(p *Package, err error) {
	u.Log.Error("couldn't install an update", "version", p.Version, "err", err)
	what := backend.Say("Couldn't install VoxPilot %s. Your current version wasn't changed.", p.Version)
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

// Prepare does everything possible while VoxPilot is running: it verifies the file again and, for a portable version,
// unpacks the program next to the running one and runs it with --version, so that a version that can't run on this
// computer replaces nothing. The result quit is true if VoxPilot must then quit. It is false on macOS, where Prepare
// only opens the disk image for the user.
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
	default: // done by the installer
	}
	return true, nil
}

// fresh returns the path where the new program is stored until it replaces the running one.
func (p *Package) fresh() string { return p.Into.Program + ".new" }

// old returns the path to which the running program is moved when the new one replaces it.
func (p *Package) old() string { return p.Into.Program + ".old" }

// tryTime is the time limit for running the new program with --version.
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
			Message: backend.Say("VoxPilot %s won't run on this computer. Your current version wasn't changed.", p.Version),
			Detail:  fmt.Sprintf("%v: %s", err, said),
		}
	}
	return nil
}

// installRecord is the content of a marker file that exists until a new version has
// confirmed that it started.
type installRecord struct {
	Version string `json:"version"`
	Old     string `json:"old"` // path of the replaced program
}

const installRecordName = "installing.json"

// startTime is the length of time for which the replaced version watches the new one.
const startTime = 2 * time.Minute

// Install replaces the program and starts the new one. Call it as the last step before VoxPilot exits, after its data
// is closed. It returns when the new version has opened its data, has exited without an error, or is still running
// after startTime. If the program can't be replaced, Install restores and starts this version. It does the same if
// the new version exits with an error before it has opened its data, provided that the function canReturn reports
// that this version can still read the data. The parameter env is the environment of the program that Install starts.
func (p *Package) Install(env []string, canReturn func() bool, log *slog.Logger) error {
	marker := filepath.Join(p.dir, installRecordName)
	err := removeIfExists(p.old()) // one from an earlier update would be restored instead
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
	log.Info("new version started", "version", p.Version, "pid", program.Process.Pid)
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
			log.Warn("the new version is running but hasn't opened its data yet", "version", p.Version)
			return nil
		case err := <-ended:
			if _, missing := os.Stat(marker); err == nil || errors.Is(missing, fs.ErrNotExist) {
				return nil // it had started, or the user quit it
			}
			if !canReturn() {
				log.Error("the new version exited during startup; its data is already migrated, so it isn't rolled back", "version", p.Version, "err", err)
				return err
			}
			return errors.Join(err, p.rollBack(err, env, log))
		}
	}
}

// command returns the command that starts the installed program, whichever version it is.
func (p *Package) command(env []string) *exec.Cmd {
	cmd := exec.Command(p.Into.Program) //nolint:noctx // outlives this process
	cmd.Env = env
	return cmd
}

// replace replaces the running program with the new one. Except on Windows and on file systems without hard
// links, there is a program at the running program's path at all times.
func (p *Package) replace() error {
	setup := ""
	if p.Into.Format == FormatSetup { // the file may have changed since it was verified
		copied, remove, err := verifiedCopy(p.dir, p.Path, p.asset)
		if err != nil {
			return err
		}
		defer remove()
		setup = copied
	}
	err := errors.ErrUnsupported
	if runtime.GOOS != "windows" { // Windows can move a running program, but not replace it
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

// rollBack restores the previous version and starts it.
func (p *Package) rollBack(why error, env []string, log *slog.Logger) error {
	log.Error("the new version doesn't start; restoring the previous version", "version", p.Version, "err", why)
	err := os.Rename(p.old(), p.Into.Program)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil // it wasn't moved
	}
	syncDir(filepath.Dir(p.Into.Program))
	// Renaming one of two links to the same file to the other leaves both.
	return errors.Join(err, removeIfExists(p.old()), removeIfExists(filepath.Join(p.dir, installRecordName)), p.restart(env, log))
}

// restart records that the update failed and starts this version again, which then informs the user.
func (p *Package) restart(env []string, log *slog.Logger) error {
	k := readState(p.dir, log)
	k.Failed = backend.Say("VoxPilot %s didn't start, so %s was restored. Your chats aren't affected.", p.Version, p.from).Stored(false)
	return errors.Join(k.write(p.dir), removeIfExists(p.fresh()), p.command(env).Start())
}

// confirm records that this version has started, which makes the previous version stop
// watching it. It also removes the replaced program.
func (u *Updater) confirm() {
	marker := filepath.Join(u.Dir, installRecordName)
	var now installRecord
	data, err := os.ReadFile(marker)
	if err == nil {
		err = json.Unmarshal(data, &now)
	}
	if err == nil && now.Version == u.Version {
		u.state.Old = now.Old
		u.Log.Info("update installed and started")
	}
	if !errors.Is(err, fs.ErrNotExist) {
		if err := os.Remove(marker); err != nil {
			u.Log.Warn("couldn't remove the state of an installation", "err", err)
		}
	}
	if u.state.Old != "" && removeIfExists(u.state.Old) == nil {
		u.state.Old = ""
		u.save()
	}
}

// canReplace returns the reason the program at a path can't be replaced, or nil.
func canReplace(program string) error {
	file, err := os.CreateTemp(filepath.Dir(program), ".voxpilot-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}

// removeIfExists removes a file. A missing file isn't an error.
func removeIfExists(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// extract copies the program in an archive to the given writer.
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

// writer marks write errors as disk errors.
type writer struct{ io.Writer }

func (w writer) Write(p []byte) (int, error) {
	n, err := w.Writer.Write(p)
	if err != nil {
		err = writeError{err}
	}
	return n, err
}
