//go:build darwin && !cgo

package tray

// noop is the tray of a build without access to the menu bar.
type noop struct{}

func (noop) show(appearance) {}
func (noop) close()          {}

func start(c Config, _ appearance) driver {
	c.Log.Info("this build doesn't support a tray")
	return noop{}
}
