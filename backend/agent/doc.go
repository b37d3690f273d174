// Package agent runs an ACP agent, such as the GitHub Copilot CLI, for each chat. The agent is a supervised child
// process or a running program to which VoxPilot connects. The package converts the agent's updates to events.
//
// From the outside in:
//
//   - agent.go: Agent, with Cancel, Retry, Stop and Close, and its Config.
//   - reconnect.go: the connection's states and transitions, as one table.
//   - loop.go: the goroutine that owns the state and executes the table; start.go: the
//     steps that start a process and make it ready.
//   - conn.go: one running process and its protocol; route.go: routes its messages to
//     their sessions.
//   - sessions.go: the names of sessions, opening sessions in a process, and the MCP
//     servers of the main session.
//   - restore.go: restores or replaces the sessions of an earlier process; rescue.go:
//     recovers the conversations of lost sessions.
//   - others.go: other programs that use the same sessions; external.go: sessions that
//     were started by other programs.
//   - methods.go: optional methods of agents; Fork and CloseSession. session_manage.go:
//     renaming, closing and restarting sessions for the user.
//   - turn.go: one prompt, from sending it to its end; prompt_sent.go: its contents, and
//     the record that it was sent.
//   - guard.go: tool calls that the guard reports before they run.
//   - processes.go: the agent's process and its children, for display to the user.
//   - logout.go: calls to an agent outside any chat.
//   - messages.go: error messages for the user.
//
// Package agent uses these packages: session represents one session in a running process; it converts updates to items,
// and decides and serves the agent's requests. request determines the files and commands of a permission request,
// result summarizes the outcome of a tool call, and replay compares the agent's history of a session with the
// transcript. acp reads the stream. Package agent depends on neither the database nor the window: Config holds the
// functions it needs.
package agent
