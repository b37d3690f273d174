package main

// tell shows a message of VoxPilot's own as a notification, where the user wants
// any and the system shows them. It does not wait.
func (a *App) tell(title, body string) {
	if n := a.notifier.Load(); n != nil {
		n.Tell(title, body)
	}
}
