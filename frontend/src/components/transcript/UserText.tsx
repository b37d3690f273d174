// The user's text as typed, with inline code and mentioned files highlighted.

import { createMemo, For, Show } from "solid-js";
import { mentionPath, mentionsOf } from "../../state/composer";
import type { Attachment } from "../../state/types";
import { namedText } from "./VisibleText";
import "./prose.css";

/** Matches inline code and file mentions; all other text is shown as typed. */
const codeOrMention = /(`[^`\n]+`)|((?:^|(?<=\s))@[\w./-]*[\w/-])/g;

/** The range of a mention in a text, and the path of the mentioned file. */
interface Mention {
  from: number;
  to: number;
  path: string;
}

/**
 * mentionsIn returns the mentions in a text, in order and without overlaps, and the attachments that the
 * text doesn't mention.
 */
export function mentionsIn(text: string, of: readonly Attachment[], folder: string) {
  const places: Mention[] = [];
  const others = of.filter((one) => {
    if (one.kind !== "mention" || !one.path) return true;
    const found = mentionsOf(text, mentionPath(one, folder));
    places.push(...found.map((place) => ({ ...place, path: one.path as string })));
    return found.length === 0;
  });
  places.sort((x, y) => x.from - y.from || y.to - x.to);
  return { places: places.filter((each, at) => each.from >= (places[at - 1]?.to ?? 0)), others };
}

/** UserText shows the user's text. If `onOpen` is set, it is called when the user clicks a mentioned file. */
export function UserText(props: {
  text: string;
  mentions?: readonly Mention[];
  onOpen?: (path: string) => void;
}) {
  const parts = createMemo(() => {
    const out: { text: string; look: "" | "ic" | "chip"; path?: string }[] = [];
    const plain = (text: string) => {
      let at = 0;
      for (const match of text.matchAll(codeOrMention)) {
        if (match.index > at) out.push({ text: text.slice(at, match.index), look: "" });
        if (match[1]) out.push({ text: match[1].slice(1, -1), look: "ic" });
        else out.push({ text: match[0], look: "chip" });
        at = match.index + match[0].length;
      }
      if (at < text.length) out.push({ text: text.slice(at), look: "" });
    };
    let at = 0;
    for (const { from, to, path } of props.mentions ?? []) {
      plain(props.text.slice(at, from));
      out.push({ text: props.text.slice(from, to), look: "chip", path });
      at = to;
    }
    plain(props.text.slice(at));
    return out;
  });
  return (
    <For each={parts()}>
      {(part) => {
        const text = namedText(part.text, "prose");
        return (
          <Show
            when={props.onOpen && part.path}
            fallback={part.look === "" ? text : <span class={part.look}>{text}</span>}
          >
            {(path) => (
              <button type="button" class="chip" onClick={() => props.onOpen?.(path())}>
                {text}
              </button>
            )}
          </Show>
        );
      }}
    </For>
  );
}
