// The page of the quick prompt: text, a target to send it to, and Enter to send.

import Box from "lucide-solid/icons/box";
import Shield from "lucide-solid/icons/shield";
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { applyAppearance, followSystem } from "../appearance";
import { Button } from "../components/ui/Button";
import { Icon } from "../components/ui/Icon";
import { Kbd } from "../components/ui/Kbd";
import { Logo } from "../components/ui/Logo";
import { Picker } from "../components/ui/Picker";
import { messages } from "../i18n";
import { translateEvent } from "../i18n/translate";
import type { PermissionMode, QuickCommand, QuickModel, QuickTarget, QuickView } from "../state/types";
import { emit, onCommand } from "./bridge";
import { Target } from "./Target";
import "./quick.css";

const t = messages.quick;
const modes: PermissionMode[] = ["ask", "accept_edits"];

/** Delay in milliseconds between the last change to the text and storing it. */
const saveMillis = 300;

/** keyOf returns the picker's key for a model or agent. */
const keyOf = (one: { agentId?: string; mainId?: string }) => `${one.agentId ?? ""}\n${one.mainId ?? ""}`;

const same = (a: QuickTarget, b: QuickTarget) => a.chatId === b.chatId && a.folder === b.folder;

/**
 * bodyOf returns the second line of a choice in the picker: for a model, its provider; for an agent,
 * "Copilot CLI with …" if it uses a provider's model, otherwise "Other agent".
 */
function bodyOf(one: QuickModel): string | undefined {
  if (!one.agentId) return one.provider;
  return one.provider ? messages.model.cliWith(one.provider) : messages.model.otherAgent;
}

export function Quick() {
  const [shown, setShown] = createSignal<QuickView>({
    targets: [],
    answerers: [],
    mode: "ask",
    theme: "",
    contrast: "",
    motion: "",
    textSize: "",
  });
  const [text, setText] = createSignal("");
  const [at, setAt] = createSignal(0);
  const [answerer, setAnswerer] = createSignal("");
  const [mode, setMode] = createSignal<PermissionMode>("ask");
  const [failure, setFailure] = createSignal("");
  const [sending, setSending] = createSignal(false);
  const targets = () => shown().targets;
  const look = () => {
    const { theme, contrast, motion, textSize } = shown();
    return { theme, contrast, motion, text: textSize, code: "" };
  };
  const target = (): QuickTarget | undefined => targets()[at()];
  const sandboxed = () => shown().answerers.some((one) => keyOf(one) === answerer() && one.sandbox);
  const chosen = () => (target() ? `quick-${at()}` : undefined);
  let field: HTMLTextAreaElement | undefined;
  let list: HTMLDivElement | undefined;
  let open = false; // stays set while the window is shown
  let keeping: ReturnType<typeof setTimeout> | undefined;

  const keep = () => {
    clearTimeout(keeping);
    emit({ draft: { text: text() } });
  };
  const write = (value: string) => {
    setText(value);
    setFailure("");
    clearTimeout(keeping);
    keeping = setTimeout(keep, saveMillis);
  };
  const close = () => {
    open = false;
    keep();
    emit({ closed: true });
  };
  const choose = (to: number) => {
    setAt(Math.max(0, Math.min(targets().length - 1, to)));
    list?.children[at()]?.scrollIntoView?.({ block: "nearest" });
  };

  const show = (next: QuickView) => {
    const before = target();
    // Unchanged targets aren't rendered again, because the window must appear immediately.
    const known = JSON.stringify(targets()) === JSON.stringify(next.targets);
    setShown(known ? { ...next, targets: targets() } : next);
    applyAppearance(look());
    if (text() === "") setText(next.text ?? "");
    const again = before && text() !== "" ? next.targets.findIndex((one) => same(one, before)) : 0;
    choose(again);
    setAnswerer(keyOf(next));
    setMode(next.mode);
    setFailure("");
    field?.focus();
    tellWhenPainted();
  };
  // tellWhenPainted reports when the raised window is usable: once its field has the focus and the next frame has
  // been rendered, or after five seconds at the latest.
  let untold = () => {};
  const tellWhenPainted = () => {
    untold();
    let frame = 0;
    const painted = () => {
      untold();
      open = true;
      emit({ shown: true });
    };
    const soon = () => {
      field?.focus();
      frame = requestAnimationFrame(() => {
        frame = requestAnimationFrame(painted);
      });
    };
    const late = setTimeout(painted, 5000); // a desktop may refuse the focus
    untold = () => {
      clearTimeout(late);
      cancelAnimationFrame(frame);
      window.removeEventListener("focus", soon);
    };
    if (document.hasFocus()) soon();
    else window.addEventListener("focus", soon, { once: true });
  };
  const obey = (order: QuickCommand) => {
    if (order.show) show(order.show);
    else if (order.sent) {
      open = false;
      clearTimeout(keeping);
      setText("");
      setSending(false);
    } else if (order.failed) {
      setFailure(order.failed);
      setSending(false);
      field?.focus();
    }
  };

  const send = () => {
    if (text().trim() === "" || sending()) return;
    setSending(true);
    const to = target();
    keep();
    if (!to) emit({ open: true });
    else if (to.chatId) emit({ send: { text: text(), chatId: to.chatId } });
    else {
      const [agentId, mainId] = answerer().split("\n");
      emit({ send: { text: text(), folder: to.folder, agentId, mainId, mode: mode() } });
    }
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // Safari and WebKitGTK end a composition before the keydown event of the key that ended it.
    if (event.isComposing || event.keyCode === 229) return;
    const value = text();
    const { selectionStart: from = 0, selectionEnd: to = 0 } = field ?? {};
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) send();
    else if (event.key === "ArrowDown" && !event.shiftKey && !value.slice(to).includes("\n"))
      choose(at() + 1);
    else if (event.key === "ArrowUp" && !event.shiftKey && !value.slice(0, from).includes("\n"))
      choose(at() - 1);
    else return;
    event.preventDefault();
  };
  const onEscape = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || event.isComposing || event.keyCode === 229) return;
    if (document.querySelector(".pop.picker")) return;
    event.preventDefault();
    close();
  };
  const onBlur = () => {
    if (open && text().trim() === "" && !sending()) close();
  };

  onMount(() => {
    document.title = t.title;
    onCleanup(onCommand((order) => obey(translateEvent(order))));
    onCleanup(followSystem(look));
    window.addEventListener("keydown", onEscape, true);
    window.addEventListener("blur", onBlur);
    onCleanup(() => {
      window.removeEventListener("keydown", onEscape, true);
      window.removeEventListener("blur", onBlur);
      clearTimeout(keeping);
      untold();
    });
    emit({ ready: true });
  });

  return (
    <main>
      <div class="qp" role="dialog" aria-labelledby="quick-title">
        <h1 id="quick-title" class="sr">
          {t.title}
        </h1>
        <div class="qp-in">
          <span class="qm">
            <Logo />
          </span>
          <textarea
            ref={field}
            class="ta sel"
            aria-label={t.message}
            aria-controls="quick-targets"
            aria-activedescendant={chosen()}
            placeholder={t.placeholder}
            spellcheck={false}
            readOnly={sending()}
            value={text()}
            onInput={(event) => write(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
        </div>
        <div class="qp-to">
          <Show when={failure()} fallback={<p class="cap">{targets().length > 0 ? t.sendTo : t.none}</p>}>
            <p class="cap c-bad" role="alert">
              {failure()}
            </p>
          </Show>
          <div
            id="quick-targets"
            ref={list}
            class="targets"
            role="listbox"
            aria-label={t.sendTo}
            aria-activedescendant={chosen()}
            tabIndex={0}
            onKeyDown={onKeyDown}
          >
            <For each={targets()}>
              {(one, index) => (
                <button
                  type="button"
                  id={`quick-${index()}`}
                  class="opt"
                  role="option"
                  tabindex="-1"
                  aria-selected={index() === at()}
                  onClick={() => {
                    choose(index());
                    field?.focus();
                  }}
                >
                  <Target of={one} />
                </button>
              )}
            </For>
          </div>
        </div>
        <div class="qp-ft">
          <Show when={target() && !target()?.chatId}>
            <Show when={shown().answerers.length > 1}>
              <Picker
                name={t.model}
                value={answerer()}
                choices={shown().answerers.map((one) => ({
                  value: keyOf(one),
                  label: one.name,
                  body: bodyOf(one),
                }))}
                onChange={(key) => {
                  setAnswerer(key);
                  field?.focus();
                }}
              />
            </Show>
            <Picker
              name={messages.composer.permissions}
              icon={<Icon of={sandboxed() ? Box : Shield} />}
              spoken={sandboxed() ? messages.sandbox.named(messages.chat.modes[mode()]) : undefined}
              value={mode()}
              choices={modes.map((value) => ({
                value,
                label: messages.chat.modes[value],
                body:
                  sandboxed() && value === "accept_edits"
                    ? messages.sandbox.modeBodies[value]
                    : messages.chat.modeBodies[value],
              }))}
              onChange={(value) => {
                setMode(value as PermissionMode);
                field?.focus();
              }}
            />
          </Show>
          <span class="grow" />
          <span class="row subtle keys">
            <Kbd keys={["ArrowUp", "ArrowDown"]} /> {t.choose}
          </span>
          <span class="row subtle keys">
            <Kbd keys={["Escape"]} /> {t.close}
          </span>
          <Button
            look="primary"
            aria-label={t.send}
            disabled={text().trim() === "" || sending()}
            onClick={send}
          >
            {t.send} <Kbd keys={["Enter"]} />
          </Button>
        </div>
      </div>
    </main>
  );
}
