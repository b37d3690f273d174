// The permissions of a chat's agents: the permission mode, and the sandbox for their commands.

import { Popover } from "@kobalte/core/popover";
import Box from "lucide-solid/icons/box";
import Check from "lucide-solid/icons/check";
import ChevronDown from "lucide-solid/icons/chevron-down";
import Shield from "lucide-solid/icons/shield";
import { createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { provide } from "../../state/commands";
import { isOffered, isSandboxed } from "../../state/sandbox";
import { useStore } from "../../state/store";
import type { PermissionMode, Sandbox } from "../../state/types";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Icon } from "../ui/Icon";
import { isFocusTaken } from "../ui/opener";
import { SandboxControls } from "./SandboxControls";
import "../ui/menu.css";
import "../ui/picker.css";
import "./permission-picker.css";

const t = messages.sandbox;
const modes: PermissionMode[] = ["ask", "accept_edits", "bypass"];

/**
 * modeBody describes a permission mode. If `askOutside` is set, even the mode "Allow everything" asks about
 * files outside the folder.
 */
function modeBody(mode: PermissionMode, askOutside: boolean, sandboxed: boolean): string {
  const name = mode === "bypass" && !askOutside ? "bypassOutside" : mode;
  return sandboxed && name !== "ask" ? t.modeBodies[name] : messages.chat.modeBodies[name];
}

export interface PermissionPickerProps {
  agentId: string;
  /** The name of the agent. */
  agent: string;
  mode: PermissionMode;
  sandbox: Sandbox;
  onChange: (mode: PermissionMode) => void;
  onSandbox: (sandbox: Sandbox) => void;
}

/**
 * PermissionPicker is a button that opens a panel with the permission modes and the sandbox. It is amber
 * while everything is allowed outside the sandbox. Allowing everything requires confirmation, and so
 * does turning off the sandbox while everything is allowed.
 */
export function PermissionPicker(props: PermissionPickerProps) {
  const state = useStore();
  const [open, setOpen] = createSignal(false);
  const [asks, setAsks] = createSignal(false);
  const [leaves, setLeaves] = createSignal(false);
  const [announced, setAnnounced] = createSignal("");
  let trigger: HTMLButtonElement | undefined;
  let menu: HTMLDivElement | undefined;
  /** The text field, which gets the focus after a selection. */
  let text: HTMLElement | null | undefined;

  const sandboxed = () => isSandboxed(state, props.agentId, props.sandbox);
  const label = () => messages.chat.modes[props.mode];
  const name = () => `${messages.composer.permissions}: ${sandboxed() ? t.named(label()) : label()}`;

  const choose = (mode: PermissionMode) => {
    text = trigger?.closest("form")?.querySelector("textarea");
    if (mode === "bypass" && props.mode !== "bypass") setAsks(true);
    else if (mode !== props.mode) props.onChange(mode);
    setOpen(false);
  };
  const turn = (on: boolean) => props.onSandbox({ ...props.sandbox, on });
  /**
   * change applies new sandbox settings. If everything would then be allowed outside the sandbox, it
   * first asks for confirmation.
   */
  const change = (sandbox: Sandbox) => {
    if (sandboxed() && !sandbox.on && props.mode === "bypass") {
      setOpen(false);
      setLeaves(true);
    } else props.onSandbox(sandbox);
  };
  provide("allowAll", () => setAsks(true));
  provide(
    "sandbox",
    () => {
      const on = !sandboxed();
      change({ ...props.sandbox, on });
      if (!leaves()) setAnnounced(on ? t.turnedOn : t.turnedOff);
    },
    () => isOffered(state, props.agentId) || sandboxed(),
  );

  const items = () => [...(menu?.querySelectorAll<HTMLElement>("[role=menuitemradio]") ?? [])];
  const onKeyDown = (event: KeyboardEvent) => {
    const all = items();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const to =
      step !== undefined
        ? all[(at + step + all.length) % all.length]
        : event.key === "Home"
          ? all[0]
          : event.key === "End"
            ? all.at(-1)
            : undefined;
    if (!to) return;
    event.preventDefault();
    to.focus();
  };

  return (
    <>
      <Popover placement="top-start" gutter={6} open={open()} onOpenChange={setOpen}>
        <Popover.Trigger
          as="button"
          ref={trigger}
          type="button"
          class="pick whole"
          classList={{ warn: props.mode === "bypass" && !sandboxed() }}
          aria-label={name()}
          // The tooltip would cover the list.
          title={open() ? undefined : name()}
          onKeyDown={(event: KeyboardEvent) => {
            if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
            event.preventDefault();
            setOpen(true);
          }}
        >
          <Show when={sandboxed()} fallback={<Icon of={Shield} />}>
            <Icon of={Box} />
          </Show>
          <span class="lbl trunc spare">{label()}</span>
          <Icon of={ChevronDown} class="cv" />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content
            class="pop picker perms"
            onOpenAutoFocus={(event) => {
              event.preventDefault();
              items()
                .find((item) => item.getAttribute("aria-checked") === "true")
                ?.focus();
            }}
            onCloseAutoFocus={(event) => {
              event.preventDefault();
              const to = text?.isConnected ? text : trigger;
              text = undefined;
              // The selection may open a dialog or another page, which then has the focus.
              if (!isFocusTaken() && !document.querySelector("[role=dialog][aria-modal], .dialog"))
                to?.focus({ preventScroll: true });
            }}
          >
            <Popover.Title class="sr">{messages.composer.permissions}</Popover.Title>
            <div ref={menu} role="menu" aria-label={messages.composer.permissions} onKeyDown={onKeyDown}>
              <For each={modes}>
                {(mode) => (
                  <button
                    type="button"
                    class="opt mo"
                    role="menuitemradio"
                    aria-checked={mode === props.mode}
                    tabIndex={mode === props.mode ? 0 : -1}
                    onClick={() => choose(mode)}
                  >
                    <Icon of={Check} size="sm" class={mode === props.mode ? "" : "hid"} />
                    <span class="tx">
                      <strong>{messages.chat.modes[mode]}</strong>{" "}
                      <span class="ds">{modeBody(mode, state.settings.askOutside, sandboxed())}</span>
                    </span>
                  </button>
                )}
              </For>
            </div>
            <hr class="hr" />
            <SandboxControls
              agentId={props.agentId}
              agent={props.agent}
              sandbox={props.sandbox}
              onChange={change}
              onLeave={() => setOpen(false)}
            />
          </Popover.Content>
        </Popover.Portal>
      </Popover>
      <span class="sr" role="status">
        {announced()}
      </span>
      <ConfirmDialog
        open={asks()}
        title={messages.composer.allow.title}
        body={
          sandboxed()
            ? t.allowBody(props.agent, state.settings.askOutside)
            : messages.composer.allow.body(props.agent, state.settings.askOutside)
        }
        confirm={messages.composer.allow.confirm}
        onConfirm={() => {
          setAsks(false);
          props.onChange("bypass");
        }}
        onClose={() => setAsks(false)}
      />
      <ConfirmDialog
        open={leaves()}
        title={t.leave.title}
        body={t.leave.body(props.agent)}
        confirm={t.leave.confirm}
        onConfirm={() => {
          setLeaves(false);
          turn(false);
        }}
        onClose={() => setLeaves(false)}
      />
    </>
  );
}
