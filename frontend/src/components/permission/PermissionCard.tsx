// The card of a permission request: the exact action, the requesting agent and the location.

import Box from "lucide-solid/icons/box";
import CornerDownLeft from "lucide-solid/icons/corner-down-left";
import Hand from "lucide-solid/icons/hand";
import ShieldBan from "lucide-solid/icons/shield-ban";
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { folderName } from "../../lib/path";
import { isMac } from "../../lib/platform";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Permission, Scope } from "../../state/types";
import { filesIn, requestTitle } from "../transcript/tool";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import { createClickGuard } from "./clickGuard";
import { buttonsOf, type CardButton, hasOnlyAgentAlways, leavesSandbox } from "./options";
import { createPreview, kindsOf, Preview } from "./Preview";
import { Reason } from "./Reason";
import { Site } from "./Site";
import "./permission.css";

/** Functions with which the transcript controls the visible card. */
export interface CardControl {
  allowOnce(): void;
  reject(): void;
}

export interface PermissionCardProps {
  request: Permission;
  folder: string;
  /** Number of pending requests in this chat, including this one. */
  waiting: number;
  control?(control: CardControl | undefined): void;
}

function Keys(props: { role: CardButton["role"] }) {
  return (
    <Show when={props.role === "once" || props.role === "reject" || props.role === "keep"}>
      <span class="kbd" aria-hidden="true">
        <b>{isMac ? "⌘" : "Ctrl"}</b>
        <b>{isMac ? "⇧" : "Shift"}</b>
        <b>
          <Show when={props.role === "once"} fallback={isMac ? "⌫" : "Bksp"}>
            <Icon of={CornerDownLeft} />
          </Show>
        </b>
      </span>
    </Show>
  );
}

/** scopeText describes the actions that a rule would allow. */
function scopeText(scope: Scope): string {
  const text = messages.chat.request;
  const folder = scope.folder === "" ? text.everyFolder : folderName(scope.folder);
  const what = visibleText(scope.command ?? "");
  switch (scope.kind) {
    case "edits":
      return what
        ? text.scopeFile(what.replace(`${visibleText(scope.folder)}/`, ""))
        : text.scopeEdits(folder);
    case "host":
      return text.scopeHost(what, folder);
    case "prefix":
      return text.scopePrefix(what, folder);
    case "glob":
      return text.scopeGlob(what, folder);
    default:
      return text.scopeCommand(folder);
  }
}

/**
 * Reasons typed but not sent, by request ID. They are stored outside the card, because a card scrolled
 * far out of view is removed from the DOM.
 */
const typedReasons = new Map<string, string>();

/** PermissionCard shows one pending request. */
export function PermissionCard(props: PermissionCardProps) {
  const state = useStore();
  let card!: HTMLElement;
  let footer!: HTMLElement;
  const [sent, setSent] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  // The guard watches the buttons: they move with the content above them, even if the card doesn't.
  const ready = createClickGuard({ element: () => footer });

  const title = () => requestTitle(props.request, props.folder);
  const place = () => folderName(props.folder);
  const asker = () => select.requesterOf(state, props.request);
  /** The name of the agent, or "" if it is Copilot. */
  const other = () => (asker().who === messages.chat.work.copilot ? "" : asker().who);
  const isSite = () => props.request.sandbox === "site";
  const marked = () => !!props.request.marks?.length;
  const several = () => !!props.request.files?.length && filesIn(props.request) > 1;
  const [reasons, setReasons] = createSignal(false);
  const { id } = props.request;
  const [reason, setReason] = createSignal(typedReasons.get(id) ?? "");
  const type = (text: string) => {
    setReason(text);
    typedReasons.set(id, text);
  };
  const answers = () => buttonsOf(props.request);
  const preview = createPreview(() => props.request);

  const send = (how: () => Promise<void>) => {
    if (sent() || !ready()) return;
    setSent(true);
    setFailure("");
    how().catch((thrown) => {
      setSent(false);
      setFailure(thrown.message);
    });
  };
  const give = (answer: CardButton) =>
    send(() => actions.answer(props.request.id, answer.optionId, answer.always));
  const reject = (why: string) => send(() => actions.reject(props.request.id, why));
  const turn = (to: boolean) => {
    setReasons(to);
    ready.restart();
  };
  const press = (answer: CardButton) => {
    if (answer.role === "reject") turn(true);
    else if (answer.role === "keep") reject("");
    else give(answer);
  };
  const back = () => {
    turn(false);
    footer.querySelector<HTMLElement>("[aria-expanded]")?.focus({ preventScroll: true });
  };
  /**
   * A single key press must not allow a command that has dangerous parts or leaves the sandbox. Nothing can
   * be allowed while the reason field is open.
   */
  const allowOnce = () => {
    if (reasons()) return;
    const once = answers().find((answer) => answer.role === "once");
    if (marked() || leavesSandbox(props.request)) card.focus();
    else if (once) give(once);
  };
  /** Describes what the buttons allow or, while the reason field is open, how the reason is used. */
  const hint = (): string => {
    const { request } = props;
    if (reasons()) return other() === "" ? messages.card.reasonFact : messages.card.reasonFactOf(other());
    if (request.sandbox === "site") return messages.sandbox.card.siteFact(asker().who);
    if (request.sandbox === "leaves") return messages.sandbox.card.leavesFact;
    if (hasOnlyAgentAlways(request)) return messages.card.onlyAlways(asker().who);
    if (marked()) return messages.card.harmOnce;
    if (several()) {
      const unlisted = request.files?.some((file) => file.more) === true;
      return messages.card.severalOnce(filesIn(request), unlisted);
    }
    if (request.kind === "delete") return request.scope ? messages.card.deletionOnce : "";
    if (request.kind === "move") return request.scope ? messages.card.moveOnce : "";
    const always = request.scope && answers().some((answer) => answer.always);
    if (!always) return "";
    return messages.common.sentences(scopeText(request.scope as Scope), messages.chat.request.removeRuleHint);
  };

  onMount(() => props.control?.({ allowOnce, reject: () => reject("") }));
  onCleanup(() => {
    props.control?.(undefined);
    // The card of a pending request may be rendered again, so the reason that the user typed is kept.
    if (state.permissions[id]?.state === "open") return;
    typedReasons.delete(id);
    // The focus must not be lost with the card.
    if (card.contains(document.activeElement)) {
      const main = card.closest("main");
      queueMicrotask(() => main?.querySelector<HTMLElement>(".composer textarea")?.focus());
    }
  });

  const shortcut = (role: CardButton["role"]) => {
    if (role === "once") return marked() ? undefined : keyShortcuts("Mod", "Shift", "Enter");
    return role === "reject" || role === "keep" ? keyShortcuts("Mod", "Shift", "Backspace") : undefined;
  };
  const Buttons = (own: { place: CardButton["place"] }) => (
    <For each={answers().filter((answer) => answer.place === own.place)}>
      {(answer) => (
        <button
          type="button"
          class="btn lg"
          classList={{ primary: answer.role === "keep" || (answer.role === "once" && !marked()) }}
          aria-label={answer.label}
          aria-keyshortcuts={shortcut(answer.role)}
          aria-expanded={answer.role === "reject" ? false : undefined}
          onClick={() => press(answer)}
        >
          {answer.label}
          <Show when={shortcut(answer.role)}>
            <Keys role={answer.role} />
          </Show>
        </button>
      )}
    </For>
  );

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset can't be laid out like this.
    <section
      ref={card}
      class="perm"
      classList={{ many: several() }}
      role="group"
      aria-label={isSite() ? title() : messages.chat.request.label(title())}
      tabindex="-1"
    >
      <header>
        <Icon of={isSite() ? ShieldBan : Hand} />
        <div>
          <h3 class="sel" aria-level="2">
            {title()}
          </h3>
          <p class="who">
            {isSite() ? messages.sandbox.card.tried(asker().who) : messages.card.requestedBy(asker().who)}
            <Show when={asker().session}>
              {(session) => (
                <>
                  {" "}
                  [<span class="sn">{visibleText(session())}</span>]
                </>
              )}
            </Show>{" "}
            {isSite() ? messages.sandbox.card.triedIn(place()) : messages.chat.request.in(place())}
            <Show when={several() && kindsOf(props.request)}>{(kinds) => <>: {kinds()}</>}</Show>
            <Show when={props.request.outside}>
              {" "}
              · <strong class="c-attn">{messages.chat.request.outside}</strong>
            </Show>
            <Show when={props.request.protected}>
              {(why) => (
                <>
                  {" "}
                  · <strong class="c-attn">{messages.card.protected(why(), several())}</strong>
                </>
              )}
            </Show>
          </p>
          <Show when={props.request.sandbox === "inside"}>
            <p class="in-sandbox">
              <Icon of={Box} />
              {messages.sandbox.card.inside}
            </p>
          </Show>
        </div>
        <span class="row num side">
          <preview.Facts />
          <Show when={props.waiting > 1}>
            <span class="subtle">{messages.chat.request.waiting(props.waiting)}</span>
          </Show>
        </span>
      </header>
      <Show when={isSite()} fallback={<Preview request={props.request} folder={props.folder} of={preview} />}>
        <Site request={props.request} />
      </Show>
      <Show when={props.request.earlier}>
        {(earlier) => <p class="earlier sel">{visibleText(earlier(), "prose")}</p>}
      </Show>
      <Show when={failure()}>
        <p class="perm-failure c-bad" role="alert">
          {failure()}
        </p>
      </Show>
      <footer ref={footer} classList={{ reason: reasons() }}>
        <Show
          when={reasons()}
          fallback={
            <>
              <Buttons place="allow" />
              <span class="grow" />
              <Buttons place="reject" />
            </>
          }
        >
          <Reason
            who={other()}
            value={reason()}
            onInput={type}
            onReject={() => reject(reason())}
            onCancel={back}
          />
        </Show>
      </footer>
      <Show when={hint()}>{(text) => <p class="scope">{text()}</p>}</Show>
    </section>
  );
}
