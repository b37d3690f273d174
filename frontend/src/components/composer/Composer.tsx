// Where the user writes. Enter sends, or queues while a turn runs; nothing
// that was written is lost before it is sent.

import ArrowUp from "lucide-solid/icons/arrow-up";
import SquareSlash from "lucide-solid/icons/square-slash";
import {
  createEffect,
  createMemo,
  createSignal,
  createUniqueId,
  For,
  on,
  onCleanup,
  onMount,
  Show,
  untrack,
} from "solid-js";
import { count, utf8Size } from "../../lib/format";
import { actions } from "../../state/actions";
import { conditionOf } from "../../state/condition";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { MaxPromptBytes } from "../../state/words";
import { words } from "../../words";
import { noteSent } from "../transcript/view";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { isMod, keyShortcuts } from "../ui/Kbd";
import { Popover } from "../ui/Popover";
import { folderName } from "../ui/path";
import { matching } from "./commands";
import { Pickers } from "./Pickers";

/** How long after the last key a draft is kept. */
const draftMillis = 400;
/** The text grows to this many lines, then it scrolls. */
const mostLines = 10;
/** From here on the context ring warns. */
const hotPercent = 80;

export interface ComposerProps {
  chatId: string;
  /** Up in an empty composer edits the message that was queued last. */
  onEditLast(): void;
}

function Context(props: { used: number; size: number }) {
  const percent = () => Math.min(100, Math.round((100 * props.used) / props.size));
  const length = 2 * Math.PI * 6;
  return (
    <Popover
      label={words.chat.composer.contextLabel(percent())}
      title={words.chat.composer.context}
      triggerClass="pick whole"
      class="context"
      trigger={
        <>
          <svg
            class="ring"
            classList={{ hot: percent() >= hotPercent }}
            viewBox="0 0 16 16"
            aria-hidden="true"
          >
            <circle cx="8" cy="8" r="6" />
            <circle
              class="v"
              cx="8"
              cy="8"
              r="6"
              stroke-dasharray={`${((length * percent()) / 100).toFixed(1)} ${length.toFixed(1)}`}
            />
          </svg>
          <span class="num lbl">{percent()}%</span>
        </>
      }
    >
      <div class="row">
        <strong>{words.chat.composer.contextOf(count(props.used), count(props.size))}</strong>
        <span class="grow" />
        <span class="muted num">{percent()}%</span>
      </div>
      <div class="meter">
        <i style={{ width: `${percent()}%` }} />
      </div>
      <p class="muted">{words.chat.composer.contextBody}</p>
    </Popover>
  );
}

/** Composer is the form under a transcript. */
export function Composer(props: ComposerProps) {
  const state = useStore();
  let field!: HTMLTextAreaElement;
  const listId = createUniqueId();
  const chat = () => state.chats[props.chatId];
  // Commands and context are those of the session that answers.
  const session = () => select.answeringSession(state, props.chatId);
  const connection = () => select.connection(state, props.chatId);
  const running = () => chat()?.turnState === "running";

  const [text, setText] = createSignal(untrack(() => chat()?.draft ?? ""));
  const [failure, setFailure] = createSignal("");
  const [sending, setSending] = createSignal(false);
  const [closed, setClosed] = createSignal(false);
  const [chosen, setChosen] = createSignal(0);
  const isEmpty = () => text().trim() === "";

  const commands = () => session()?.commands ?? [];
  const matches = createMemo(() => (closed() ? undefined : matching(commands(), text())));
  createEffect(on(matches, () => setChosen(0)));

  const placeholder = () => {
    switch (conditionOf(state, props.chatId)) {
      case "sign_in":
      case "agent_sign_in":
      case "no_access":
      case "locked":
        return words.chat.composer.untilSignIn;
      case "offline":
        return words.chat.composer.untilBack;
    }
    const c = connection().state;
    if (c === "waiting" || c === "failed") return words.chat.composer.untilBack;
    if (running()) return words.chat.composer.queue;
    const page = state.pages[props.chatId];
    if (page && page.order.length === 0) return words.chat.composer.first(folderName(chat()?.folder ?? ""));
    return words.chat.composer.placeholder;
  };

  // The draft is kept a moment after the last key, and at once when the
  // composer goes away.
  let timer: ReturnType<typeof setTimeout> | undefined;
  let kept = untrack(text);
  const keepDraft = () => {
    clearTimeout(timer);
    timer = undefined;
    if (kept === text()) return;
    kept = text();
    actions.saveDraft(props.chatId, kept);
  };
  const onUnload = () => keepDraft();
  onMount(() => window.addEventListener("pagehide", onUnload));
  onCleanup(() => {
    window.removeEventListener("pagehide", onUnload);
    untrack(keepDraft);
  });

  const grow = () => {
    field.style.height = "auto";
    const style = getComputedStyle(field);
    const line = Number.parseFloat(style.lineHeight) || 24;
    const padding =
      (Number.parseFloat(style.paddingTop) || 0) + (Number.parseFloat(style.paddingBottom) || 0);
    field.style.height = `${Math.min(field.scrollHeight, line * mostLines + padding)}px`;
  };
  createEffect(on(text, () => grow()));

  const change = (value: string) => {
    setText(value);
    setFailure("");
    setClosed(false);
    clearTimeout(timer);
    timer = setTimeout(keepDraft, draftMillis);
  };

  // Enter was pressed while the message before was being kept.
  let again = false;
  const send = () => {
    if (isEmpty()) return;
    if (sending()) {
      again = true;
      return;
    }
    const message = text();
    const size = utf8Size(message);
    if (size > MaxPromptBytes) {
      setFailure(words.chat.composer.tooLarge(count(size), count(MaxPromptBytes)));
      return;
    }
    clearTimeout(timer);
    setSending(true);
    setFailure("");
    actions.send(props.chatId, message).then(
      (id) => {
        noteSent(id);
        setSending(false);
        // What was typed meanwhile is the next message.
        const rest = text().startsWith(message) ? text().slice(message.length) : text();
        setText(rest);
        keepDraft();
        if (again) {
          again = false;
          send();
        }
      },
      (thrown) => {
        setSending(false);
        again = false;
        setFailure(thrown.message);
        keepDraft();
      },
    );
  };

  const pick = (at: number) => {
    const command = matches()?.[at];
    if (!command) return;
    change(`/${command.id} `);
    field.focus();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and arrows belong to it. Safari
    // ends the composition before the key that ended it, hence the code.
    if (event.isComposing || event.keyCode === 229) return;
    const list = matches();
    if (list && list.length > 0) {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && !event.altKey) {
        event.preventDefault();
        setChosen((now) => (now + step + list.length) % list.length);
        return;
      }
      if ((event.key === "Enter" && !event.shiftKey) || event.key === "Tab") {
        event.preventDefault();
        pick(chosen());
        return;
      }
    }
    if (list && event.key === "Escape") {
      event.preventDefault();
      setClosed(true);
      return;
    }
    if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && !event.altKey && text() === "") {
      props.onEditLast();
    }
  };

  const onShortcut = (event: KeyboardEvent) => {
    if (event.key !== "." || !isMod(event) || event.shiftKey || event.repeat || !running()) return;
    if (document.querySelector("[role=alertdialog], .dialog")) return;
    event.preventDefault();
    actions.stop(props.chatId);
  };
  onMount(() => window.addEventListener("keydown", onShortcut));
  onCleanup(() => window.removeEventListener("keydown", onShortcut));

  const optionId = (at: number) => `${listId}-${at}`;
  const isOpen = () => (matches()?.length ?? 0) > 0;

  return (
    <form
      class="composer"
      aria-label={words.chat.composer.label}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Show when={isOpen()}>
        <CommandList
          id={listId}
          optionId={optionId}
          commands={matches() ?? []}
          chosen={chosen()}
          onPick={pick}
        />
      </Show>
      <Show when={failure()}>
        <p class="composer-failure c-bad" role="alert">
          {failure()}
        </p>
      </Show>
      <textarea
        ref={field}
        class="ta sel"
        rows="1"
        aria-label={words.chat.composer.message}
        placeholder={placeholder()}
        aria-autocomplete="list"
        aria-controls={isOpen() ? listId : undefined}
        aria-activedescendant={isOpen() ? optionId(chosen()) : undefined}
        value={text()}
        onInput={(event) => change(event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <div class="bar2">
        <Show when={commands().length > 0}>
          <IconButton
            icon={SquareSlash}
            label={words.chat.composer.commands}
            disabled={text() !== "" && !isOpen()}
            onClick={() => {
              change(isOpen() ? "" : "/");
              field.focus();
            }}
          />
        </Show>
        <Show when={commands().length > 0}>
          <span class="sep" />
        </Show>
        <Pickers chatId={props.chatId} />
        <span class="grow" />
        <Show when={session()?.size}>{(size) => <Context used={session()?.used ?? 0} size={size()} />}</Show>
        <Show
          when={running()}
          fallback={
            <button
              type="submit"
              class="send"
              aria-label={words.chat.composer.send}
              title={words.chat.composer.send}
              disabled={isEmpty() || sending()}
            >
              <Icon of={ArrowUp} />
            </button>
          }
        >
          <Button
            type="submit"
            look="ghost"
            class="queue-button"
            disabled={isEmpty() || sending()}
            aria-label={words.chat.composer.queueButton}
          >
            {words.chat.composer.queueButton}
          </Button>
          <button
            type="button"
            class="send stop"
            aria-label={words.chat.composer.stop}
            title={words.chat.composer.stop}
            aria-keyshortcuts={keyShortcuts("Mod", ".")}
            onClick={() => actions.stop(props.chatId)}
          >
            <span class="sq" />
          </button>
        </Show>
      </div>
    </form>
  );
}

interface CommandListProps {
  id: string;
  optionId(at: number): string;
  commands: { id: string; description?: string }[];
  chosen: number;
  onPick(at: number): void;
}

function CommandList(props: CommandListProps) {
  let list!: HTMLDivElement;
  createEffect(() => {
    list.children[props.chosen]?.scrollIntoView?.({ block: "nearest" });
  });
  return (
    <div
      ref={list}
      id={props.id}
      class="pop commands"
      role="listbox"
      aria-label={words.chat.composer.commandList}
    >
      <For each={props.commands}>
        {(command, at) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text, which names the active option.
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled by the text.
          <div
            id={props.optionId(at())}
            class="opt"
            role="option"
            aria-selected={at() === props.chosen}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => props.onPick(at())}
          >
            <span class="command-name">/{command.id}</span>
            <span class="r trunc">{command.description}</span>
          </div>
        )}
      </For>
    </div>
  );
}
