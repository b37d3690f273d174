package main

// CheckUpdate looks for a newer version of VoxPilot; the answer comes as an event.
func (a *App) CheckUpdate() error { return later() }

// DownloadUpdate downloads the newer version and verifies it; how far it is comes
// as events.
func (a *App) DownloadUpdate() error { return later() }

// InstallUpdate ends VoxPilot, installs the version that was downloaded and starts
// it. It does nothing while chats are at work.
func (a *App) InstallUpdate() error { return later() }
