// The next steps after a rejection that ended its turn.

import { createMemo, onCleanup, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { setRejected } from "../../state/transcriptView";
import { resultOfTurn, type TurnParts } from "../../state/turn";
import { Button } from "../ui/Button";
import { lineKindOf } from "./line";
import { createSend } from "./sendOnce";
import { displayPath } from "./tool";
import "./next-steps.css";

const t = messages.lines.next;

export interface NextStepsProps {
  chatId: string;
  folder: string;
  /** ID of the rejected call's item. */
  itemId: string;
  /** The loaded parts of the rejected call's turn. */
  parts: TurnParts;
}

/** NextSteps explains the effect of a rejected permission request and offers two next steps. */
export function NextSteps(props: NextStepsProps) {
  const state = useStore();
  const who = () => select.actor(state, props.chatId, props.parts.turnId);
  const changed = createMemo(() => {
    void state.pages[props.chatId]?.rev;
    return resultOfTurn(raw(), props.chatId, props.parts).files.map((file) =>
      displayPath(file, props.folder),
    );
  });
  const tool = () => state.items[props.itemId]?.tool;
  const isChange = () => {
    const now = tool();
    return now !== undefined && ["edit", "create", "delete", "move"].includes(lineKindOf(now));
  };
  /** Returns the path of the file that the rejected call would have changed, or "" if there is none. */
  const untouched = () => {
    const path = isChange() ? tool()?.path : undefined;
    return path ? displayPath(path, props.folder) : "";
  };
  /** The prompt that the Continue button sends. */
  const prompt = () => (isChange() ? t.prompt : t.promptOther);
  const left = () => {
    const files = changed();
    const file = untouched();
    // The turn may have changed the file before the rejected call.
    const { whole } = props.parts;
    // If the turn isn't completely loaded, that change may be in the missing part.
    const other = files.includes(file) || !whole ? "" : file;
    if (files.length === 0) return whole ? t.noFile : "";
    if (files.length === 1)
      return other === "" ? t.fileKeeps(files[0] as string) : t.fileKeepsUntouched(files[0] as string, other);
    return other === "" ? t.filesKeep(files.length) : t.filesKeepUntouched(files.length, other);
  };
  // The empty composer's placeholder asks for the next instruction.
  onMount(() => setRejected(props.chatId));
  onCleanup(() => setRejected(""));
  const tell = (event: MouseEvent) => {
    const main = (event.currentTarget as Element).closest("main");
    main?.querySelector<HTMLElement>(".composer textarea")?.focus();
  };
  const send = createSend(() => props.chatId, "go on after a rejection");
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form.
    <div class="next" role="group" aria-label={t.label}>
      <p>
        {t.ended(who())} {left()}
      </p>
      <div class="acts">
        <Button onClick={tell}>{t.tellWhy(who())}</Button>
        <Show when={state.chats[props.chatId]?.turnState !== "running"}>
          <Button onClick={() => send(prompt())}>{t.continue}</Button>
          <span class="hint2">{t.hint(prompt())}</span>
        </Show>
      </div>
    </div>
  );
}
