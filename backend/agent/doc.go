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
//   - link.go: one running process and the protocol spoken with it; route.go:
//     what it says of a session finds its way there.
//   - sessions.go: names of sessions, and how one comes into a process.
//   - restore.go: how those of an earlier process come back, or are replaced.
//   - replay.go: what the agent replays, compared with the transcript.
//   - methods.go: what not every agent has; Fork and CloseSession. manage.go: what
//     the user does with sessions: rename, close and restart them.
//   - options.go: modes and options, as the agent declares them.
//   - turn.go: one prompt, from sending it to knowing how it ended; sent.go: what
//     goes out, and that it did; work.go: what came of it.
//   - translate.go, text.go, tool.go: updates to items of the transcript;
//     row.go: to the session's row.
//   - servers.go: the servers of tools that main is given, and which calls are of
//     those.
//   - client.go: what the agent asks of us; ask.go: … of the user; fs.go: files;
//     terminals.go, commands.go: commands, and what is seen of them; named.go: the
//     paths and addresses that it names; unasked.go: what it did without asking.
//   - processes.go: the process and what it runs, for the user. The rest is of
//     package process.
//   - words.go: what is said to a person when something went wrong.
//
// The stream itself is read by package acp. This package knows neither the database nor the
// window: Config holds the funcs it needs.
package agent
