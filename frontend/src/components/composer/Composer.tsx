// Where the user writes. Enter sends, or queues while a turn runs; nothing
// that was written is lost before it is sent.

import AtSign from "lucide-solid/icons/at-sign";
import ImageIcon from "lucide-solid/icons/image";
import SquareSlash from "lucide-solid/icons/square-slash";
import { batch, createEffect, createMemo, createUniqueId, on, onCleanup, onMount, Show } from "solid-js";
import { actions } from "../../state/actions";
import { composer, isWord } from "../../state/composer";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { words } from "../../words";
import { IconButton } from "../ui/Button";
import { Attachments } from "./Attachments";
import { Context } from "./Context";
import { createCompletion, type Option } from "./completion";
import { grow, onFirstLine, onLastLine, replace } from "./field";
import { createFit } from "./fit";
import { createHistory } from "./history";
import { createIntake } from "./intake";
import { List } from "./List";
import { hasMarks, Marks } from "./Marks";
import { ChatPickers } from "./Pickers";
import { placeholderOf } from "./placeholder";
import { SendButtons } from "./SendButtons";
import { createSend, tooLarge } from "./send";
import { marksOf, type Token } from "./token";

export interface ComposerProps {
  chatId: string;
  /** Up in an empty composer edits the message that was queued last; false where there is none. */
  onEditLast(): boolean;
}

/** Composer is the form under a transcript. */
export function Composer(props: ComposerProps) {
  const state = useStore();
  // Dock makes a composer for each chat.
  const { chatId } = props;
  let field!: HTMLTextAreaElement;
  let under: HTMLDivElement | undefined;
  let bar!: HTMLDivElement;
  const listId = createUniqueId();
  const chat = () => state.chats[chatId];
  // Commands and context are those of the session that answers.
  const session = () => select.answeringSession(state, chatId);
  const connection = () => select.connection(state, chatId);
  const text = () => composer.draft(chatId).text;
  const commands = () => session()?.commands ?? [];
  const attachments = createMemo(() => composer.attached(chatId));

  const takesImages = () => !!chat()?.mainId || connection().can?.image !== false;
  const intake = createIntake({
    chatId,
    count: () => attachments().length,
    attach: (attachment) => composer.attach(chatId, attachment),
    takesImages,
    who: () => select.answerer(state, chat()),
    onFailed: () => giveUp(),
  });
  const { sending, failure, setFailure, isEmpty, send, goOn, giveUp } = createSend(
    chatId,
    () => intake.pending().length > 0,
  );
  createEffect(on(intake.pending, (pending) => pending.length === 0 && goOn(), { defer: true }));
  const history = createHistory(chatId);

  const onPick = (option: Option, token: Token) => {
    const name = option.kind === "file" ? `@${option.path}` : `/${option.command.id}`;
    const follows = /^\s/.test(text().slice(token.to, token.to + 1));
    if (option.kind === "file") {
      const root = (chat()?.folder ?? "").replace(/[\\/]+$/, "");
      composer.attach(chatId, {
        kind: "mention",
        name: option.path,
        path: `${root}/${option.path.replace(/\/$/, "")}`,
      });
    }
    replace(field, token.from, token.to, follows ? name : `${name} `);
    if (follows) field.setSelectionRange(field.selectionEnd + 1, field.selectionEnd + 1);
    completion.follow();
  };
  const completion = createCompletion({
    files: (typed, limit) => actions.files(chatId, typed, limit),
    field: () => field,
    text,
    commands,
    onPick,
  });
  const marks = createMemo(() => marksOf(text(), completion.token(), attachments(), chat()?.folder ?? ""));

  onMount(() => {
    window.addEventListener("pagehide", composer.keepAll);
    window.addEventListener("blur", composer.keepAll);
  });
  onCleanup(() => {
    window.removeEventListener("pagehide", composer.keepAll);
    window.removeEventListener("blur", composer.keepAll);
    composer.keep(chatId);
  });

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
  // What was put in by somebody else is read from its end on.
  createEffect(
    on(
      createMemo(() => composer.filled(chatId)),
      () => {
        field.focus();
        field.setSelectionRange(field.value.length, field.value.length);
        completion.leave();
      },
      { defer: true },
    ),
  );
  createFit(() => bar);

  const change = (value: string) => {
    composer.write(chatId, value);
    setFailure("");
    intake.clear();
  };

  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter and arrows belong to it. Safari
    // ends the composition before the key that ended it, hence the code.
    if (event.isComposing || event.keyCode === 229) return;
    if (completion.onKey(event)) {
      event.preventDefault();
      return;
    }
    if (event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") {
      event.preventDefault();
      send();
    } else if (event.key === "ArrowUp" && onFirstLine(field)) {
      if ((isEmpty() && props.onEditLast()) || history.up()) event.preventDefault();
    } else if (event.key === "ArrowDown" && onLastLine(field)) {
      if (history.down()) event.preventDefault();
    }
  };

  const onPaste = (event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (!data) return;
    if (intake.paste(data)) {
      event.preventDefault();
      return;
    }
    const { selectionStart, selectionEnd, value } = field;
    const after = value.slice(0, selectionStart) + data.getData("text/plain") + value.slice(selectionEnd);
    const wrong = tooLarge(after, words.composer.pasteTooLarge);
    if (wrong === "") return;
    event.preventDefault();
    setFailure(wrong);
  };

  /** The button for a list types its sign, or takes it away again. */
  const typeSign = (kind: Token["kind"], sign: string, at: number) => {
    const token = completion.token();
    if (token?.kind === kind && token.typed === "") replace(field, token.from, token.from + 1, "");
    else {
      const apart = kind === "file" && isWord(text().slice(0, at)) ? " " : "";
      replace(field, at, at, apart + sign);
    }
    completion.follow();
  };

  const optionId = (at: number) => `${listId}-${at}`;
  const isOpen = () => completion.isOpen();

  return (
    <form
      class="composer"
      classList={{ "is-drop": intake.dragging() }}
      data-drop={words.composer.attachments.drop}
      aria-label={words.composer.label}
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <List id={listId} optionId={optionId} completion={completion} />
      <Show when={failure() || intake.failure()}>
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
          composer.detach(chatId, attachment);
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
          ref={field}
          class="ta sel"
          classList={{ see: hasMarks({ text: text(), marks: marks() }) }}
          rows="1"
          aria-label={words.composer.message}
          placeholder={placeholderOf(state, chatId)}
          aria-autocomplete="list"
          aria-controls={isOpen() ? listId : undefined}
          aria-activedescendant={isOpen() ? optionId(completion.chosen()) : undefined}
          onInput={(event) => {
            const { value } = event.currentTarget;
            batch(() => {
              if (!event.isComposing) completion.follow();
              change(value);
            });
          }}
          onCompositionEnd={completion.follow}
          onKeyDown={onKeyDown}
          onKeyUp={(event) => !event.isComposing && completion.follow()}
          onClick={completion.follow}
          onBlur={completion.leave}
          onPaste={onPaste}
          onScroll={scrollUnder}
        />
      </div>
      <div class="bar2" ref={bar}>
        <Show when={takesImages()}>
          <IconButton icon={ImageIcon} label={words.composer.attachments.add} onClick={intake.pick} />
        </Show>
        <IconButton
          icon={AtSign}
          label={words.composer.files.mention}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => typeSign("file", "@", field.selectionEnd)}
        />
        <Show when={commands().length > 0}>
          <IconButton
            icon={SquareSlash}
            label={words.composer.commands}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => typeSign("command", "/", 0)}
          />
        </Show>
        <span class="sep" />
        <ChatPickers chatId={chatId} />
        <span class="grow" />
        <Context chatId={chatId} />
        <SendButtons chatId={chatId} idle={isEmpty() || sending()} />
      </div>
    </form>
  );
}
