// The card by which Copilot asks before it acts: exactly what will happen, who
// asks, and where.

import CornerDownLeft from "lucide-solid/icons/corner-down-left";
import Hand from "lucide-solid/icons/hand";
import { createSignal, For, onCleanup, onMount, Show } from "solid-js";
import { seen } from "../../lib/format";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Permission, Scope } from "../../state/words";
import { words } from "../../words";
import { askTitle } from "../transcript/tool";
import { Icon } from "../ui/Icon";
import { isMac, keyShortcuts } from "../ui/Kbd";
import { folderName } from "../ui/path";
import { createGuard } from "./guard";
import { type Answer, answersOf } from "./options";
import { createPreview, Preview } from "./Preview";

/** What the transcript may do with the card that is on screen. */
export interface CardControl {
  allowOnce(): void;
  reject(): void;
}

export interface PermissionCardProps {
  ask: Permission;
  folder: string;
  /** How many requests of this chat wait, this one among them. */
  waiting: number;
  control?(control: CardControl | undefined): void;
}

function Keys(props: { role: Answer["role"] }) {
  return (
    <Show when={props.role === "once" || props.role === "reject"}>
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

/** covers says what a rule would allow, word for word. */
function covers(scope: Scope): string {
  const text = words.chat.ask;
  const folder = scope.folder === "" ? text.everyFolder : folderName(scope.folder);
  const what = seen(scope.command ?? "");
  switch (scope.kind) {
    case "edits":
      return text.scopeEdits(folder);
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

/** PermissionCard is one request that waits for the user. */
export function PermissionCard(props: PermissionCardProps) {
  const state = useStore();
  let card!: HTMLElement;
  let footer!: HTMLElement;
  const [sent, setSent] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  // The buttons move with what is above them, also where the card stays.
  const ready = createGuard({ element: () => footer });

  const title = () => askTitle(props.ask, props.folder);
  const place = () => folderName(props.folder);
  const main = () => select.mainOf(state, props.ask.turnId);
  const answers = () => answersOf(props.ask);
  const preview = createPreview(() => props.ask);

  const give = (answer: Answer | undefined) => {
    if (!answer || sent() || !ready()) return;
    setSent(true);
    setFailure("");
    actions.answer(props.ask.id, answer.optionId, answer.always).catch((thrown) => {
      setSent(false);
      setFailure(thrown.message);
    });
  };
  const giveRole = (role: Answer["role"]) => give(answers().find((answer) => answer.role === role));

  onMount(() => props.control?.({ allowOnce: () => giveRole("once"), reject: () => giveRole("reject") }));
  onCleanup(() => {
    props.control?.(undefined);
    // The focus must not fall out of the page with the card.
    if (card.contains(document.activeElement)) {
      const main = card.closest("main");
      queueMicrotask(() => main?.querySelector<HTMLElement>(".composer textarea")?.focus());
    }
  });

  const shortcut = (role: Answer["role"]) => {
    if (role === "once") return keyShortcuts("Mod", "Shift", "Enter");
    return role === "reject" ? keyShortcuts("Mod", "Shift", "Backspace") : undefined;
  };
  const Buttons = (own: { place: Answer["place"] }) => (
    <For each={answers().filter((answer) => answer.place === own.place)}>
      {(answer) => (
        <button
          type="button"
          class="btn lg"
          classList={{ primary: answer.role === "once" }}
          aria-label={answer.label}
          aria-keyshortcuts={shortcut(answer.role)}
          onClick={() => give(answer)}
        >
          {answer.label}
          <Keys role={answer.role} />
        </button>
      )}
    </For>
  );

  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot have this shape.
    <section ref={card} class="perm" role="group" aria-label={words.chat.ask.label(title())} tabindex="-1">
      <header>
        <Icon of={Hand} />
        <div>
          <h3 class="sel" aria-level="2">
            {title()}
          </h3>
          <p class="who">
            <Show
              when={main()}
              fallback={
                <>
                  {words.chat.ask.by} [<span class="sn">{seen(props.ask.session)}</span>]
                </>
              }
            >
              {words.answers.askedBy(main())}
            </Show>{" "}
            {words.chat.ask.in(place())}
            <Show when={props.ask.outside}>
              <strong class="c-attn"> {words.chat.ask.outside}</strong>
            </Show>
          </p>
        </div>
        <span class="row num side">
          <preview.Facts />
          <Show when={props.waiting > 1}>
            <span class="subtle">{words.chat.ask.waiting(props.waiting)}</span>
          </Show>
        </span>
      </header>
      <Preview ask={props.ask} folder={props.folder} of={preview} />
      <Show when={failure()}>
        <p class="perm-failure c-bad" role="alert">
          {failure()}
        </p>
      </Show>
      <footer ref={footer}>
        <Buttons place="allow" />
        <span class="grow" />
        <Buttons place="reject" />
      </footer>
      <Show when={answers().some((answer) => answer.always) && props.ask.scope}>
        {(scope) => (
          <p class="scope">
            {covers(scope())} {words.chat.ask.takeBack}
          </p>
        )}
      </Show>
    </section>
  );
}
