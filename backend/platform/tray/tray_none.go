//go:build darwin && !cgo

package tray

// none is the tray of a build that cannot reach the menu bar.
type none struct{}

func (none) show(face) {}
func (none) close()    {}

func start(c Config, _ face) driver {
	c.Log.Info("this build has no tray")
	return none{}
}
