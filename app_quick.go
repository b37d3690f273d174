package main

// QuickPrompt opens the quick prompt, as its global shortcut does.
func (a *App) QuickPrompt() error { return later() }
