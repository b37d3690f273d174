package main

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/desktop"
	"github.com/voxpilot/voxpilot/backend/engine"
	"github.com/voxpilot/voxpilot/backend/screens"
)

// App is the API that the window calls: Wails exposes every exported method to the page. Each call returns
// within seconds; results that take longer arrive as events (backend.Event). The page fetches contents and
// lists from /data (package backend/data).
// Errors are *backend.Error; the page receives them as {code, message, detail}.
type App struct {
	*screens.Review
	*screens.Commits
	*screens.Sessions
	engine  *engine.API
	desktop *desktop.Desktop
}

// Chats.

// CreateChat creates a chat in a folder. providerID is backend.ProviderCopilot or the id of the user's model or agent.
func (a *App) CreateChat(folder, providerID string) (backend.Chat, error) {
	return a.engine.CreateChat(folder, providerID)
}

// BeginWith sets the mode and the options with which a chat's agent starts. Values that the agent hasn't
// declared are ignored. BeginWith fails once the chat has started.
func (a *App) BeginWith(chatID, modeID string, options map[string]string) error {
	return a.engine.SetInitialOptions(chatID, modeID, options)
}

// StartPractice creates a chat in the practice folder, creating the folder if it
// doesn't exist. The app's built-in scripted model server answers the chat's messages.
func (a *App) StartPractice() (backend.Chat, error) { return a.engine.StartPractice() }

// ContinueInNewChat creates a chat with the same folder and provider as an existing
// one. A summary of the existing chat is sent with the new chat's first message.
func (a *App) ContinueInNewChat(chatID string) (backend.Chat, error) {
	return a.engine.ContinueInNewChat(chatID)
}

// RenameChat sets the title of a chat.
func (a *App) RenameChat(id, title string) error { return a.engine.RenameChat(id, title) }

// PinChat pins a chat above the others in its folder, or unpins it.
func (a *App) PinChat(id string, pinned bool) error { return a.engine.PinChat(id, pinned) }

// ArchiveChat archives or unarchives a chat. A new message also unarchives the chat.
func (a *App) ArchiveChat(id string, archived bool) error { return a.engine.ArchiveChat(id, archived) }

// MarkRead marks a chat as read.
func (a *App) MarkRead(id string) error { return a.engine.MarkRead(id) }

// ViewChat records that the user opened a chat. If the settings allow it, the chat's sessions are then
// restored in the background, before the next message needs them.
func (a *App) ViewChat(chatID string) error { return a.engine.ViewChat(chatID) }

// LocateFolder sets the new location of a chat's folder.
func (a *App) LocateFolder(id, folder string) error { return a.engine.LocateFolder(id, folder) }

// DeleteChat deletes a chat and all its data, after a delay (backend.UndoMillis) during which RestoreChat can undo the
// deletion. If sessions is true, the agent's own session files are deleted too. Files that the agent changed are kept.
func (a *App) DeleteChat(id string, sessions bool) error { return a.engine.DeleteChat(id, sessions) }

// RestoreChat undoes the deletion of a chat. It fails with CodeNotFound once the deletion is permanent.
func (a *App) RestoreChat(id string) error { return a.engine.RestoreChat(id) }

// ExportChat exports a chat to a file that the user chooses. format is "markdown", "html" or "json". ExportChat
// returns immediately; the progress and the result arrive as DialogResult events whose request is "export "
// followed by the chat's id. It does nothing if the chat is already being exported.
func (a *App) ExportChat(chatID, format string) error { return a.engine.ExportChat(chatID, format) }

// CancelExport cancels the export of a chat and leaves no file behind.
func (a *App) CancelExport(chatID string) error { return a.engine.CancelExport(chatID) }

// Messages, attachments and the queue.

// Send sends a message with its attachments. It returns the id of the resulting item or queued prompt.
func (a *App) Send(chatID, text string, attachments []backend.Attachment) (string, error) {
	return a.engine.Send(chatID, text, attachments)
}

// Stop stops the running turn of a chat and all tasks of its sessions, and pauses the chat's queue.
func (a *App) Stop(chatID string) error { return a.engine.Stop(chatID) }

// ExtendTurn adds the full time limit to the remaining time of a turn.
func (a *App) ExtendTurn(chatID, turnID string) error { return a.engine.ExtendTurn(chatID, turnID) }

// UndoTurn undoes the changes that a turn made to files in the chat's folder. choices holds the user's choices for
// individual files, keyed by the file's path in backend.UndoPreview; every other file is handled as the preview shows.
// It fails with CodeUnavailable while the folder is in use. A banner and a backend.TurnUndo report the result.
func (a *App) UndoTurn(turnID string, choices map[string]backend.UndoChoice) error {
	return a.engine.UndoTurn(turnID, choices)
}

// RedoTurn redoes the changes that UndoTurn undid. In all other respects, it is like UndoTurn.
func (a *App) RedoTurn(turnID string, choices map[string]backend.UndoChoice) error {
	return a.engine.RedoTurn(turnID, choices)
}

// PutBack undoes one part of the changes to a file in a chat's folder, or redoes a part that was undone:
// see backend.UndoPart. It fails with CodeUnavailable while the folder is in use.
func (a *App) PutBack(chatID string, part backend.UndoPart) (backend.PartResult, error) {
	return a.engine.PutBack(chatID, part)
}

// GoBack takes a chat back to the point before a turn's message: the files, the conversation, or both. If the
// conversation goes back, that message and all later ones are set aside until BringBack shows them again. It
// fails with CodeUnavailable while the chat runs or, if files go back, while another chat works in the folder.
func (a *App) GoBack(turnID string, r backend.GoBackRequest) error { return a.engine.GoBack(turnID, r) }

// BringBack shows the messages that an earlier GoBack set aside, and sets aside the messages that replaced
// them. If files is true, it also takes the folder's files back to their state before GoBack, except files that
// were changed later. It fails with CodeUnavailable in the same cases as GoBack. It also fails with
// CodeUnavailable while the message that precedes the ones to show is itself set aside.
func (a *App) BringBack(chatID, asideID string, files bool) error {
	return a.engine.BringBack(chatID, asideID, files)
}

// NewChatFrom creates a chat from a turn of an existing chat. The new chat has the same folder and the messages
// before that turn, and its agent remembers these messages. The existing chat doesn't change.
func (a *App) NewChatFrom(turnID string) (backend.Chat, error) { return a.engine.NewChatFrom(turnID) }

// SaveDraft saves the unsent text and attachments of a chat's composer.
func (a *App) SaveDraft(id, text string, attachments []backend.Attachment) error {
	return a.engine.SaveDraft(id, text, attachments)
}

// AttachImage stores a pasted or dropped image. data is the image in base64 encoding; the decoded image may have at
// most backend.MaxImageBytes bytes. The image becomes part of the chat when a message that includes it is sent.
//
// If chatID is "", the attachment is for the first message of a chat that doesn't exist yet. It then stays in memory
// until the message is sent or saved as a draft. The same is true of AttachFile and AttachCopied.
func (a *App) AttachImage(chatID, name, data string) (backend.Attachment, error) {
	return a.engine.AttachImage(chatID, name, data)
}

// AttachFile attaches a file or folder by path: as an image if it is one and the agent
// accepts images, otherwise as a link to the path.
func (a *App) AttachFile(chatID, path string) (backend.Attachment, error) {
	return a.engine.AttachFile(chatID, path)
}

// AttachCopied attaches the clipboard's image under the given name. The page calls AttachCopied if it can't
// read the pasted data itself. If the clipboard holds files instead, they are returned with their paths and
// names, for AttachFile. A file that isn't on this computer has an empty path and name.
func (a *App) AttachCopied(chatID, name string) ([]backend.Attachment, error) {
	return a.desktop.AttachCopied(chatID, name)
}

// ForgetImage discards an image that was removed from the first message of a chat that doesn't exist yet.
func (a *App) ForgetImage(contentID string) error { return a.engine.DiscardImage(contentID) }

// ResumeQueue resumes a chat's queue if it is waiting for the user.
func (a *App) ResumeQueue(chatID string) error { return a.engine.ResumeQueue(chatID) }

// EditQueued replaces the text of a queued prompt.
func (a *App) EditQueued(id, text string) error { return a.engine.EditQueued(id, text) }

// BeginEdit holds back a queued prompt and those behind it while the user edits it.
func (a *App) BeginEdit(id string) error { return a.engine.BeginEdit(id) }

// EndEdit releases a queued prompt after editing, or all queued prompts if the id is "". A page releases them all
// when it loads.
func (a *App) EndEdit(id string) error { return a.engine.EndEdit(id) }

// MoveQueued moves a queued prompt ahead of another prompt in the same chat. The parameter before is the id of
// that other prompt; if it is "", the queued prompt moves to the end.
func (a *App) MoveQueued(id, before string) error { return a.engine.MoveQueued(id, before) }

// SendQueuedNow stops the running turn and sends a queued prompt next.
func (a *App) SendQueuedNow(id string) error { return a.engine.SendQueuedNow(id) }

// RemoveQueued deletes a queued prompt.
func (a *App) RemoveQueued(id string) error { return a.engine.RemoveQueued(id) }

// DismissBanner collapses a banner in the transcript to a thin rule.
func (a *App) DismissBanner(itemID string) error { return a.engine.DismissBanner(itemID) }

// Models, agents and sessions.

// SetProvider switches a chat to another provider: GitHub Copilot, a user-defined model
// or another agent. The transcript stays; the new provider receives a summary of it.
func (a *App) SetProvider(chatID, providerID string) error {
	return a.engine.SetProvider(chatID, providerID)
}

// SetMain makes a provider the orchestrator of a chat from the next message on. The orchestrator answers the
// user and delegates tasks to the agent's sessions; if providerID is "", the agent itself answers the user. The
// transcript stays and is passed on to the model or agent that answers next.
func (a *App) SetMain(chatID, providerID string) error {
	return a.engine.SetOrchestrator(chatID, providerID)
}

// SetMode selects one of the modes that the agent declares for a session.
func (a *App) SetMode(chatID, session, modeID string) error {
	return a.engine.SetMode(chatID, session, modeID)
}

// SetOption sets an option that the agent declares for a session. The value of a boolean is "true" or "false".
func (a *App) SetOption(chatID, session, optionID, value string) error {
	return a.engine.SetOption(chatID, session, optionID, value)
}

// SendTo sends the user's message to a session of a chat. The message waits while the session is busy. Unless
// the session is the main one, the message and the answer appear in a block.
func (a *App) SendTo(chatID, session, text string) error {
	return a.engine.SendTo(chatID, session, text)
}

// StopBlock stops the task shown in the block with the given item id.
func (a *App) StopBlock(itemID string) error { return a.engine.StopBlock(itemID) }

// RenameSession renames a session of a chat.
func (a *App) RenameSession(chatID, session, name string) error {
	return a.engine.RenameSession(chatID, session, name)
}

// CloseSession stops a session of a chat and removes it. A later task for a session of the same name starts a new
// session. The transcript stays.
func (a *App) CloseSession(chatID, session string) error {
	return a.engine.CloseSession(chatID, session)
}

// RestartSession stops a session of a chat and loads it again in the background.
func (a *App) RestartSession(chatID, session string) error {
	return a.engine.RestartSession(chatID, session)
}

// ContinueSession adds an agent session to a chat. The session was started outside VoxPilot, for example in a
// terminal. It gets the given name in the chat.
func (a *App) ContinueSession(chatID, acpID, name string) error {
	return a.engine.ContinueSession(chatID, acpID, name)
}

// ForkSession starts a session with the full context of another one, if the agent supports that.
func (a *App) ForkSession(chatID, session, name string) error {
	return a.engine.ForkSession(chatID, session, name)
}

// Reconnect restarts the chat's agent immediately instead of waiting for the next automatic attempt.
func (a *App) Reconnect(chatID string) error { return a.engine.Reconnect(chatID) }

// StopAgent stops the chat's agent and pauses the chat's queue. The agent restarts with the next message.
func (a *App) StopAgent(chatID string) error { return a.engine.StopAgent(chatID) }

// StopProcess stops one of the processes listed by /data/processes: either the chat's agent, which restarts
// with the next message, or one of the agent's commands.
func (a *App) StopProcess(chatID, id string) error { return a.engine.StopProcess(chatID, id) }

// SaveProtocol saves the protocol log of the chat's agent to a file that the user
// chooses, one message per line. A DialogResult event reports the result.
func (a *App) SaveProtocol(chatID string) error { return a.engine.SaveProtocol(chatID) }

// Permissions and trust.

// Answer selects an option of an open permission request. If always is true, a rule is created from the
// request's scope (Permission.Scope).
func (a *App) Answer(permissionID, optionID string, always bool) error {
	return a.engine.Answer(permissionID, optionID, always)
}

// Reject rejects an open permission request. If a reason is given, it is sent as the user's next message
// when the turn has ended, before the queued messages.
func (a *App) Reject(permissionID, reason string) error { return a.engine.Reject(permissionID, reason) }

// AnswerQuestion answers an open question (Permission.Question). If the answer isn't valid, the question stays open
// and the result lists the reasons.
func (a *App) AnswerQuestion(id string, answer backend.QuestionAnswer) ([]backend.FieldProblem, error) {
	return a.engine.AnswerQuestion(id, answer)
}

// CheckAnswer returns the reasons why an answer to an open question isn't valid, without sending it.
func (a *App) CheckAnswer(id string, answer backend.QuestionAnswer) ([]backend.FieldProblem, error) {
	return a.engine.CheckAnswer(id, answer)
}

// SkipQuestion closes an open question without an answer. The agent continues.
func (a *App) SkipQuestion(id string) error { return a.engine.SkipQuestion(id) }

// SavePlan saves a plan as a file that the user chooses. id is the ID of the plan's request, and title suggests the
// file's name. The result arrives as an event (DialogResult) whose request is "plan " followed by id.
func (a *App) SavePlan(id, title, text string) error { return a.engine.SavePlan(id, title, text) }

// SetPermissionMode sets the permission mode of a chat, for its open requests and all later ones.
func (a *App) SetPermissionMode(chatID string, mode backend.PermissionMode) error {
	return a.engine.SetPermissionMode(chatID, mode)
}

// SetSandbox replaces a chat's sandbox options. They apply from the next command on. An agent that runs, or is to
// run, in the sandbox as a whole restarts with its next message.
func (a *App) SetSandbox(chatID string, s backend.Sandbox) error {
	return a.engine.SetSandbox(chatID, s)
}

// CheckSandbox tests the sandbox on this computer again. The result arrives as an event.
func (a *App) CheckSandbox() error { return a.engine.CheckSandbox() }

// FindSandboxSites looks up the sites that the package managers on this computer use, unless they are already known.
// The result arrives as an event.
func (a *App) FindSandboxSites() error { return a.engine.FindSandboxSites() }

// RunOutside asks the agent to repeat a command that failed in the sandbox, this time outside the sandbox. The
// user is then asked for permission.
func (a *App) RunOutside(itemID string) error { return a.engine.RunOutside(itemID) }

// SaveRule adds or changes a permission rule from the settings.
func (a *App) SaveRule(rule backend.Rule) (backend.Rule, error) { return a.engine.SaveRule(rule) }

// RemoveRule deletes a permission rule.
func (a *App) RemoveRule(id string) error { return a.engine.RemoveRule(id) }

// RemoveAllRules deletes all permission rules.
func (a *App) RemoveAllRules() error { return a.engine.RemoveAllRules() }

// TrustFolder allows agents to execute the code that the trust request with the given id (TrustRequest.ID)
// shows. If the folder has changed since the request was made, TrustFolder fails and a new request is sent.
func (a *App) TrustFolder(id string) error { return a.engine.TrustFolder(id) }

// OpenWithoutRunning starts the agents that are waiting for the trust request with the given id, without trusting
// the folder. They run in the sandbox and don't see the files that can run code. OpenWithoutRunning fails in the
// same cases as TrustFolder, and if the sandbox isn't ready.
func (a *App) OpenWithoutRunning(id string) error { return a.engine.OpenWithoutRunning(id) }

// ReviewTrust asks the user whether to trust the folder of a chat in its current state. If the chat was opened
// without running the folder's code, its agent restarts.
func (a *App) ReviewTrust(chatID string) error { return a.engine.ReviewTrust(chatID) }

// ForgetFolder revokes the trust in the folder with the given key (TrustedFolder.Key): the user is asked again before
// the next agent starts in that folder.
func (a *App) ForgetFolder(key string) error { return a.engine.ForgetFolder(key) }

// GitHub sign-in.

// SignIn starts the device flow. Progress arrives as SignIn events.
func (a *App) SignIn() error { return a.engine.SignIn() }

// SignInToken signs in with a token that the user pasted.
func (a *App) SignInToken(token string) error { return a.engine.SignInToken(token) }

// SignInCLI starts the Copilot CLI's own sign-in. Progress arrives as SignIn events.
func (a *App) SignInCLI() error { return a.engine.SignInCLI() }

// CancelSignIn cancels the running sign-in.
func (a *App) CancelSignIn() error { return a.engine.CancelSignIn() }

// SignOut deletes the stored sign-in and stops the agents that use it. The window asks for confirmation
// first: if the sign-in is the Copilot CLI's own, the user is also signed out in the terminal.
func (a *App) SignOut() error { return a.engine.SignOut() }

// CheckAccount asks GitHub again whether the user's sign-in is valid. The result arrives as an event.
func (a *App) CheckAccount() error { return a.engine.CheckAccount() }

// Settings, models, agents, the Copilot CLI and updates.

// SaveSettings replaces the user's settings.
func (a *App) SaveSettings(s backend.Settings) error { return a.engine.SaveSettings(s) }

// SetStartAtLogin sets whether VoxPilot starts when the user logs in, with its window hidden at first.
func (a *App) SetStartAtLogin(on bool) error { return a.desktop.SetStartAtLogin(on) }

// SaveProvider adds or changes a user-defined model endpoint. An empty key leaves the stored one unchanged.
func (a *App) SaveProvider(p backend.Provider, key string) (backend.Provider, error) {
	return a.engine.SaveProvider(p, key)
}

// DeleteProvider deletes a model endpoint and its key.
func (a *App) DeleteProvider(id string) error { return a.engine.DeleteProvider(id) }

// CheckProvider asks the endpoint for its models. The result arrives as an event.
func (a *App) CheckProvider(id string) error { return a.engine.CheckProvider(id) }

// SaveProfile adds or changes an agent other than the Copilot CLI. env holds the values of the variables that the
// profile names; an empty value leaves the stored one unchanged.
func (a *App) SaveProfile(p backend.CustomAgent, env map[string]string) (backend.CustomAgent, error) {
	return a.engine.SaveProfile(p, env)
}

// DeleteProfile deletes a user-defined agent and the values of its variables.
func (a *App) DeleteProfile(id string) error { return a.engine.DeleteProfile(id) }

// CheckAgentSignIn asks a user-defined agent for its sign-in methods. The result arrives as an AgentSignIn event.
func (a *App) CheckAgentSignIn(profileID string) error { return a.engine.CheckAgentSignIn(profileID) }

// SignInAgent starts a sign-in method of a user-defined agent. values holds the values of the method's variables.
func (a *App) SignInAgent(profileID, methodID string, values map[string]string) error {
	return a.engine.SignInAgent(profileID, methodID, values)
}

// CancelAgentSignIn cancels the running sign-in of a user-defined agent, and ends its terminal.
func (a *App) CancelAgentSignIn(profileID string) error { return a.engine.CancelAgentSignIn(profileID) }

// SignOutAgent signs a user-defined agent out (ACP logout).
func (a *App) SignOutAgent(profileID string) error { return a.engine.SignOutAgent(profileID) }

// WriteAgentTerminal sends the user's input to the terminal of an agent's sign-in.
func (a *App) WriteAgentTerminal(profileID, input string) error {
	return a.engine.WriteAgentTerminal(profileID, input)
}

// ResizeAgentTerminal sets the size of the terminal of an agent's sign-in, in characters.
func (a *App) ResizeAgentTerminal(profileID string, columns, rows int) error {
	return a.engine.ResizeAgentTerminal(profileID, columns, rows)
}

// AgentTerminalOutput returns the output so far of the terminal of an agent's sign-in, at most its last 256 KB.
func (a *App) AgentTerminalOutput(profileID string) (backend.AgentTerminal, error) {
	return a.engine.AgentTerminalOutput(profileID)
}

// CheckCLI detects the Copilot CLI again. The result arrives as an event.
func (a *App) CheckCLI() error { return a.engine.CheckCLI() }

// InstallCLI installs or updates the Copilot CLI. The parameter how must be one of the ids in CLI.Installers.
// InstallCLI returns immediately; progress arrives as CLI events.
func (a *App) InstallCLI(how string) error { return a.engine.InstallCLI(how) }

// RefreshEnvironment reads the agents' environment from the login shell again. If it
// has changed, running agents use it from their next message on.
func (a *App) RefreshEnvironment() error { return a.engine.RefreshEnvironment() }

// RetryStorage tries again to open the database after a storage problem.
func (a *App) RetryStorage() { a.engine.RetryStorage() }

// CheckUpdate checks for a newer version of VoxPilot. The result arrives as an event.
func (a *App) CheckUpdate() error { return a.engine.CheckUpdate() }

// DownloadUpdate downloads and verifies the newer version. Progress arrives as events.
func (a *App) DownloadUpdate() error { return a.engine.DownloadUpdate() }

// InstallUpdate quits VoxPilot, installs the downloaded version and starts it. On macOS, it only opens the disk
// image. It returns an error if no version has been downloaded or chats are running, and does nothing if an
// installation is already in progress.
func (a *App) InstallUpdate() error { return a.engine.InstallUpdate() }

// Files, folders and the clipboard.

// PickFolder opens the system's folder dialog. The result arrives as a DialogResult event with the given request id.
func (a *App) PickFolder(request string) { a.desktop.PickFolder(request) }

// PickFile opens the system's file dialog. The result arrives as a DialogResult event with the given request id.
func (a *App) PickFile(request string) { a.desktop.PickFile(request) }

// FoldersAt returns up to workspace.MaxFolders folders that complete a partially typed path. It never lists files.
func (a *App) FoldersAt(typed string) ([]string, error) { return a.engine.FoldersAt(typed) }

// OpenInEditor opens a file from a chat in the user's editor, at the given line unless it is 0. It
// never executes the file.
func (a *App) OpenInEditor(chatID, path string, line int) error {
	return a.engine.OpenInEditor(chatID, path, line)
}

// OpenFolder opens a chat's folder in the file manager.
func (a *App) OpenFolder(chatID string) error { return a.engine.OpenFolder(chatID) }

// OpenSessionFolder opens the folder that contains Copilot's session files.
func (a *App) OpenSessionFolder() error { return a.engine.OpenSessionFolder() }

// OpenURL opens a URL in the user's browser. Only http, https and mailto are allowed.
func (a *App) OpenURL(address string) error { return a.desktop.OpenURL(address) }

// Copy writes text to the clipboard.
func (a *App) Copy(text string) error { return a.desktop.Copy(text) }

// ClipboardText returns the text on the clipboard, or "" if the clipboard holds files or no text. The page
// can't read the clipboard except during a paste.
func (a *App) ClipboardText() (string, error) { return a.desktop.ClipboardText() }

// CopyImage copies an image from a chat to the clipboard.
func (a *App) CopyImage(contentID string) error { return a.desktop.CopyImage(contentID) }

// SaveImage saves an image from a chat to a file that the user chooses. The result arrives as a DialogResult event
// whose request is "image " followed by the content's id.
func (a *App) SaveImage(contentID, name string) error { return a.engine.SaveImage(contentID, name) }

// The window.

// QuickPrompt opens the quick prompt, like its global shortcut.
func (a *App) QuickPrompt() error { return a.desktop.QuickPrompt() }

// Looking records whether the window is in front, the id of the chat that it shows ("" if none), and the
// language of the page. The page calls Looking whenever one of these changes. While the window is in front, no
// notifications about chats are shown.
func (a *App) Looking(front bool, chatID, language string) {
	a.desktop.SetFocus(front, chatID, language)
}

// Heartbeat records that the page is still rendering. While visible, the page calls it within 20 seconds of
// an event, and every five minutes if no events arrive. The page also calls it on becoming visible, on
// being hidden (visible=false), and when the user is asked whether to quit.
func (a *App) Heartbeat(visible bool) { a.desktop.Heartbeat(visible) }

// Placed saves the window's position and size, which may have changed. The page calls it after loading, on
// losing focus, after a resize, and with the next heartbeat after a move.
func (a *App) Placed() { a.desktop.WindowMoved() }

// Log writes a message from the page to the log file, as an error if level is "error" and as a warning otherwise.
func (a *App) Log(level, message string) { a.desktop.Log(level, message) }

// Quit quits VoxPilot without confirmation: the page has already asked the user (backend.QuitRequested).
func (a *App) Quit() { a.desktop.Quit() }
