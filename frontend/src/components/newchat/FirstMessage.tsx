// Where the first message of a chat is written. What goes with it waits here:
// there is no chat yet that could have it.

import ArrowUp from "lucide-solid/icons/arrow-up";
import AtSign from "lucide-solid/icons/at-sign";
import ImageIcon from "lucide-solid/icons/image";
import { batch, createEffect, createMemo, createUniqueId, type JSX, on, Show } from "solid-js";
import { actions } from "../../state/actions";
import { isWord } from "../../state/composer";
import type { Attachment } from "../../state/words";
import { words } from "../../words";
import { Attachments } from "../composer/Attachments";
import { createCompletion, type Option } from "../composer/completion";
import { grow, replace } from "../composer/field";
import { createIntake } from "../composer/intake";
import { List } from "../composer/List";
import { hasMarks, Marks } from "../composer/Marks";
import { marksOf, type Token } from "../composer/token";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { attached } from "./attached";

const w = words.newChat;

export interface FirstMessageProps {
  text: string;
  onText(text: string): void;
  /** The folder whose files can be mentioned, "" where none can. */
  folder: string;
  placeholder: string;
  who: string;
  /** Whether a message could be sent now, if there is one. */
  canSend: boolean;
  onSend(text: string, attachments: Attachment[]): void;
  ref(field: HTMLTextAreaElement): void;
  /** What stands in the bar: who answers. */
  children: JSX.Element;
}

export function FirstMessage(props: FirstMessageProps) {
  let field!: HTMLTextAreaElement;
  let under: HTMLDivElement | undefined;
  const listId = createUniqueId();
  const optionId = (at: number) => `${listId}-${at}`;
  const text = () => props.text;
  const attachments = createMemo(() => attached.with(text(), props.folder));

  // Enter was pressed while something was being read that goes with the message.
  let again = false;
  const intake = createIntake({
    chatId: "",
    count: () => attachments().length,
    attach: attached.add,
    takesImages: () => true,
    who: () => props.who,
    onFailed: () => {
      again = false;
    },
  });
  const isEmpty = () => text().trim() === "" && attachments().length === 0;
  const canSend = () => props.canSend && (!isEmpty() || intake.pending().length > 0);
  const send = () => {
    again = false;
    if (!canSend()) return;
    again = intake.pending().length > 0;
    if (!again) props.onSend(text(), attachments());
  };
  createEffect(on(intake.pending, (pending) => pending.length === 0 && again && send(), { defer: true }));

  const onPick = (option: Option, token: Token) => {
    if (option.kind !== "file") return;
    const follows = /^\s/.test(text().slice(token.to, token.to + 1));
    attached.add({
      kind: "mention",
      name: option.path,
      path: `${props.folder.replace(/[\\/]+$/, "")}/${option.path.replace(/\/$/, "")}`,
    });
    replace(field, token.from, token.to, follows ? `@${option.path}` : `@${option.path} `);
    if (follows) field.setSelectionRange(field.selectionEnd + 1, field.selectionEnd + 1);
    completion.follow();
  };
  const completion = createCompletion({
    files: (typed, limit) => actions.filesIn(props.folder, typed, limit),
    field: () => field,
    text,
    commands: () => [],
    onPick,
  });
  const token = () => (props.folder === "" ? undefined : completion.token());
  const marks = createMemo(() => marksOf(text(), token(), attachments(), props.folder));

  // A value that the field has already is not given to it again: an input
  // method that composes would lose its place.
  createEffect(
    on(text, (now) => {
      if (field.value !== now) field.value = now;
      grow(field);
    }),
  );
  const scrollUnder = () => {
    if (under) under.scrollTop = field.scrollTop;
  };
  createEffect(on(marks, scrollUnder));

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing || event.keyCode === 229) return;
    if (props.folder !== "" && completion.onKey(event)) {
      event.preventDefault();
      return;
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  };
  /** The button for the list of files types its sign, or takes it away again. */
  const typeSign = () => {
    const now = completion.token();
    const at = field.selectionEnd;
    if (now?.kind === "file" && now.typed === "") replace(field, now.from, now.from + 1, "");
    else replace(field, at, at, isWord(text().slice(0, at)) ? " @" : "@");
    completion.follow();
  };
  return (
    <form
      class="composer"
      classList={{ "is-drop": intake.dragging() }}
      data-drop={words.composer.attachments.drop}
      aria-label={w.composer}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <Show when={props.folder !== ""}>
        <List id={listId} optionId={optionId} completion={completion} />
      </Show>
      <Show when={intake.failure()}>
        {(message) => (
          <p class="composer-failure c-bad" role="alert">
            {message()}
          </p>
        )}
      </Show>
      <Attachments
        attachments={attachments().filter((one) => one.kind !== "mention")}
        pending={intake.pending()}
        onRemove={(attachment) => {
          attached.remove(attachment);
          field.focus();
        }}
      />
      <div class="field">
        <Marks
          text={text()}
          marks={marks()}
          ref={(element) => {
            under = element;
          }}
        />
        <textarea
          ref={(element) => {
            field = element;
            props.ref(element);
          }}
          class="ta sel"
          classList={{ see: hasMarks({ text: text(), marks: marks() }) }}
          rows={1}
          aria-label={w.message}
          placeholder={props.placeholder}
          aria-autocomplete="list"
          aria-controls={token() && completion.isOpen() ? listId : undefined}
          aria-activedescendant={token() && completion.isOpen() ? optionId(completion.chosen()) : undefined}
          onInput={(event) => {
            const { value } = event.currentTarget;
            // Who goes on writing is not done with the message.
            again = false;
            batch(() => {
              if (!event.isComposing) completion.follow();
              props.onText(value);
            });
            intake.clear();
          }}
          onCompositionEnd={completion.follow}
          onKeyDown={onKeyDown}
          onKeyUp={(event) => !event.isComposing && completion.follow()}
          onClick={completion.follow}
          onBlur={completion.leave}
          onPaste={(event) => {
            if (event.clipboardData && intake.paste(event.clipboardData)) event.preventDefault();
          }}
          onScroll={scrollUnder}
        />
      </div>
      <div class="bar2">
        <IconButton icon={ImageIcon} label={words.composer.attachments.add} onClick={intake.pick} />
        <Show when={props.folder !== ""}>
          <IconButton
            icon={AtSign}
            label={words.composer.files.mention}
            onMouseDown={(event) => event.preventDefault()}
            onClick={typeSign}
          />
        </Show>
        <span class="sep" />
        {props.children}
        <span class="grow" />
        <button type="submit" class="send" aria-label={w.send} disabled={!canSend()}>
          <Icon of={ArrowUp} />
        </button>
      </div>
    </form>
  );
}
