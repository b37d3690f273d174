import { createEffect, createMemo, For, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { folderName } from "../../lib/path";
import { rowState } from "../../state/rows";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { endSwitch, moveSwitch, type Switching, switching } from "../../state/switching";
import { StateGlyph, titleOf } from "./ChatRow";
import "../ui/menu.css";
import "./switcher.css";
import "./chat-list.css";

const t = messages.shell.switcher;

/** Switcher is the list of recent chats shown while the user holds Ctrl and presses Tab. */
export function Switcher() {
  return <Show when={switching()}>{(now) => <List now={now()} />}</Show>;
}

function List(props: { now: Switching }) {
  const state = useStore();
  const waiting = createMemo(() => new Set(select.needsAttention(state).map((chat) => chat.id)));
  const optionId = (at: number) => `switch-${at}`;
  let list!: HTMLDivElement;
  createEffect(() =>
    list.querySelector(`#${optionId(props.now.at)}`)?.scrollIntoView?.({ block: "nearest" }),
  );

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Control") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Tab") moveSwitch(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") moveSwitch(1);
    else if (event.key === "ArrowUp") moveSwitch(-1);
    else if (event.key === "Enter") endSwitch(props.now.at);
    else if (event.key === "Escape") endSwitch();
  };
  const onKeyUp = (event: KeyboardEvent) => {
    if (event.key === "Control" || !event.ctrlKey) endSwitch(props.now.at);
  };
  // If the key is released outside the window, the page receives no keyup event.
  const onBlur = () => endSwitch(props.now.at);
  window.addEventListener("keydown", onKeyDown, true);
  window.addEventListener("keyup", onKeyUp, true);
  window.addEventListener("blur", onBlur);
  onCleanup(() => {
    window.removeEventListener("keydown", onKeyDown, true);
    window.removeEventListener("keyup", onKeyUp, true);
    window.removeEventListener("blur", onBlur);
  });
  const chatAt = (at: number) => state.chats[props.now.ids[at] ?? ""];
  return (
    <div class="switcher pop" role="dialog" aria-label={t.title}>
      <p class="cap" aria-hidden="true">
        {t.title}
      </p>
      <div ref={list} role="listbox" aria-label={t.title} tabindex="-1">
        <For each={props.now.ids}>
          {(id, at) => (
            <Show when={state.chats[id]}>
              {(chat) => (
                <button
                  type="button"
                  class="opt"
                  role="option"
                  tabindex="-1"
                  id={optionId(at())}
                  aria-selected={at() === props.now.at}
                  onMouseDown={(event) => event.preventDefault()}
                  onClick={() => endSwitch(at())}
                >
                  <span class="gl">
                    <StateGlyph state={rowState(chat(), waiting().has(id))} />
                  </span>
                  <span class="trunc">{titleOf(chat())}</span>
                  <span class="r">{folderName(chat().folder)}</span>
                </button>
              )}
            </Show>
          )}
        </For>
      </div>
      <span class="sr" role="status">
        {t.at(titleOf(chatAt(props.now.at)), props.now.at + 1, props.now.ids.length)}
      </span>
    </div>
  );
}
