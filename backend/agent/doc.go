// Package agent runs an ACP agent (the GitHub Copilot CLI) as a supervised
// child process, one for each chat, and turns what it says into events.
//
// From the outside in:
//
//   - agent.go: Agent, with Prompt, Cancel, Retry, Stop and Close.
//   - reconnect.go: the states of a connection, what can happen in them, and
//     what follows. One table and nothing else.
//   - loop.go: the goroutine that owns the state and carries the table out;
//     start.go: the way from nothing to a process that is ready.
//   - conn.go: one running process and the protocol spoken with it; route.go:
//     what it says of a session finds its way there.
//   - sessions.go: names of sessions, how one comes into a process, and the servers of
//     tools that main is given.
//   - restore.go: how those of an earlier process come back, or are replaced.
//   - methods.go: what not every agent has; Fork and CloseSession. session_manage.go: what
//     the user does with sessions: rename, close and restart them.
//   - turn.go: one prompt, from sending it to knowing how it ended; prompt_sent.go: what
//     goes out, and that it did.
//   - processes.go: the process and what it runs, for the user.
//   - messages.go: what is said to a person when something went wrong.
//
// Below it, package session is one session in a running process: updates become
// items there, and requests of the agent are decided and carried out. Package request
// reads what a request for permission is about, package result what came of a tool
// call, package replay what an agent remembers. The stream itself is read by package
// acp. This package knows neither the database nor the window: Config holds the funcs
// it needs.
package agent
