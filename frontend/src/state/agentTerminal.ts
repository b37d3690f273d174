// The output of the terminal of an agent's sign-in. It is a stream of bytes and not part of the state: only an open
// terminal reads it.

import { call } from "../bridge";
import type { AgentTerminal, Event } from "./types";

type Listener = (part: AgentTerminal) => void;
const listeners = new Set<Listener>();

/** deliverOutput passes terminal output among the events to the open terminals. */
export function deliverOutput(events: readonly Event[]): void {
  if (listeners.size === 0) return;
  for (const { agentTerminal } of events) {
    if (agentTerminal) for (const listener of [...listeners]) listener(agentTerminal);
  }
}

const key = "voxpilot.terminal";

/** shownOf returns the size in bytes of the output of a terminal that this window has shown, also before a reload. */
function shownOf(id: string): number {
  const [known, size] = (sessionStorage.getItem(key) ?? "").split(" ");
  return known === id ? Number(size) : 0;
}

function setShown(id: string, size: number): void {
  sessionStorage.setItem(key, `${id} ${size}`);
}

function decode(data: string): Uint8Array {
  const text = atob(data);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}

export interface OutputSink {
  /** Receives further output. */
  write: (bytes: Uint8Array) => void;
  /**
   * Receives the output so far, which replaces all output received before: what a terminal has already shown, and what
   * none has.
   */
  replay: (shown: Uint8Array, fresh: Uint8Array) => void;
  failed: (thrown: Error) => void;
}

/**
 * readOutput reads the output of a terminal: first the output so far, then each new part, in order and without
 * repetitions. After a gap, it reads the output again. It returns a function that stops reading.
 */
export function readOutput(profileId: string, id: string, sink: OutputSink): () => void {
  let end = 0;
  let pending: AgentTerminal[] | undefined;
  let isStopped = false;

  const append = (part: AgentTerminal) => {
    const bytes = decode(part.data);
    if (part.offset > end) {
      load();
      return;
    }
    const known = end - part.offset;
    if (known >= bytes.length) return;
    end = part.offset + bytes.length;
    setShown(id, end);
    sink.write(bytes.subarray(known));
  };
  const listen: Listener = (part) => {
    if (part.profileId !== profileId || part.id !== id) return;
    if (pending) pending.push(part);
    else append(part);
  };
  const load = () => {
    pending = [];
    call("AgentTerminalOutput", profileId).then(
      (all) => {
        if (isStopped) return;
        const later = pending ?? [];
        pending = undefined;
        if (all.id !== id) return;
        const bytes = decode(all.data);
        end = all.offset + bytes.length;
        const shown = Math.max(0, shownOf(id) - all.offset);
        setShown(id, end);
        sink.replay(bytes.subarray(0, shown), bytes.subarray(shown));
        for (const part of later) if (!pending) append(part);
      },
      (thrown) => {
        if (isStopped) return;
        pending = undefined;
        sink.failed(thrown);
      },
    );
  };

  listeners.add(listen);
  load();
  return () => {
    isStopped = true;
    listeners.delete(listen);
  };
}

/**
 * createInput returns a function that sends input to a terminal. Calls of the app run side by side, so each part is sent
 * after the previous one has arrived; input typed in the meantime is joined.
 */
export function createInput(profileId: string, failed: (thrown: Error) => void): (text: string) => void {
  let waiting = "";
  let isSending = false;
  const send = async () => {
    isSending = true;
    while (waiting !== "") {
      const input = waiting;
      waiting = "";
      try {
        await call("WriteAgentTerminal", profileId, input);
      } catch (thrown) {
        waiting = "";
        failed(thrown as Error);
      }
    }
    isSending = false;
  };
  return (text) => {
    waiting += text;
    if (!isSending) void send();
  };
}
