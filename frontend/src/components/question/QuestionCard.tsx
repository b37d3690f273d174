// The card of a question: the question, the asking model or agent, and the answers to choose from, a form or the address
// of a web page.

import ChevronLeft from "lucide-solid/icons/chevron-left";
import ChevronRight from "lucide-solid/icons/chevron-right";
import CircleAlert from "lucide-solid/icons/circle-alert";
import CornerDownLeft from "lucide-solid/icons/corner-down-left";
import Globe from "lucide-solid/icons/globe";
import MessageCircleQuestionMark from "lucide-solid/icons/message-circle-question-mark";
import ShieldAlert from "lucide-solid/icons/shield-alert";
import TextCursorInput from "lucide-solid/icons/text-cursor-input";
import {
  Switch as Cases,
  createEffect,
  createMemo,
  createSignal,
  Match,
  on,
  onCleanup,
  Show,
} from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { folderName } from "../../lib/path";
import { isMac } from "../../lib/platform";
import { actions } from "../../state/actions";
import { answerOf, change, enteredFor, forgetEntered } from "../../state/questionAnswers";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { FieldProblem, Permission, Question } from "../../state/types";
import { createClickGuard } from "../permission/clickGuard";
import type { CardControl } from "../permission/PermissionCard";
import { PlanCard } from "../plan/PlanCard";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import { Choices } from "./Choices";
import { Fields } from "./Fields";
import { addressOf, isOdd, PageAddress, PageButtons } from "./WebPage";
import "../permission/permission.css";
import "./question.css";

const t = messages.question;

export interface QuestionCardsProps {
  /** The chat's oldest open request, which is a question. */
  request: Permission;
  folder: string;
  /** Number of open requests in this chat, including this one. */
  waiting: number;
  control?(control: CardControl | undefined): void;
}

/** QuestionCards shows one of the open questions of a chat, with buttons for the previous and the next one. */
export function QuestionCards(props: QuestionCardsProps) {
  const state = useStore();
  const all = createMemo(() => select.openPermissions(state, props.request.chatId).filter((p) => p.question));
  const [chosen, setChosen] = createSignal("");
  const shown = createMemo(() => all().find(({ id }) => id === chosen()) ?? props.request);
  const at = () =>
    Math.max(
      0,
      all().findIndex(({ id }) => id === shown().id),
    );
  const go = (step: number) => setChosen(all()[at() + step]?.id ?? "");
  return (
    <Show keyed when={shown().id}>
      {(id) => (
        <Card
          request={all().find((each) => each.id === id) ?? props.request}
          folder={props.folder}
          control={props.control}
          more={props.waiting - all().length}
          step={all().length > 1 ? { at: at(), of: all().length, go } : undefined}
        />
      )}
    </Show>
  );
}

/** Card shows a question or a plan. */
function Card(props: QuestionCardProps) {
  return (
    <Show when={props.request.question?.plan} fallback={<QuestionCard {...props} />}>
      <PlanCard
        request={props.request}
        folder={props.folder}
        control={props.control}
        side={<Side more={props.more} step={props.step} />}
      />
    </Show>
  );
}

/** Side shows the number of other open requests, and the buttons for the previous and the next question. */
function Side(props: Pick<QuestionCardProps, "more" | "step">) {
  return (
    <>
      <Show when={props.more > 0}>
        <span class="subtle">{messages.chat.request.waiting(props.more + (props.step?.of ?? 1))}</span>
      </Show>
      <Show when={props.step}>
        {(step) => (
          <span class="q-step">
            <IconButton
              small
              icon={ChevronLeft}
              label={t.previous}
              disabled={step().at === 0}
              onClick={() => step().go(-1)}
            />
            <span class="subtle">{t.step(step().at + 1, step().of)}</span>
            <IconButton
              small
              icon={ChevronRight}
              label={t.next}
              disabled={step().at === step().of - 1}
              onClick={() => step().go(1)}
            />
          </span>
        )}
      </Show>
    </>
  );
}

function Keys(props: { skip?: boolean }) {
  return (
    <span class="kbd" aria-hidden="true">
      <b>{isMac ? "⌘" : "Ctrl"}</b>
      <b>{isMac ? "⇧" : "Shift"}</b>
      <b>
        <Show when={props.skip} fallback={<Icon of={CornerDownLeft} />}>
          {isMac ? "⌫" : "Bksp"}
        </Show>
      </b>
    </span>
  );
}

interface QuestionCardProps {
  request: Permission;
  folder: string;
  control?(control: CardControl | undefined): void;
  /** Number of open requests in this chat that aren't questions. */
  more: number;
  /** The position of the question among the chat's open questions; undefined if it is the only one. */
  step?: { at: number; of: number; go(step: number): void };
}

function QuestionCard(props: QuestionCardProps) {
  const state = useStore();
  let card!: HTMLElement;
  let footer!: HTMLElement;
  const { id, chatId } = props.request;
  const question = () => props.request.question as Question;
  const page = () => question().page;
  const hasForm = () => !!question().fields?.length;
  const confirms = () => question().elicited === true && !hasForm() && !page();
  const [sent, setSent] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const ready = createClickGuard({ element: () => footer });
  const now = () => enteredFor(props.request);
  const asker = () => select.requesterOf(state, props.request);
  const odd = () => isOdd(page());
  const text = () => visibleText(question().text, "prose");
  const title = () => (odd() ? t.odd : text());
  const label = () => (page() ? t.page(title()) : hasForm() ? t.form(title()) : t.label(title()));
  const glyph = () =>
    odd() ? ShieldAlert : page() ? Globe : hasForm() ? TextCursorInput : MessageCircleQuestionMark;
  /** Whether the user was asked once more about a suspicious address. */
  const [sure, setSure] = createSignal(false);

  const send = (how: () => Promise<unknown>) => {
    if (sent() || !ready()) return;
    setSent(true);
    setFailure("");
    how().then(
      () => setSent(false),
      (thrown) => {
        setSent(false);
        setFailure(thrown.message);
      },
    );
  };
  const show = (problems: FieldProblem[]) => {
    change(id, { problems: Object.fromEntries(problems.map(({ name, message }) => [name, message])) });
    if (problems.length > 0)
      queueMicrotask(() => card.querySelector<HTMLElement>("[data-invalid], [aria-invalid=true]")?.focus());
  };
  const answer = () =>
    send(async () => show(await actions.answerQuestion(chatId, id, answerOf(question(), now()))));
  const skip = () => send(() => actions.skipQuestion(chatId, id));
  /** Opens the page. The agent gets its answer once the browser has been started. */
  const openPage = () =>
    send(async () => {
      const shown = page();
      if (!shown) return;
      await actions.openURL(addressOf(shown));
      show(await actions.answerQuestion(chatId, id, {}));
    });
  const askAgain = (to: boolean) => {
    if (!ready()) return;
    setSure(to);
    ready.restart();
  };
  const copyAddress = () => {
    const shown = page();
    if (!shown) return;
    setFailure("");
    actions.copy(addressOf(shown)).catch((thrown) => setFailure(thrown.message));
  };
  // The shortcut never opens a suspicious address.
  const byShortcut = () => (odd() ? undefined : page() ? openPage() : answer());

  const mainLabel = () => (hasForm() ? t.send : confirms() ? t.confirm : t.answer);
  const skipLabel = () => (question().elicited ? t.decline : t.skip);

  // The control passes to another card when the question changes.
  createEffect(
    on(
      () => props.control,
      (control) => control?.({ allowOnce: byShortcut, reject: skip }),
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
    <section
      ref={card}
      class="perm"
      classList={{ qn: !hasForm() && !page(), pg: !!page() }}
      role="group"
      aria-label={label()}
      tabindex="-1"
    >
      <header>
        <Icon of={glyph()} />
        <div>
          <h3 class="sel" aria-level="2">
            {title()}
          </h3>
          <p class="who">
            {t.askedBy(asker().who)}
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
          <Side more={props.more} step={props.step} />
        </span>
      </header>
      <Cases fallback={<Choices request={props.request} now={now()} card={() => card} onAnswer={answer} />}>
        <Match when={page()}>
          {(shown) => <PageAddress page={shown()} reason={t.reason(asker().who, text())} sure={sure()} />}
        </Match>
        <Match when={hasForm()}>
          <Fields request={props.request} now={now()} onAnswer={answer} />
        </Match>
        <Match when={confirms()}>{null}</Match>
      </Cases>
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
          when={page()}
          fallback={
            <>
              <button
                type="button"
                class="btn lg primary"
                aria-label={mainLabel()}
                aria-keyshortcuts={keyShortcuts("Mod", "Shift", "Enter")}
                onClick={answer}
              >
                {mainLabel()}
                <Keys />
              </button>
              <span class="grow" />
              <button
                type="button"
                class="btn lg"
                aria-label={skipLabel()}
                aria-keyshortcuts={keyShortcuts("Mod", "Shift", "Backspace")}
                onClick={skip}
              >
                {skipLabel()}
                <Keys skip />
              </button>
            </>
          }
        >
          {(shown) => (
            <PageButtons
              page={shown()}
              sure={sure()}
              onOpen={openPage}
              onCopy={copyAddress}
              onDecline={skip}
              onSure={askAgain}
            />
          )}
        </Show>
      </footer>
      <Show when={!odd() && page()}>{(shown) => <p class="scope">{t.onHost(shown().host)}</p>}</Show>
      <Show when={hasForm()}>
        <p class="scope">{t.never(asker().who)}</p>
      </Show>
    </section>
  );
}
