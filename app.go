package main

import (
	"github.com/voxpilot/voxpilot/backend"
	"github.com/voxpilot/voxpilot/backend/desktop"
	"github.com/voxpilot/voxpilot/backend/engine"
)

// App is what the window can ask for: every exported method is bound. Each
// returns within seconds; what comes of it comes as events (backend.Event). Bodies
// and lists are pulled from /data (backend/data).
//
// Errors are *backend.Error; the page gets them as {code, message, detail}.
type App struct {
	engine  *engine.API
	desktop *desktop.Desktop
}

// Chats.

// CreateChat begins a chat in folder. providerID is backend.ProviderCopilot, or
// the id of a provider or a profile of the user's own.
func (a *App) CreateChat(folder, providerID string) (backend.Chat, error) {
	return a.engine.CreateChat(folder, providerID)
}

// BeginWith says in which mode, and with which values of its options, the agent of a
// chat is to begin, of those that it declared last. A chat that has begun is refused.
func (a *App) BeginWith(chatID, modeID string, options map[string]string) error {
	return a.engine.SetInitialOptions(chatID, modeID, options)
}

// StartPractice begins a chat in the practice folder, which it makes where it
// is absent. The scripted model server inside the app answers.
func (a *App) StartPractice() (backend.Chat, error) { return a.engine.StartPractice() }

// ContinueInNewChat begins a chat in the same folder, with the same answerer,
// whose first message is sent with a summary of this one.
func (a *App) ContinueInNewChat(chatID string) (backend.Chat, error) {
	return a.engine.ContinueInNewChat(chatID)
}

// RenameChat gives a chat the title that the user typed.
func (a *App) RenameChat(id, title string) error { return a.engine.RenameChat(id, title) }

// PinChat has a chat stand above the others of its folder, or no longer.
func (a *App) PinChat(id string, pinned bool) error { return a.engine.PinChat(id, pinned) }

// ArchiveChat takes a chat out of the list of chats, or back into it. A message
// brings it back as well.
func (a *App) ArchiveChat(id string, archived bool) error { return a.engine.ArchiveChat(id, archived) }

// MarkRead says that the user has seen the newest turn of the chat.
func (a *App) MarkRead(id string) error { return a.engine.MarkRead(id) }

// ViewChat says that the user looks at a chat: its sessions come back in the
// background, where the settings say so, before the next message needs them.
func (a *App) ViewChat(chatID string) error { return a.engine.ViewChat(chatID) }

// LocateFolder tells a chat where its folder is now.
func (a *App) LocateFolder(id, folder string) error { return a.engine.LocateFolder(id, folder) }

// DeleteChat removes a chat and all that VoxPilot keeps of it, a moment later:
// RestoreChat takes it back until then. With sessions, the agent's own files of
// its sessions go as well. Files that the agent changed stay as they are.
func (a *App) DeleteChat(id string, sessions bool) error { return a.engine.DeleteChat(id, sessions) }

// RestoreChat takes the deletion of a chat back, while that is possible.
func (a *App) RestoreChat(id string) error { return a.engine.RestoreChat(id) }

// ExportChat writes a chat to a file that the user chooses: format is "markdown",
// "html" or "json". It returns at once; how it goes, where that takes long, and how
// it went comes as Picked, under the request "export " and the chat's id. A chat
// that is being exported is not exported a second time.
func (a *App) ExportChat(chatID, format string) error { return a.engine.ExportChat(chatID, format) }

// CancelExport ends the export of a chat, which leaves no file behind.
func (a *App) CancelExport(chatID string) error { return a.engine.CancelExport(chatID) }

// Messages, their queue, and what goes with them.

// Send takes the user's message, and what goes with it. It returns the id under
// which the message shows up, as an item or as a queued prompt.
func (a *App) Send(chatID, text string, attachments []backend.Attachment) (string, error) {
	return a.engine.Send(chatID, text, attachments)
}

// Stop ends the running turn of a chat; what is queued waits.
func (a *App) Stop(chatID string) error { return a.engine.Stop(chatID) }

// ExtendTurn gives a turn that is stopped soon its whole limit once more.
func (a *App) ExtendTurn(chatID, turnID string) error { return a.engine.ExtendTurn(chatID, turnID) }

// SaveDraft keeps the unsent text of a chat's composer, and what goes with it.
func (a *App) SaveDraft(id, text string, attachments []backend.Attachment) error {
	return a.engine.SaveDraft(id, text, attachments)
}

// AttachImage takes an image that was pasted or dropped: data is its bytes in
// base64, at most backend.MaxImageBytes of them. It goes with a message once it is
// sent with one. Where chatID is "", here and below, that is the first message of a
// chat which is not made yet: the image is held in memory until it is sent, or kept
// as a draft.
func (a *App) AttachImage(chatID, name, data string) (backend.Attachment, error) {
	return a.engine.AttachImage(chatID, name, data)
}

// AttachFile takes a file or a folder by its path: as an image where it is one
// and the agent takes images, else by its address.
func (a *App) AttachFile(chatID, path string) (backend.Attachment, error) {
	return a.engine.AttachFile(chatID, path)
}

// AttachCopied takes what the clipboard has and the page was not handed: an image,
// by a name, or files, which are not attached yet: they have a path and no more, and
// those that are not on this computer have none.
func (a *App) AttachCopied(chatID, name string) ([]backend.Attachment, error) {
	return a.desktop.AttachCopied(chatID, name)
}

// ForgetImage lets go of an image that goes with no message after all: it was taken
// out of the first one of a chat which is not made yet.
func (a *App) ForgetImage(contentID string) error { return a.engine.DiscardImage(contentID) }

// ResumeQueue lets the queue of a chat go on that waits for the user.
func (a *App) ResumeQueue(chatID string) error { return a.engine.ResumeQueue(chatID) }

// EditQueued replaces the text of a queued prompt.
func (a *App) EditQueued(id, text string) error { return a.engine.EditQueued(id, text) }

// BeginEdit keeps a queued prompt from being sent while the user edits it.
func (a *App) BeginEdit(id string) error { return a.engine.BeginEdit(id) }

// EndEdit lets a queued prompt go on that the user edited, and all of them where id
// is "", which is what a page calls that begins anew.
func (a *App) EndEdit(id string) error { return a.engine.EndEdit(id) }

// MoveQueued puts a queued prompt before another one of its chat, or at the end
// where before is "".
func (a *App) MoveQueued(id, before string) error { return a.engine.MoveQueued(id, before) }

// SendQueuedNow stops the running turn, and sends a queued prompt as the next.
func (a *App) SendQueuedNow(id string) error { return a.engine.SendQueuedNow(id) }

// RemoveQueued removes a queued prompt.
func (a *App) RemoveQueued(id string) error { return a.engine.RemoveQueued(id) }

// DismissBanner folds a banner of the transcript into a thin rule.
func (a *App) DismissBanner(itemID string) error { return a.engine.DismissBanner(itemID) }

// Who answers, and its sessions.

// SetProvider has another answerer go on with a chat: GitHub Copilot, a model of
// the user's own, or another agent. What was said stays; the new one is told a
// summary of it.
func (a *App) SetProvider(chatID, providerID string) error {
	return a.engine.SetProvider(chatID, providerID)
}

// SetMain has a main AI answer a chat from the next message on: a Provider, which
// gives work to Copilot's sessions; "" is Copilot itself. What was said stays,
// and the other one is told of it.
func (a *App) SetMain(chatID, providerID string) error {
	return a.engine.SetOrchestrator(chatID, providerID)
}

// SetMode chooses one of the modes that the agent declares for a session.
func (a *App) SetMode(chatID, session, modeID string) error {
	return a.engine.SetMode(chatID, session, modeID)
}

// SetOption chooses a value of one of the options that the agent declares for a
// session.
func (a *App) SetOption(chatID, session, optionID, value string) error {
	return a.engine.SetOption(chatID, session, optionID, value)
}

// SendTo gives a session of a chat the user's own message, in a block of its own.
// Where the session is at work it comes after that.
func (a *App) SendTo(chatID, session, text string) error {
	return a.engine.SendTo(chatID, session, text)
}

// StopBlock stops the work of a block, and nothing else.
func (a *App) StopBlock(itemID string) error { return a.engine.StopBlock(itemID) }

// RenameSession gives a session of a chat another name.
func (a *App) RenameSession(chatID, session, name string) error {
	return a.engine.RenameSession(chatID, session, name)
}

// CloseSession stops a session of a chat and forgets it: work for its name begins
// a new one. What it did stays in the transcript.
func (a *App) CloseSession(chatID, session string) error {
	return a.engine.CloseSession(chatID, session)
}

// RestartSession stops a session of a chat and loads it afresh, in the
// background.
func (a *App) RestartSession(chatID, session string) error {
	return a.engine.RestartSession(chatID, session)
}

// ContinueSession adds a session that the agent knows, and VoxPilot does not yet,
// to a chat under a name: one that was begun in a terminal, say.
func (a *App) ContinueSession(chatID, acpID, name string) error {
	return a.engine.ContinueSession(chatID, acpID, name)
}

// ForkSession begins a session with all that another one knows, where the agent
// can do that.
func (a *App) ForkSession(chatID, session, name string) error {
	return a.engine.ForkSession(chatID, session, name)
}

// Reconnect starts the chat's agent again without waiting for the next try.
func (a *App) Reconnect(chatID string) error { return a.engine.Reconnect(chatID) }

// StopAgent ends the chat's agent. It comes back with the next message.
func (a *App) StopAgent(chatID string) error { return a.engine.StopAgent(chatID) }

// StopProcess ends one process of /data/processes by its id: the chat's agent,
// which comes back with the next message, or a command that runs for it.
func (a *App) StopProcess(chatID, id string) error { return a.engine.StopProcess(chatID, id) }

// SaveProtocol asks the user for a file and writes to it what the chat's agent
// and VoxPilot said to each other, a message a line. That it was written comes
// as a Picked event.
func (a *App) SaveProtocol(chatID string) error { return a.engine.SaveProtocol(chatID) }

// Permissions and trust.

// Answer chooses an option of an open permission request; with always, its
// scope becomes a rule.
func (a *App) Answer(permissionID, optionID string, always bool) error {
	return a.engine.Answer(permissionID, optionID, always)
}

// Reject rejects an open permission request. A reason is sent as the user's next
// message in the chat, right after the rejection.
func (a *App) Reject(permissionID, reason string) error { return a.engine.Reject(permissionID, reason) }

// SetPermissionMode says what the agents of a chat may do without asking, from
// the next request on.
func (a *App) SetPermissionMode(chatID string, mode backend.PermissionMode) error {
	return a.engine.SetPermissionMode(chatID, mode)
}

// SaveRule adds a rule that the user made in the settings, or changes one.
func (a *App) SaveRule(rule backend.Rule) (backend.Rule, error) { return a.engine.SaveRule(rule) }

// RemoveRule takes a rule back.
func (a *App) RemoveRule(id string) error { return a.engine.RemoveRule(id) }

// RemoveAllRules takes all rules back.
func (a *App) RemoveAllRules() error { return a.engine.RemoveAllRules() }

// TrustFolder has agents run what is in a folder as the request with this id
// (TrustRequest.ID) showed it. Where the folder has changed since, it is refused and
// another request comes.
func (a *App) TrustFolder(id string) error { return a.engine.TrustFolder(id) }

// ForgetFolder takes back the trust in a folder (TrustedFolder.Key): the user is
// asked again before the next agent starts there.
func (a *App) ForgetFolder(key string) error { return a.engine.ForgetFolder(key) }

// The user's sign-in at GitHub.

// SignIn begins a sign-in by a code; SignIn events tell the rest.
func (a *App) SignIn() error { return a.engine.SignIn() }

// SignInToken signs in with a token that the user pasted.
func (a *App) SignInToken(token string) error { return a.engine.SignInToken(token) }

// SignInCLI has the Copilot CLI sign in by itself; SignIn events tell the rest.
func (a *App) SignInCLI() error { return a.engine.SignInCLI() }

// CancelSignIn gives up the sign-in that is under way.
func (a *App) CancelSignIn() error { return a.engine.CancelSignIn() }

// SignOut forgets the user's sign-in and stops the agents that have it. The
// window asked before: where it is the Copilot CLI's own, it ends in the user's
// terminal too.
func (a *App) SignOut() error { return a.engine.SignOut() }

// CheckAccount asks GitHub about the sign-in again; the answer comes as an event.
func (a *App) CheckAccount() error { return a.engine.CheckAccount() }

// Settings, models, agents, the Copilot CLI and updates.

// SaveSettings replaces the user's settings.
func (a *App) SaveSettings(s backend.Settings) error { return a.engine.SaveSettings(s) }

// SetStartAtLogin has VoxPilot started, hidden, when the user logs in, or not any more.
func (a *App) SetStartAtLogin(on bool) error { return a.desktop.SetStartAtLogin(on) }

// SaveProvider adds or changes a model endpoint of the user's own. An empty
// key keeps the one that is stored.
func (a *App) SaveProvider(p backend.Provider, key string) (backend.Provider, error) {
	return a.engine.SaveProvider(p, key)
}

// DeleteProvider removes a model endpoint and its key.
func (a *App) DeleteProvider(id string) error { return a.engine.DeleteProvider(id) }

// CheckProvider asks the endpoint for its models; the answer comes as an event.
func (a *App) CheckProvider(id string) error { return a.engine.CheckProvider(id) }

// SaveProfile adds or changes another agent than the Copilot CLI. env has the
// values of the variables that the profile names; "" keeps the one that is
// stored.
func (a *App) SaveProfile(p backend.CustomAgent, env map[string]string) (backend.CustomAgent, error) {
	return a.engine.SaveProfile(p, env)
}

// DeleteProfile removes an agent of the user's own and the values of its
// variables.
func (a *App) DeleteProfile(id string) error { return a.engine.DeleteProfile(id) }

// CheckCLI looks for the Copilot CLI again; the answer comes as an event.
func (a *App) CheckCLI() error { return a.engine.CheckCLI() }

// InstallCLI installs the Copilot CLI, or updates it: how is one of the ids of
// CLI.Installers. It returns at once; CLI events tell how it goes.
func (a *App) InstallCLI(how string) error { return a.engine.InstallCLI(how) }

// RefreshEnvironment asks the login shell again for the environment that agents
// are started with. Where it has changed, those that run have it with their next
// message.
func (a *App) RefreshEnvironment() error { return a.engine.RefreshEnvironment() }

// RetryStorage tries to open the database again, after its condition was
// mended.
func (a *App) RetryStorage() { a.engine.RetryStorage() }

// CheckUpdate looks for a newer version of VoxPilot; the answer comes as an event.
func (a *App) CheckUpdate() error { return a.engine.CheckUpdate() }

// DownloadUpdate downloads the newer version and verifies it; how far it is comes
// as events.
func (a *App) DownloadUpdate() error { return a.engine.DownloadUpdate() }

// InstallUpdate ends VoxPilot, installs the version that was downloaded and starts
// it. It does nothing while chats are at work, nor where it is at that already.
func (a *App) InstallUpdate() error { return a.engine.InstallUpdate() }

// Files, folders and the clipboard.

// PickFolder opens the system's folder dialog; the answer comes as an event
// with the same request id.
func (a *App) PickFolder(request string) { a.desktop.PickFolder(request) }

// PickFile opens the system's file dialog; the answer comes as an event with
// the same request id.
func (a *App) PickFile(request string) { a.desktop.PickFile(request) }

// FoldersAt returns the folders that complete a path as far as it is typed, at most
// workspace.MaxFolders of them. It lists names of folders only, never of files.
func (a *App) FoldersAt(typed string) ([]string, error) { return a.engine.FoldersAt(typed) }

// OpenInEditor opens a file of a chat in the user's editor, at a line where that
// is not 0. It never executes the file.
func (a *App) OpenInEditor(chatID, path string, line int) error {
	return a.engine.OpenInEditor(chatID, path, line)
}

// OpenFolder shows a chat's folder in the file manager.
func (a *App) OpenFolder(chatID string) error { return a.engine.OpenFolder(chatID) }

// OpenSessionFolder shows where Copilot keeps its session files.
func (a *App) OpenSessionFolder() error { return a.engine.OpenSessionFolder() }

// OpenURL opens a web address in the user's browser. Only http, https and mailto.
func (a *App) OpenURL(address string) error { return a.desktop.OpenURL(address) }

// Copy puts text on the clipboard.
func (a *App) Copy(text string) error { return a.desktop.Copy(text) }

// ClipboardText returns the text on the clipboard, or "" if it holds files or no
// text. The page isn't allowed to read the clipboard outside of a paste.
func (a *App) ClipboardText() (string, error) { return a.desktop.ClipboardText() }

// CopyImage puts an image of a chat on the clipboard.
func (a *App) CopyImage(contentID string) error { return a.desktop.CopyImage(contentID) }

// SaveImage asks for a file and writes an image of a chat to it. The result comes
// as an event (backend.DialogResult) with the request "image " and contentID.
func (a *App) SaveImage(contentID, name string) error { return a.engine.SaveImage(contentID, name) }

// The window itself.

// QuickPrompt opens the quick prompt, as its global shortcut does.
func (a *App) QuickPrompt() error { return a.desktop.QuickPrompt() }

// Looking says whether the window is in front, which chat it shows ("" where it
// shows none), and in which language it speaks. The page calls it whenever one of
// these changes: while the user looks, there is nothing to notify of.
func (a *App) Looking(front bool, chatID, language string) {
	a.desktop.SetFocus(front, chatID, language)
}

// Heartbeat says that the page draws. While it is visible the page calls it every
// 20 seconds, or every five minutes where nothing comes; and when it appears, when it is
// hidden (visible=false), and when the user is asked whether to quit.
func (a *App) Heartbeat(visible bool) { a.desktop.Heartbeat(visible) }

// Placed says that the window may be elsewhere, or of another size. The page calls
// it when it has loaded, when the user turns to something else, after a change of its
// size, and with a heartbeat after it was moved.
func (a *App) Placed() { a.desktop.WindowMoved() }

// Log takes an error of the page into the log file.
func (a *App) Log(level, message string) { a.desktop.Log(level, message) }

// Quit ends VoxPilot without asking: the user was asked (backend.QuitRequested).
func (a *App) Quit() { a.desktop.Quit() }
