// Tells screen readers what happened in the chat on screen: politely that a
// block is done, at once that Copilot asks. Streamed text is never told.

import { createEffect, createSignal, on } from "solid-js";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { type Entry, totalsOfWork, type Work } from "../../state/transcript";
import { words } from "../../words";
import { askTitle } from "./tool";

export interface AnnouncerProps {
  chatId: string;
  folder: string;
  entries: Entry[];
}

function doneFacts(work: Work): string {
  const totals = totalsOfWork(raw(), work);
  if (totals.files === 0) return words.chat.work.noChanges;
  return words.blocks.spoken(totals.added, totals.removed, totals.files);
}

/** Announcer holds the two live regions. */
export function Announcer(props: AnnouncerProps) {
  const state = useStore();
  const [polite, setPolite] = createSignal("");
  const [assertive, setAssertive] = createSignal("");
  const states = new Map<string, string>();
  let told = "";

  createEffect(
    on(
      () => props.entries,
      (entries) => {
        for (const entry of entries) {
          if (entry.kind !== "work") continue;
          const before = states.get(entry.key);
          states.set(entry.key, entry.state);
          if (before !== "running" && before !== "waiting") continue;
          if (select.mainOf(raw(), entry.turnId) !== "") continue;
          if (entry.state === "done")
            setPolite(words.chat.work.announceDone(entry.session, doneFacts(entry)));
          if (entry.state === "interrupted") setPolite(words.blocks.interrupted(entry.session));
          if (entry.state === "failed") setPolite(words.chat.work.announceFailed(entry.session));
        }
        const ask = entries.find((entry) => entry.kind === "ask");
        const permission = ask?.kind === "ask" ? state.permissions[ask.id] : undefined;
        if (!permission) {
          setAssertive("");
        } else if (permission.id !== told) {
          told = permission.id;
          const what = words.chat.ask.inSentence(askTitle(permission, props.folder));
          const main = select.mainOf(raw(), permission.turnId);
          setAssertive(
            main === "" ? words.chat.ask.announce(permission.session, what) : words.answers.asks(main, what),
          );
        }
      },
    ),
  );

  return (
    <>
      <div class="sr" aria-live="polite">
        {polite()}
      </div>
      <div class="sr" aria-live="assertive">
        {assertive()}
      </div>
    </>
  );
}
