// Package agent runs an ACP agent (the GitHub Copilot CLI) as a supervised child process,
// one per chat, and turns its updates into events.
//
// From the outside in:
//
//   - agent.go: Agent, with Prompt, Cancel, Retry, Stop and Close.
//   - reconnect.go: the states of a connection, their events and transitions, as one table.
//   - loop.go: the goroutine that owns the state and executes the table; start.go: the
//     steps to a ready process.
//   - conn.go: one running process and its ACP connection; route.go: the routing of its
//     updates to sessions.
//   - sessions.go: session names, loading sessions into a process, and the tool servers of
//     main.
//   - restore.go: restoring or replacing the sessions of an earlier process.
//   - methods.go: optional methods of agents, such as Fork and CloseSession;
//     session_manage.go: the user's operations on sessions: rename, close and restart.
//   - turn.go: one prompt, from sending it to its result; prompt_sent.go: the sent prompt
//     and the proof that it was sent.
//   - processes.go: the process and its child processes, for the user.
//   - messages.go: the user-facing error messages.
//
// Of the packages below it, session holds one session in a running process: it turns
// updates into items, and decides and executes the agent's requests. Package request
// parses permission requests, result the results of tool calls, and replay the agent's
// own history. Package acp reads the stream itself. This package uses neither the database
// nor the window: Config contains the functions it needs.
package agent
