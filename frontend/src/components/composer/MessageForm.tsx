// The form for writing a message in an existing or new chat: text, attachments, and completion of files
// and commands. Its owner stores and sends the message.

import AtSign from "lucide-solid/icons/at-sign";
import ImageIcon from "lucide-solid/icons/image";
import SquareSlash from "lucide-solid/icons/square-slash";
import { batch, createEffect, createMemo, createUniqueId, type JSX, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { endsInName } from "../../state/composer";
import { useStore } from "../../state/store";
import type { Attachment, Choice, FoundFiles } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Attachments } from "./Attachments";
import type { Attach } from "./attach";
import { createCompletion, type Option } from "./completion";
import { grow, replace } from "./field";
import { Highlights, hasHighlights } from "./Highlights";
import { List } from "./List";
import { createOverflow } from "./overflow";
import { highlightsOf, type Token } from "./token";
import "./composer.css";

const t = messages.composer;

export interface MessageFormProps {
  /** Accessible names of the form and its field. */
  label: string;
  name: string;
  placeholder: string;
  text: string;
  /** Called with the new text after user input. */
  onText(text: string): void;
  /** The attachments that will be sent with the current text. */
  attachments: readonly Attachment[];
  onDetach(attachment: Attachment): void;
  /** Attaches files; mentions become attachments of the same message. */
  attach: Attach;
  /** The folder whose files can be mentioned, or "" for none; `files` searches for matching files. */
  folder: string;
  files(typed: string, limit: number): Promise<FoundFiles>;
  /** The commands that can be completed. */
  commands?: Choice[];
  /**
   * Increases when the text changes in any way other than typing: the field is then focused, with the
   * caret at the end.
   */
  fillCount?: number;
  /** The current failure, other than a failed attachment. */
  failure?: string;
  /** Whether the text can't be edited for now. */
  isReadOnly?: boolean;
  /** A suggested alternative to the typed command, or "" if there is none. */
  hint?: string;
  /** Called for keys that neither an input method nor the completion list handles. */
  onKey(event: KeyboardEvent): void;
  /** Reports whether to reject a paste that would result in this text. */
  rejectsPaste?(text: string): boolean;
  onSend(): void;
  ref(field: HTMLTextAreaElement): void;
  /** Content of the bar after the attachment buttons. */
  children: JSX.Element;
}

export function MessageForm(props: MessageFormProps) {
  let field!: HTMLTextAreaElement;
  let bar!: HTMLDivElement;
  let under: HTMLDivElement | undefined;
  const { attach: intake } = props;
  const listId = createUniqueId();
  const optionId = (at: number) => `${listId}-${at}`;
  const text = () => props.text;
  const commands = () => props.commands ?? [];

  const onPick = (option: Option, token: Token) => {
    const name = option.kind === "file" ? `@${option.path}` : `/${option.command.id}`;
    const follows = /^\s/.test(text().slice(token.to, token.to + 1));
    if (option.kind === "file") {
      intake.attach({
        kind: "mention",
        name: option.path,
        path: `${props.folder.replace(/[\\/]+$/, "")}/${option.path.replace(/\/$/, "")}`,
      });
    }
    replace(field, token.from, token.to, follows ? name : `${name} `);
    if (follows) field.setSelectionRange(field.selectionEnd + 1, field.selectionEnd + 1);
    completion.follow();
  };
  const completion = createCompletion({
    files: (typed, limit) => props.files(typed, limit),
    field: () => field,
    text,
    commands,
    onPick,
  });
  const completes = () => props.folder !== "";
  const token = () => (completes() ? completion.token() : undefined);
  const isOpen = () => completes() && completion.isOpen();
  const marks = createMemo(() => highlightsOf(text(), token(), props.attachments, props.folder));

  // Assigning an unchanged value would make a composing input method lose its position.
  createEffect(
    on(text, (now) => {
      if (field.value !== now) field.value = now;
      grow(field);
    }),
  );
  // The page's text size is set by another effect, which may run after this one. The field is therefore
  // measured a moment later.
  const state = useStore();
  createEffect(
    on(
      () => state.settings.textSize,
      () => queueMicrotask(() => grow(field)),
      { defer: true },
    ),
  );
  const scrollUnder = () => {
    if (under) under.scrollTop = field.scrollTop;
  };
  createEffect(on(marks, scrollUnder));
  createOverflow(() => bar);
  createEffect(
    on(
      createMemo(() => props.fillCount),
      () => {
        field.focus();
        field.setSelectionRange(field.value.length, field.value.length);
        completion.leave();
      },
      { defer: true },
    ),
  );

  createEffect(on(props.attach.dropCount, () => field.focus(), { defer: true }));

  const onKeyDown = (event: KeyboardEvent) => {
    if (props.isReadOnly) return;
    // While an input method composes, Enter and the arrow keys belong to it. Safari ends the composition
    // before the keydown event of the key that ended it, so the key code is checked too.
    if (event.isComposing || event.keyCode === 229) return;
    if (completes() && completion.onKey(event)) event.preventDefault();
    else props.onKey(event);
  };
  const onPaste = (event: ClipboardEvent) => {
    const data = event.clipboardData;
    if (!data || props.isReadOnly) return;
    const { selectionStart, selectionEnd, value } = field;
    const after = () =>
      value.slice(0, selectionStart) + data.getData("text/plain") + value.slice(selectionEnd);
    if (intake.paste(data) || props.rejectsPaste?.(after())) event.preventDefault();
  };
  /**
   * Handles a click on the button that opens a list of files or commands: types the trigger character, or
   * removes it if nothing follows it.
   */
  const typeSign = (kind: Token["kind"], sign: string, at: number) => {
    const token = completion.token();
    if (token?.kind === kind && token.typed === "") replace(field, token.from, token.from + 1, "");
    else {
      const apart = kind === "file" && endsInName(text().slice(0, at)) ? " " : "";
      replace(field, at, at, apart + sign);
    }
    completion.follow();
  };

  return (
    <form
      class="composer"
      classList={{ "is-drop": intake.dragging(), ro: props.isReadOnly === true }}
      data-drop={t.attachments.drop}
      aria-label={props.label}
      onSubmit={(event) => {
        event.preventDefault();
        if (!props.isReadOnly) props.onSend();
      }}
    >
      <Show when={completes()}>
        <List id={listId} optionId={optionId} completion={completion} />
      </Show>
      <Failure text={props.failure || intake.failure()} class="composer-failure c-bad" />
      <p class="composer-hint" role="status">
        {props.hint}
      </p>
      <Attachments
        attachments={props.attachments.filter((one) => one.kind !== "mention")}
        pending={intake.pending()}
        onRemove={(attachment) => {
          props.onDetach(attachment);
          field.focus();
        }}
      />
      <div class="field">
        <Highlights
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
          classList={{ see: hasHighlights({ text: text(), marks: marks() }) }}
          rows="1"
          readOnly={props.isReadOnly === true}
          aria-label={props.name}
          placeholder={props.placeholder}
          aria-autocomplete="list"
          aria-controls={isOpen() ? listId : undefined}
          aria-activedescendant={isOpen() ? optionId(completion.chosen()) : undefined}
          onInput={(event) => {
            const { value } = event.currentTarget;
            batch(() => {
              if (!event.isComposing) completion.follow();
              props.onText(value);
              intake.clear();
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
        <Show when={intake.takesImages()}>
          <IconButton
            icon={ImageIcon}
            label={t.attachments.add}
            disabled={props.isReadOnly}
            onClick={intake.pick}
          />
        </Show>
        <Show when={completes()}>
          <IconButton
            icon={AtSign}
            label={t.files.mention}
            disabled={props.isReadOnly}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => typeSign("file", "@", field.selectionEnd)}
          />
        </Show>
        <Show when={commands().length > 0}>
          <IconButton
            icon={SquareSlash}
            label={t.commands}
            disabled={props.isReadOnly}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => typeSign("command", "/", 0)}
          />
        </Show>
        <span class="sep" />
        {props.children}
      </div>
    </form>
  );
}
