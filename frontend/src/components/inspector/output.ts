// The visible part of a command's output: the end by default, more on request. It is updated while the
// output grows.

import { createEffect, createMemo, createSignal, on, onCleanup } from "solid-js";
import { actions, pieceBytes } from "../../state/actions";
import { useStore } from "../../state/store";

/** Number of bytes at the end of the output that are shown by default. */
export const tailBytes = 1_000_000;
/** Number of bytes added by "Show all" and "Show more". */
const stepBytes = 8_000_000;
/** Minimum interval in milliseconds between loads while the output is still growing. */
const refreshMillis = 400;

export interface OutputPart {
  text: string;
  /** The byte range of the visible text. */
  from: number;
  to: number;
  size: number;
}

async function loadPart(id: string, from: number, limit: number): Promise<OutputPart> {
  const parts: Uint8Array[] = [];
  let [at, size] = [from, Number.POSITIVE_INFINITY];
  while (at < Math.min(size, from + limit)) {
    const piece = await actions.content(id, at, Math.min(pieceBytes, from + limit - at));
    size = piece.size;
    if (piece.bytes.length === 0) break;
    parts.push(piece.bytes);
    at += piece.bytes.length;
  }
  const utf8 = new TextDecoder();
  let text = parts.map((part) => utf8.decode(part, { stream: true })).join("") + utf8.decode();
  // A range that doesn't start at 0 usually starts inside a line, so its first line is dropped.
  if (from > 0) text = text.slice(text.indexOf("\n") + 1);
  return { text, from, to: at, size: Number.isFinite(size) ? size : 0 };
}

/**
 * createOutput loads the visible part of a command's output. `id` returns the ID of the content with the
 * output, or "" if there is nothing to load.
 */
export function createOutput(id: () => string, size: () => number) {
  const state = useStore();
  const [shown, setShown] = createSignal<OutputPart>();
  const [failure, setFailure] = createSignal("");
  /** Number of bytes to show from the beginning, or 0 to show the end. */
  const [limit, setLimit] = createSignal(0);
  const version = createMemo(() => state.contents[id()]?.version ?? 0);
  const known = () => state.contents[id()]?.size ?? size();
  let asked = 0;
  let running = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const look = async () => {
    timer = undefined;
    const mine = ++asked;
    const which = id();
    if (which === "") return;
    running = true;
    try {
      const from = limit() > 0 ? 0 : Math.max(0, known() - tailBytes);
      const now = await loadPart(which, from, limit() || tailBytes * 2);
      if (mine === asked) {
        setShown(now);
        setFailure("");
      }
    } catch (thrown) {
      if (mine === asked) setFailure((thrown as Error).message);
    }
    if (mine === asked) running = false;
  };
  createEffect(
    on(id, () => {
      clearTimeout(timer);
      setShown(undefined);
      setFailure("");
      setLimit(0);
      void look();
    }),
  );
  createEffect(on(limit, (now) => now > 0 && void look(), { defer: true }));
  const renew = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (running) renew();
      else void look();
    }, refreshMillis);
  };
  createEffect(on(version, renew, { defer: true }));
  onCleanup(() => {
    asked++;
    clearTimeout(timer);
  });
  return { shown, failure, more: () => setLimit((n) => n + stepBytes), again: () => void look() };
}
