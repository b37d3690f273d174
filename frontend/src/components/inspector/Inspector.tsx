// The inspector looks into the chat on screen: beside it, or over it where the
// window is narrow.

import PanelRight from "lucide-solid/icons/panel-right";
import X from "lucide-solid/icons/x";
import { createMemo, createUniqueId, onCleanup, onMount, Show } from "solid-js";
import { keysOf, provide } from "../../state/commands";
import { useStore } from "../../state/store";
import type { Chat } from "../../state/words";
import { words } from "../../words";
import { Resizer } from "../shell/Resizer";
import { IconButton } from "../ui/Button";
import { keyShortcuts } from "../ui/Kbd";
import { inspectorWidth, isOpen, isOverlay, setKeptWidth, setOpen } from "./open";
import { Sessions } from "./Sessions";
import { sessionsOf } from "./sessions";

const w = words.inspector;

/** The tab that opened inspectors begin with has the focus once. */
let entering = false;

/** openInspector opens it by the user's hand: the focus goes in. */
function openInspector(overlay: boolean): void {
  entering = true;
  setOpen(overlay, true);
}

/** closeInspector gives the focus back to what opens it. */
export function closeInspector(overlay = isOverlay()): void {
  setOpen(overlay, false);
  queueMicrotask(() => document.querySelector<HTMLElement>(".show-inspector")?.focus());
}

/** InspectorButton opens and closes it, as do its keys. */
export function InspectorButton(props: { overlay: boolean }) {
  const toggle = () => (isOpen(props.overlay) ? closeInspector(props.overlay) : openInspector(props.overlay));
  provide("inspector", toggle);
  return (
    <IconButton
      class="show-inspector"
      icon={PanelRight}
      label={w.title}
      aria-expanded={isOpen(props.overlay)}
      aria-keyshortcuts={keyShortcuts(...keysOf("inspector"))}
      onClick={toggle}
    />
  );
}

export interface InspectorProps {
  chat: Chat;
  overlay: boolean;
  width: number;
  max: number;
}

/** Inspector is the part itself. */
export function Inspector(props: InspectorProps) {
  const state = useStore();
  const panel = createUniqueId();
  let aside!: HTMLElement;
  let tab!: HTMLButtonElement;
  const count = createMemo(() => sessionsOf(state, props.chat.id).length);

  onMount(() => {
    if (entering) tab.focus();
    entering = false;
  });
  // Over another chat it is not to lie unasked.
  onCleanup(() => setOpen(true, false));
  // Over the chat it holds the focus, as what lies under it is covered.
  const onKeyDown = (event: KeyboardEvent) => {
    // What hangs out of it, menus and questions, has keys of its own.
    if (!props.overlay || event.defaultPrevented || !aside.contains(event.target as Node)) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      closeInspector(true);
    }
    if (event.key !== "Tab") return;
    const stops = [...aside.querySelectorAll<HTMLElement>("button, input, textarea")].filter(
      (stop) => !stop.hasAttribute("disabled"),
    );
    const edge = event.shiftKey ? stops[0] : stops.at(-1);
    if (document.activeElement !== edge) return;
    event.preventDefault();
    (event.shiftKey ? stops.at(-1) : stops[0])?.focus();
  };
  return (
    <>
      <Show when={props.overlay}>
        <div class="scrim" aria-hidden="true" onClick={() => closeInspector(true)} />
      </Show>
      <aside ref={aside} class="inspector" aria-label={w.title} onKeyDown={onKeyDown}>
        <Show when={!props.overlay}>
          <Resizer
            class="resizer inspector-edge"
            side="right"
            label={w.resize}
            width={props.width}
            min={inspectorWidth.min}
            max={props.max}
            normal={inspectorWidth.normal}
            onWidth={setKeptWidth}
            onDone={() => {}}
          />
        </Show>
        <div class="bar">
          <div class="tabs" role="tablist" aria-label={w.title}>
            <button
              ref={tab}
              type="button"
              class="tab"
              role="tab"
              aria-selected="true"
              aria-controls={panel}
              aria-label={w.tabs.sessions}
            >
              {w.tabs.sessions}
              <Show when={count() > 0}>
                <span class="badge">{count()}</span>
              </Show>
            </button>
          </div>
          <span class="grow" />
          <IconButton icon={X} label={w.close} onClick={() => closeInspector(props.overlay)} />
        </div>
        <div id={panel} class="inspector-panel" role="tabpanel" aria-label={w.tabs.sessions}>
          <Show keyed when={props.chat.id}>
            {(chatId) => <Sessions chatId={chatId} onShow={() => props.overlay && setOpen(true, false)} />}
          </Show>
        </div>
      </aside>
    </>
  );
}
