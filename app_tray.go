package main

// SetStartAtLogin has VoxPilot started, hidden, when the user logs in, or not any more.
func (a *App) SetStartAtLogin(on bool) error { return later() }
