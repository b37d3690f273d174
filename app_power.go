package main

// RefreshEnvironment asks the login shell again for the environment that agents are started with.
func (a *App) RefreshEnvironment() error { return later() }
