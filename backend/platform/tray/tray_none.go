//go:build darwin && !cgo

package tray

// noop is the tray of a build that cannot reach the menu bar.
type noop struct{}

func (noop) show(appearance) {}
func (noop) close()          {}

func start(c Config, _ appearance) driver {
	c.Log.Info("this build has no tray")
	return noop{}
}
