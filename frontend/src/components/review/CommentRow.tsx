// Rows with a comment, or with the form for a new one, below the lines of a diff.

import Check from "lucide-solid/icons/check";
import CircleCheck from "lucide-solid/icons/circle-check";
import Pencil from "lucide-solid/icons/pencil";
import Trash from "lucide-solid/icons/trash";
import { createMemo, type JSX, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { timeOf, visibleText } from "../../lib/format";
import type { CommentsModel } from "../../state/reviewComments";
import type { CommentForm } from "../../state/reviewCommentTexts";
import { openReview } from "../../state/reviewScreen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { ReviewComment } from "../../state/types";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { isMod, keyShortcuts } from "../ui/Kbd";
import type { Suggestions } from "./suggestions";

const t = messages.reviewComments;
const suggestion = messages.reviewAgent;

/** linesOf describes the lines of a comment; `start` and `end` are 0-based. */
export function linesOf({ side, start, end }: Pick<CommentForm, "side" | "start" | "end">): string {
  const lines = t.lines(start + 1, end + 1);
  return side === "old" ? t.oldLines(lines) : lines;
}

interface FieldProps {
  label: string;
  text: string;
  /** Whether the field gets the focus when it is first shown. */
  focus: boolean;
  submit: string;
  isBusy: boolean;
  onInput(text: string): void;
  onSubmit(): void;
  onCancel(): void;
  /** Called for Escape. If it's undefined, `onCancel` is called instead. */
  onClose?(): void;
}

/** Field is a text field with its buttons. Ctrl+Enter submits and Escape closes. */
function Field(props: FieldProps) {
  let field!: HTMLTextAreaElement;
  const grow = () => {
    field.style.height = "";
    if (field.scrollHeight > 0) field.style.height = `${field.scrollHeight + 2}px`;
  };
  onMount(() => {
    // The row is placed after it has been rendered, so its height is known only in the next frame.
    requestAnimationFrame(grow);
    if (props.focus) queueMicrotask(() => field.focus({ preventScroll: true }));
  });
  return (
    <>
      <textarea
        ref={field}
        class="ed sel"
        aria-label={props.label}
        aria-keyshortcuts={keyShortcuts("Mod", "Enter")}
        placeholder={t.placeholder}
        value={props.text}
        onInput={(event) => {
          props.onInput(event.currentTarget.value);
          grow();
        }}
        onKeyDown={(event) => {
          if (event.isComposing) return;
          if (event.key === "Enter" && isMod(event)) props.onSubmit();
          else if (event.key === "Escape") (props.onClose ?? props.onCancel)();
          else return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <div class="acts">
        <Button look="ghost" onClick={() => props.onCancel()}>
          {t.cancel}
        </Button>
        <Button
          look="primary"
          disabled={props.text.trim() === "" || props.isBusy}
          aria-keyshortcuts={keyShortcuts("Mod", "Enter")}
          onClick={() => props.onSubmit()}
        >
          {props.submit}
        </Button>
      </div>
    </>
  );
}

export interface CommentFormRowProps {
  model: CommentsModel;
  id: string;
  /** Called when the form closes, to move the focus back. */
  onClose(): void;
}

/** CommentFormRow is the form for a new comment. */
export function CommentFormRow(props: CommentFormRowProps) {
  const form = () => props.model.texts.form(props.id);
  const cancel = () => {
    props.onClose();
    props.model.texts.cancel(props.id);
  };
  const close = () => {
    props.onClose();
    props.model.texts.close(props.id);
    if (form()) props.model.review.announce(t.closedAnnounced);
  };
  const add = async () => {
    props.onClose();
    if (await props.model.add(props.id)) props.model.review.announce(t.addedAnnounced);
  };
  return (
    <Show when={form()}>
      {(now) => (
        <Show
          when={!now().closed}
          fallback={
            <button
              type="button"
              class="cmt-resolved"
              aria-expanded="false"
              aria-label={t.openUnfinished(linesOf(now()))}
              onClick={() => props.model.texts.open(props.id)}
            >
              <Icon of={Pencil} size="sm" />
              <span class="grow trunc">
                {t.linesTitle(now().start + 1, now().end + 1)}: {visibleText(now().text, "prose")}
              </span>
              <span class="subtle">{t.unfinished}</span>
            </button>
          }
        >
          <div class="cmt">
            <Field
              label={t.fieldFor(linesOf(now()))}
              text={now().text}
              focus
              submit={t.addComment}
              isBusy={props.model.isBusy()}
              onInput={(text) => props.model.texts.write(props.id, text)}
              onSubmit={() => void add()}
              onCancel={cancel}
              onClose={close}
            />
          </div>
        </Show>
      )}
    </Show>
  );
}

export interface CommentRowProps {
  model: CommentsModel;
  id: string;
  suggestions: Suggestions;
}

/** CommentRow is a stored comment. */
export function CommentRow(props: CommentRowProps) {
  const state = useStore();
  const { model } = props;
  const comment = createMemo(() => model.comment(props.id));
  const edited = () => model.texts.edits().get(props.id);
  const isOutdated = (now: ReviewComment) => now.outdated === true || now.gone === true;
  /** Whether the comment has no lines in the visible version of the file. */
  const isLost = (now: ReviewComment) => now.gone === true || now.start < 0;
  const author = (now: ReviewComment) =>
    now.origin === "agent" ? select.agentOf(state, model.chatId) : t.you;
  const where = (now: ReviewComment) => {
    if (!isLost(now)) return linesOf(now);
    return isOutdated(now) ? t.outdatedLines : t.otherLines;
  };
  const isSuggested = (now: ReviewComment) => now.state === "suggested";
  const name = (now: ReviewComment) => {
    if (isSuggested(now)) {
      if (!isLost(now)) return suggestion.name(linesOf(now));
      return isOutdated(now) ? suggestion.outdatedName : suggestion.name(t.otherLines);
    }
    if (isLost(now)) return isOutdated(now) ? t.outdatedName : t.name(t.otherLines);
    return now.state === "answered" ? t.changedName(linesOf(now)) : t.name(linesOf(now));
  };
  /** The tag of a comment without lines in the visible version of the file, or "" for any other comment. */
  const lostTag = (now: ReviewComment) => {
    if (!isLost(now)) return "";
    return isOutdated(now) ? t.outdated : t.notHere;
  };
  const announce = (done: boolean, text: string) => done && model.review.announce(text);
  const resolve = async (resolved: boolean) =>
    announce(await model.resolve(props.id, resolved), resolved ? t.resolvedAnnounced : t.reopenedAnnounced);
  const Head = (own: { now: ReviewComment; children?: JSX.Element }) => (
    <header>
      <span class="trunc">{t.by(author(own.now), where(own.now))}</span>
      <Show when={own.now.state === "answered" && own.now.answeredAt}>
        {(at) => (
          <span class="tag">
            <Icon of={Check} />
            {t.changedAt(timeOf(at()))}
          </span>
        )}
      </Show>
      <Show when={own.now.state === "sent"}>
        <span class="tag">{t.sent}</span>
      </Show>
      <Show when={isSuggested(own.now)}>
        <span class="tag">{suggestion.tag}</span>
      </Show>
      <Show when={isOutdated(own.now) ? own.now.state !== "answered" : isLost(own.now)}>
        <span class="tag">{isOutdated(own.now) ? t.outdated : t.notHere}</span>
      </Show>
      <span class="grow" />
      {own.children}
    </header>
  );
  const Quote = (own: { now: ReviewComment }) => (
    <Show when={isLost(own.now) && own.now.quote !== ""}>
      <span class="sr">{t.quote}</span>
      <pre class="cmt-quote mono sel">
        {visibleText(own.now.quote.split("\n").slice(0, 6).join("\n"), "line")}
      </pre>
    </Show>
  );
  return (
    <Show when={comment()}>
      {(now) => (
        <Show
          when={now().state !== "resolved" || model.opened().has(props.id)}
          fallback={
            <button
              type="button"
              class="cmt-resolved"
              aria-expanded="false"
              aria-label={t.showResolved(where(now()))}
              onClick={() => model.toggle(props.id)}
            >
              <Icon of={CircleCheck} size="sm" />
              <span class="grow trunc">
                {lostTag(now()) || t.linesTitle(now().start + 1, now().end + 1)}:{" "}
                {visibleText(now().text, "prose")}
              </span>
              <span class="subtle">{t.resolvedAt(timeOf(now().resolvedAt ?? now().createdAt))}</span>
            </button>
          }
        >
          <article
            class="cmt"
            classList={{
              done: now().state !== "draft" && !isSuggested(now()),
              suggested: isSuggested(now()),
            }}
            aria-label={name(now())}
            data-comment={props.id}
            data-suggestion={isSuggested(now()) ? props.id : undefined}
            tabindex="-1"
          >
            <Show
              when={edited() !== undefined}
              fallback={
                <>
                  <Head now={now()}>
                    <Show when={now().state === "draft"}>
                      <IconButton
                        small
                        icon={Pencil}
                        label={t.edit}
                        onClick={() => model.texts.edit(props.id, now().text)}
                      />
                    </Show>
                    <Show when={!isSuggested(now())}>
                      <IconButton
                        small
                        icon={Trash}
                        label={t.remove}
                        onClick={async () => announce(await model.remove(props.id), t.removedAnnounced)}
                      />
                    </Show>
                  </Head>
                  <Quote now={now()} />
                  <p class="sel">{visibleText(now().text, "prose")}</p>
                  <Show when={isSuggested(now())}>
                    <div class="cmt-acts">
                      <button
                        type="button"
                        class="hb"
                        aria-keyshortcuts="A"
                        onClick={() => void props.suggestions.accept([props.id])}
                      >
                        {suggestion.accept}
                      </button>
                      <button
                        type="button"
                        class="hb"
                        aria-keyshortcuts="D"
                        onClick={() => void props.suggestions.dismiss([props.id])}
                      >
                        {suggestion.dismiss}
                      </button>
                    </div>
                  </Show>
                  <Show when={now().state !== "draft" && !isSuggested(now())}>
                    <div class="cmt-acts">
                      <Show when={now().turnId}>
                        {(turn) => (
                          <button
                            type="button"
                            class="hb"
                            onClick={() => openReview(model.chatId, `turn:${turn()}`)}
                          >
                            {t.showChange}
                          </button>
                        )}
                      </Show>
                      <button
                        type="button"
                        class="hb"
                        onClick={() => void resolve(now().state !== "resolved")}
                      >
                        {now().state === "resolved" ? t.reopen : t.resolve}
                      </button>
                      <Show when={now().state === "answered" && !isLost(now())}>
                        <button type="button" class="hb" onClick={() => model.start(now())}>
                          {t.again}
                        </button>
                      </Show>
                    </div>
                  </Show>
                </>
              }
            >
              <Head now={now()} />
              <Field
                label={t.fieldFor(where(now()))}
                text={edited() ?? ""}
                focus
                submit={t.save}
                isBusy={model.isBusy()}
                onInput={(text) => model.texts.edit(props.id, text)}
                onSubmit={() => void model.save(props.id)}
                onCancel={() => model.cancelEdit(props.id)}
              />
            </Show>
          </article>
        </Show>
      )}
    </Show>
  );
}
