// The inspector of the visible chat, shown beside the chat or, in a narrow window, as an overlay.

import PanelRight from "lucide-solid/icons/panel-right";
import X from "lucide-solid/icons/x";
import { createMemo, createUniqueId, For, Match, onCleanup, onMount, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { keysOf, provide } from "../../state/commands";
import {
  closeInspector,
  inspectorTab,
  inspectorTabs,
  inspectorWidth,
  isOpen,
  normalWidth,
  openInspector,
  saveWidth,
  setChangesOf,
  setInspectorTab,
  setOpen,
  setSavedWidth,
  takeEntered,
} from "../../state/inspector";
import { isComposing } from "../../state/keys";
import { useStore } from "../../state/store";
import type { Chat } from "../../state/types";
import { Resizer } from "../shell/Resizer";
import { IconButton } from "../ui/Button";
import { keyShortcuts } from "../ui/Kbd";
import { AgentPlan } from "./AgentPlan";
import { Changes, createChanges } from "./Changes";
import { Protocol } from "./Protocol";
import { Sessions } from "./Sessions";
import { sessionsOf } from "./sessions";
import { Terminal } from "./Terminal";
import "./inspector.css";

const t = messages.inspector;

/** InspectorButton is the button that opens or closes the inspector. A keyboard shortcut does the same. */
export function InspectorButton(props: { overlay: boolean }) {
  const toggle = () => (isOpen(props.overlay) ? closeInspector(props.overlay) : openInspector());
  provide("inspector", toggle);
  return (
    <IconButton
      class="show-inspector"
      icon={PanelRight}
      label={t.title}
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

/** Inspector is the panel that shows the inspector's tabs. */
export function Inspector(props: InspectorProps) {
  let aside!: HTMLElement;
  const chatId = createMemo(() => props.chat.id);

  onMount(() => {
    if (takeEntered()) aside.querySelector<HTMLElement>("[role=tab][aria-selected=true]")?.focus();
  });
  // An overlay closes with its chat, so that it doesn't cover the next one.
  onCleanup(() => setOpen(true, false));
  // When the inspector is an overlay, it traps the focus, because it covers the content below.
  const onKeyDown = (event: KeyboardEvent) => {
    // Menus and dialogs opened from the inspector handle keys themselves.
    if (!props.overlay || event.defaultPrevented || !aside.contains(event.target as Node)) return;
    if (event.key === "Escape" && !isComposing(event)) {
      event.stopPropagation();
      closeInspector(true);
    }
    if (event.key !== "Tab") return;
    const stops = [...aside.querySelectorAll<HTMLElement>("button, input, textarea, [tabindex]")].filter(
      (stop) => stop.tabIndex >= 0 && !stop.hasAttribute("disabled"),
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
      <aside ref={aside} class="inspector" aria-label={t.title} onKeyDown={onKeyDown}>
        <Show when={!props.overlay}>
          <Resizer
            class="resizer inspector-edge"
            side="right"
            label={t.resize}
            width={props.width}
            min={inspectorWidth.min}
            max={props.max}
            normal={normalWidth()}
            onWidth={(to) => setSavedWidth(to === normalWidth() ? 0 : to)}
            onDone={saveWidth}
          />
        </Show>
        <Show keyed when={chatId()}>
          {(id) => <InspectorBody chatId={id} overlay={props.overlay} />}
        </Show>
      </aside>
    </>
  );
}

/** InspectorBody is the inspector's content for one chat. */
function InspectorBody(props: { chatId: string; overlay: boolean }) {
  const state = useStore();
  const panel = createUniqueId();
  let tabs!: HTMLDivElement;
  const changes = createChanges(props.chatId);
  const sessions = createMemo(() => sessionsOf(state, props.chatId).length);
  const badge = {
    changes: () => changes.value()?.files.length ?? 0,
    sessions,
    terminal: () => 0,
    protocol: () => 0,
  };
  // The session that the changes are limited to doesn't exist in other chats.
  onCleanup(() => setChangesOf(""));

  const onKeyDown = (event: KeyboardEvent) => {
    const at = inspectorTabs.indexOf(inspectorTab());
    const last = inspectorTabs.length - 1;
    const to = {
      ArrowRight: at === last ? 0 : at + 1,
      ArrowLeft: at === 0 ? last : at - 1,
      Home: 0,
      End: last,
    }[event.key];
    const tab = to === undefined ? undefined : inspectorTabs[to];
    if (!tab) return;
    event.preventDefault();
    setInspectorTab(tab);
    tabs.querySelector<HTMLElement>("[aria-selected=true]")?.focus();
  };
  return (
    <>
      <div class="bar">
        <div ref={tabs} class="tabs" role="tablist" aria-label={t.title} onKeyDown={onKeyDown}>
          <For each={inspectorTabs}>
            {(tab) => (
              <button
                type="button"
                class="tab"
                role="tab"
                tabIndex={tab === inspectorTab() ? 0 : -1}
                aria-selected={tab === inspectorTab()}
                aria-controls={tab === inspectorTab() ? panel : undefined}
                aria-label={t.tabs[tab]}
                onClick={() => setInspectorTab(tab)}
              >
                {t.tabs[tab]}
                <Show when={badge[tab]() > 0}>
                  <span class="badge">{badge[tab]()}</span>
                </Show>
              </button>
            )}
          </For>
        </div>
        <span class="grow" />
        <IconButton icon={X} label={t.close} onClick={() => closeInspector(props.overlay)} />
      </div>
      <div id={panel} class="inspector-panel" role="tabpanel" aria-label={t.tabs[inspectorTab()]}>
        <Switch
          fallback={
            <>
              <AgentPlan chatId={props.chatId} />
              <Changes chatId={props.chatId} changes={changes} />
            </>
          }
        >
          <Match when={inspectorTab() === "sessions"}>
            <Sessions chatId={props.chatId} onShow={() => props.overlay && setOpen(true, false)} />
          </Match>
          <Match when={inspectorTab() === "terminal"}>
            <Terminal chatId={props.chatId} />
          </Match>
          <Match when={inspectorTab() === "protocol"}>
            <Protocol chatId={props.chatId} />
          </Match>
        </Switch>
      </div>
    </>
  );
}
