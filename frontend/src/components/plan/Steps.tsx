// The steps of a plan and the text around them, one row each.

import GripVertical from "lucide-solid/icons/grip-vertical";
import MessageSquare from "lucide-solid/icons/message-square";
import Pencil from "lucide-solid/icons/pencil";
import Plus from "lucide-solid/icons/plus";
import Trash from "lucide-solid/icons/trash";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, ErrorBoundary, For, on, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { numbersOf, type PlanPart } from "../../lib/plan";
import { isComposing } from "../../state/keys";
import { createLinks } from "../transcript/Links";
import { Markdown, Plain } from "../transcript/Prose";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import "../transcript/prose.css";

const t = messages.plan;

export interface StepsProps {
  parts: PlanPart[];
  onEdit(parts: PlanPart[]): void;
  onUndo(): void;
  /** The ID of a part whose field is to be opened, such as that of a new step; -1 for none. */
  open: number;
  /** Opens a file that a step mentions. */
  openFile(path: string, line: number): void;
}

/** plain returns the parts outside the store, so that they can be put into it again. */
const plain = (parts: readonly PlanPart[]) => parts.map((part) => unwrap(part));

/** Steps shows the parts of a plan. Its keys: E or Enter edits, Alt with an arrow moves, Delete removes, Ctrl+Z undoes. */
export function Steps(props: StepsProps) {
  let list!: HTMLOListElement;
  const links = createLinks((path, line) => props.openFile(path, line));
  const [editing, setEditing] = createSignal(-1);
  const [commenting, setCommenting] = createSignal(-1);
  const [current, setCurrent] = createSignal(0);
  const numbers = createMemo(() => numbersOf(props.parts));
  createEffect(
    on(
      () => props.open,
      (id) => id >= 0 && setEditing(props.parts.findIndex((part) => part.id === id)),
    ),
  );
  const focusRow = (at: number) =>
    queueMicrotask(() => (list.querySelectorAll<HTMLElement>(":scope > li")[at] ?? list).focus());
  const update = (at: number, to: Partial<PlanPart>) =>
    props.onEdit(plain(props.parts).map((part, n) => (n === at ? { ...part, ...to } : part)));
  const remove = (at: number) => {
    props.onEdit(plain(props.parts).filter((_, n) => n !== at));
    focusRow(Math.min(at, props.parts.length - 1));
  };
  const move = (at: number, step: number) => {
    const to = at + step;
    if (to < 0 || to >= props.parts.length) return;
    const next = plain(props.parts);
    const [part] = next.splice(at, 1);
    next.splice(to, 0, part as PlanPart);
    props.onEdit(next);
    focusRow(to);
  };
  const finish = (at: number, text: string) => {
    if (editing() < 0) return; // the field also loses the focus when it is removed
    setEditing(-1);
    const part = props.parts[at];
    if (!part) return;
    if (text.trim() === "") remove(at);
    else if (text !== part.text) update(at, { text: text.trimEnd() });
  };
  const onKey = (event: KeyboardEvent, at: number) => {
    if (isComposing(event)) return;
    const mod = event.ctrlKey || event.metaKey;
    if (mod && !event.shiftKey && !event.altKey && event.key.toLowerCase() === "z" && editing() < 0) {
      if (event.target instanceof HTMLTextAreaElement) return;
      event.preventDefault();
      props.onUndo();
      focusRow(at);
      return;
    }
    if (event.target !== event.currentTarget || mod || event.shiftKey) return;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      if (event.altKey) move(at, step);
      else focusRow(Math.min(Math.max(at + step, 0), props.parts.length - 1));
    } else if (event.altKey || event.repeat) return;
    else if (event.key === "Enter" || event.key.toLowerCase() === "e") setEditing(at);
    else if (event.key === "Delete") remove(at);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const [dragged, setDragged] = createSignal(-1);

  return (
    <>
      <ol
        ref={(element) => {
          list = element;
          links.ref(element);
        }}
        class="pl-steps"
        aria-label={t.list}
        tabindex="-1"
      >
        <For each={props.parts}>
          {(part, at) => {
            const isStep = () => part.kind === "step";
            const n = () => numbers()[at()] ?? 0;
            return (
              <li
                tabindex={current() === at() ? 0 : -1}
                data-kind={part.kind}
                onFocus={() => setCurrent(at())}
                onKeyDown={(event) => onKey(event, at())}
                onDragOver={(event) => dragged() >= 0 && event.preventDefault()}
                onDrop={(event) => {
                  event.preventDefault();
                  if (dragged() >= 0) move(dragged(), at() - dragged());
                  setDragged(-1);
                }}
              >
                {/* biome-ignore lint/a11y/noStaticElementInteractions: Alt with an arrow key does the same. */}
                <span
                  class="pl-grip"
                  draggable="true"
                  onDragStart={() => setDragged(at())}
                  onDragEnd={() => setDragged(-1)}
                >
                  <Icon of={GripVertical} size="sm" />
                </span>
                <span class="pl-n num subtle">{isStep() ? n() : ""}</span>
                <Show
                  when={editing() === at()}
                  fallback={
                    <div class="prose sel pl-text">
                      <ErrorBoundary fallback={<Plain text={part.text} />}>
                        <Markdown text={part.text} />
                      </ErrorBoundary>
                    </div>
                  }
                >
                  <StepField
                    label={isStep() ? t.step(n()) : t.text}
                    text={part.text}
                    onDone={(text, back) => {
                      finish(at(), text);
                      if (back) focusRow(at());
                    }}
                  />
                </Show>
                <Show when={editing() !== at()}>
                  <span class="row pl-acts">
                    <IconButton
                      small
                      icon={MessageSquare}
                      label={isStep() ? t.commentStep(n()) : t.commentText}
                      onClick={() => setCommenting(part.id)}
                    />
                    <IconButton
                      small
                      icon={Pencil}
                      label={isStep() ? t.editStep(n()) : t.editText}
                      onClick={() => setEditing(at())}
                    />
                    <IconButton
                      small
                      icon={Trash}
                      label={isStep() ? t.removeStep(n()) : t.removeText}
                      onClick={() => remove(at())}
                    />
                  </span>
                </Show>
                <Show when={part.comment !== "" || commenting() === part.id}>
                  <CommentField
                    label={isStep() ? t.commentStep(n()) : t.commentText}
                    text={part.comment}
                    isNew={commenting() === part.id}
                    onDone={(comment) => {
                      setCommenting(-1);
                      if (comment !== part.comment) update(at(), { comment });
                    }}
                  />
                </Show>
              </li>
            );
          }}
        </For>
      </ol>
      {links.question()}
    </>
  );
}

/** StepField edits the Markdown of a part. Enter ends the editing, Shift+Enter starts a new line, and Escape discards it. */
function StepField(props: { label: string; text: string; onDone(text: string, back: boolean): void }) {
  return (
    <textarea
      ref={(field) =>
        queueMicrotask(() => {
          field.focus();
          field.setSelectionRange(field.value.length, field.value.length);
        })
      }
      class="input pl-field"
      dir="auto"
      rows={props.text.split("\n").length}
      aria-label={props.label}
      value={props.text}
      onInput={({ currentTarget }) => {
        currentTarget.rows = Math.min(20, currentTarget.value.split("\n").length);
      }}
      onBlur={({ currentTarget }) => props.onDone(currentTarget.value, false)}
      onKeyDown={(event) => {
        if (isComposing(event) || event.repeat) return;
        if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey) {
          event.preventDefault();
          props.onDone(event.currentTarget.value, true);
        } else if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          props.onDone(props.text, true);
        }
      }}
    />
  );
}

/** CommentField edits the comment on a part. It is kept when the field loses the focus. */
function CommentField(props: { label: string; text: string; isNew: boolean; onDone(text: string): void }) {
  let field!: HTMLTextAreaElement;
  return (
    <div class="pl-comment">
      <textarea
        ref={(element) => {
          field = element;
          if (props.isNew) queueMicrotask(() => element.focus());
        }}
        class="input"
        dir="auto"
        rows={Math.max(1, props.text.split("\n").length)}
        aria-label={props.label}
        placeholder={t.comment}
        value={props.text}
        onBlur={() => props.onDone(field.value.trim())}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isComposing(event)) return;
          event.preventDefault();
          event.stopPropagation();
          field.value = props.text;
          field.closest("li")?.focus();
        }}
      />
      <IconButton
        small
        icon={X}
        label={t.removeComment}
        onMouseDown={(event: MouseEvent) => event.preventDefault()}
        onClick={() => {
          field.value = "";
          props.onDone("");
        }}
      />
    </div>
  );
}

/** Add adds an empty step at the end of the last list. */
Steps.Add = (props: { parts: PlanPart[]; onAdd(parts: PlanPart[], id: number): void }) => {
  const add = () => {
    const parts = plain(props.parts);
    const last = parts.findLastIndex(({ kind }) => kind === "step");
    const id = Math.max(-1, ...parts.map((part) => part.id)) + 1;
    const at = last < 0 ? parts.length : last + 1;
    const step: PlanPart = {
      id,
      kind: "step",
      marker: parts[last]?.marker ?? ".",
      text: t.newStep,
      blank: 0,
      comment: "",
    };
    props.onAdd([...parts.slice(0, at), step, ...parts.slice(at)], id);
  };
  return (
    <Button look="ghost" icon={Plus} onClick={add}>
      {t.addStep}
    </Button>
  );
};
