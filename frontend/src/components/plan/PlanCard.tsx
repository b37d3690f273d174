// The card of a plan: its steps, which can be edited, moved, removed and commented on, and the buttons to approve it or to
// ask for changes.

import CircleAlert from "lucide-solid/icons/circle-alert";
import CornerDownLeft from "lucide-solid/icons/corner-down-left";
import FileText from "lucide-solid/icons/file-text";
import ListChecks from "lucide-solid/icons/list-checks";
import Undo2 from "lucide-solid/icons/undo-2";
import { createEffect, createMemo, createSignal, type JSX, on, onCleanup, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { folderName } from "../../lib/path";
import { maxParts, type PlanPart, parsePlan, planTextOf, stepCount } from "../../lib/plan";
import { isMac } from "../../lib/platform";
import { actions } from "../../state/actions";
import { openInEditor } from "../../state/editor";
import { change, enteredFor, forgetEntered, type PlanDraft } from "../../state/questionAnswers";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Permission, PlanDecision, Question } from "../../state/types";
import { createClickGuard } from "../permission/clickGuard";
import type { CardControl } from "../permission/PermissionCard";
import { Button, IconButton } from "../ui/Button";
import { CopyIcon } from "../ui/CopyButton";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import { Steps } from "./Steps";
import "../permission/permission.css";
import "../question/question.css";
import "./plan.css";

const t = messages.plan;

/** Maximum number of earlier states that Undo can return to. */
const maxUndo = 50;

export interface PlanCardProps {
  request: Permission;
  folder: string;
  control?(control: CardControl | undefined): void;
  /** The number of other open requests, and the buttons for the previous and the next question. */
  side: JSX.Element;
}

/** PlanCard shows a plan for approval. */
export function PlanCard(props: PlanCardProps) {
  const state = useStore();
  let card!: HTMLElement;
  let footer!: HTMLElement;
  let words: HTMLTextAreaElement | undefined;
  const { id, chatId } = props.request;
  const question = () => props.request.question as Question;
  const original = () => question().plan ?? "";
  const now = () => enteredFor(props.request);
  const draft = () => now().plan as PlanDraft;
  const isLong = createMemo(() => parsePlan(original()).length > maxParts);
  const isText = () => isLong() || draft().whole !== undefined;
  /** The parts as they are sent. */
  const parts = createMemo(() => {
    const whole = draft().whole;
    return whole === undefined ? draft().parts : parsePlan(whole, draft().parts);
  });
  const made = () => {
    const whole = draft().whole;
    return whole === undefined ? planTextOf(original(), draft().parts) : planTextOf(whole, parts());
  };
  const [sent, setSent] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  /** The ID of the step added last, or -1. */
  const [opened, setOpened] = createSignal(-1);
  const [asking, setAsking] = createSignal(now().text !== "");
  const ready = createClickGuard({ element: () => footer });
  const asker = () => select.requesterOf(state, props.request);
  const title = () => visibleText(question().text) || t.title(asker().who);
  const commented = () => parts().filter((part) => part.comment.trim() !== "").length;
  /** Whether edits need permission, so that the user can allow them with the plan. */
  const canAllowEdits = () => {
    const chat = state.chats[chatId];
    return chat?.permissionMode === "ask" && !chat.mainId;
  };

  const edit = (next: PlanPart[]) => {
    const undo = [...draft().undo, unwrap(draft()).parts].slice(-maxUndo);
    change(id, { plan: { parts: next, undo }, problems: {} });
  };
  const undo = () => {
    const before = draft().undo.at(-1);
    if (before) change(id, { plan: { parts: before, undo: draft().undo.slice(0, -1) }, problems: {} });
  };
  const setWhole = (whole: string) => change(id, { plan: { ...draft(), whole }, problems: {} });
  const toggleText = () => {
    if (draft().whole === undefined) setWhole(planTextOf(original(), draft().parts).text);
    else edit([...parts()]);
  };

  const send = (decision: PlanDecision) => {
    if (sent() || !ready()) return;
    const field = document.activeElement;
    // A shortcut leaves the focus in the field of a step or a comment, which keeps its text when it loses the focus.
    if (field instanceof HTMLElement && field !== words && card.contains(field)) field.blur();
    setSent(true);
    setFailure("");
    const { text, lines } = made();
    const comments = parts().flatMap((part, at) =>
      part.comment.trim() === "" ? [] : [{ line: lines[at] ?? 1, text: part.comment }],
    );
    actions
      .answerQuestion(chatId, id, { text: asking() ? now().text : "", plan: { decision, text, comments } })
      .then(
        (problems) => {
          change(id, { problems: Object.fromEntries(problems.map((each) => [each.name, each.message])) });
          if (problems.length > 0) words?.focus();
        },
        (thrown) => setFailure(thrown.message),
      )
      .finally(() => setSent(false));
  };
  const approve = () => send("approved");
  const ask = () => {
    if (!ready()) return;
    setAsking(true);
    queueMicrotask(() => words?.focus());
  };
  const cancel = () => {
    setAsking(false);
    change(id, { text: "", problems: {} });
    ready.restart();
    card.focus();
  };
  const save = () => {
    setFailure("");
    actions.savePlan(id, title(), made().text).catch((thrown) => setFailure(thrown.message));
  };

  // The control passes to another card when the question changes.
  createEffect(
    on(
      () => props.control,
      (control) => control?.({ allowOnce: approve, reject: ask }),
    ),
  );
  onCleanup(() => {
    props.control?.(undefined);
    if (state.permissions[id]?.state === "open") return; // it may be shown again
    forgetEntered(id);
    // The focus must not be lost with the card.
    if (card.contains(document.activeElement)) {
      const main = card.closest("main");
      queueMicrotask(() => main?.querySelector<HTMLElement>(".composer textarea")?.focus());
    }
  });

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out like this.
    <section ref={card} class="perm pl" role="group" aria-label={t.label(title())} tabindex="-1">
      <header>
        <Icon of={ListChecks} />
        <div>
          <h3 class="sel" aria-level="2">
            {title()}
          </h3>
          <p class="who">
            <Show when={stepCount(parts()) > 0}>{`${t.steps(stepCount(parts()))} · `}</Show>
            {t.writtenBy(asker().who)}
            <Show when={asker().session}>
              {(session) => (
                <>
                  {" "}
                  [<span class="sn">{visibleText(session())}</span>]
                </>
              )}
            </Show>{" "}
            {messages.chat.request.in(folderName(props.folder))}
          </p>
        </div>
        <span class="row num side">
          {props.side}
          <IconButton small icon={FileText} label={t.save} onClick={save} />
          <CopyIcon text={() => Promise.resolve(made().text)} label={t.copy} />
        </span>
      </header>
      <Show
        when={!isText()}
        fallback={
          <div class="pl-whole">
            <Show when={isLong()}>
              <p class="subtle">{t.tooLong}</p>
            </Show>
            <textarea
              class="input"
              dir="auto"
              spellcheck={false}
              rows={Math.min(20, made().text.split("\n").length + 1)}
              aria-label={t.whole}
              value={draft().whole ?? original()}
              onInput={({ currentTarget }) => setWhole(currentTarget.value)}
            />
          </div>
        }
      >
        <Steps
          parts={draft().parts}
          onEdit={edit}
          onUndo={undo}
          open={opened()}
          openFile={(path, line) => openInEditor(chatId, path, line, setFailure)}
        />
      </Show>
      <div class="pl-tools">
        <Show when={!isText()}>
          <Steps.Add
            parts={draft().parts}
            onAdd={(next, added) => {
              edit(next);
              setOpened(added);
            }}
          />
        </Show>
        <span class="grow" />
        <Show when={!isText() && draft().undo.length > 0}>
          <Button look="ghost" icon={Undo2} onClick={undo}>
            {t.undo}
          </Button>
        </Show>
        <Show when={!isLong()}>
          <Button look="ghost" onClick={toggleText}>
            {isText() ? t.asSteps : t.asText}
          </Button>
        </Show>
      </div>
      <Show when={asking()}>
        <div class="pl-change">
          <textarea
            ref={words}
            class="input"
            dir="auto"
            rows={3}
            aria-label={t.changeLabel}
            aria-invalid={now().problems[""] ? true : undefined}
            placeholder={t.changeLabel}
            value={now().text}
            onInput={({ currentTarget }) => change(id, { text: currentTarget.value, problems: {} })}
          />
        </div>
      </Show>
      <Show when={now().problems[""]}>
        {(problem) => (
          <p class="q-problem" role="alert">
            <Icon of={CircleAlert} />
            {problem()}
          </p>
        )}
      </Show>
      <Show when={failure()}>
        <p class="perm-failure c-bad" role="alert">
          {failure()}
        </p>
      </Show>
      <footer ref={footer}>
        <Show
          when={!asking()}
          fallback={
            <>
              <Button large look="primary" onClick={() => send("changes")}>
                {t.send}
              </Button>
              <Button large onClick={cancel}>
                {t.cancel}
              </Button>
            </>
          }
        >
          <button
            type="button"
            class="btn lg primary"
            aria-label={t.approve}
            aria-keyshortcuts={keyShortcuts("Mod", "Shift", "Enter")}
            onClick={approve}
          >
            {t.approve}
            <span class="kbd" aria-hidden="true">
              <b>{isMac ? "⌘" : "Ctrl"}</b>
              <b>{isMac ? "⇧" : "Shift"}</b>
              <b>
                <Icon of={CornerDownLeft} />
              </b>
            </span>
          </button>
          <Show when={canAllowEdits()}>
            <Button large onClick={() => send("allowed_edits")}>
              {t.approveEdits}
            </Button>
          </Show>
          <span class="grow" />
          <Button large onClick={ask}>
            {t.change}
          </Button>
        </Show>
      </footer>
      <Show when={!asking() || commented() > 0}>
        <p class="scope">
          <Show when={commented() > 0}>{`${t.commentsToo(commented())} `}</Show>
          <Show when={!asking()}>{canAllowEdits() ? t.scope(folderName(props.folder)) : t.scopeAllowed}</Show>
        </p>
      </Show>
    </section>
  );
}
