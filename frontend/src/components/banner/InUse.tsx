// The banner of a chat whose session another program has open.

import GitFork from "lucide-solid/icons/git-fork";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import { createEffect, createSignal, on, Show } from "solid-js";
import { toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { go, screen } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { SessionHolder } from "../../state/types";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Banner } from "./Banner";
import "../sessions/sessions.css";
import "./banner.css";

const t = messages.sessions.use;

/** The uses whose banner is folded. A use ends with the program, so another program's banner isn't folded. */
const [folded, setFolded] = createSignal<ReadonlySet<string>>(new Set());

const keyOf = (chatId: string, { pid, startedAt }: SessionHolder, stayed: boolean) =>
  `${chatId}/${pid}/${startedAt ?? 0}/${stayed}`;

/** InUse offers to take the session over, to work on a copy of it, or to fold the banner. */
export function InUse(props: { chatId: string }) {
  const state = useStore();
  let place!: HTMLDivElement;
  const use = () => state.sessionUses[props.chatId];
  // The last holder remains until the banner is removed.
  const holder = (): SessionHolder => use()?.holder ?? { pid: 0 };
  const isTerminal = () => !!holder().terminal;
  const stayed = () => use()?.stayed === true;
  const key = () => keyOf(props.chatId, holder(), stayed());
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal<"take" | "fork" | "">("");
  createEffect(on([() => props.chatId, () => use()?.stayed], () => setFailure(""), { defer: true }));

  const run = async (what: "take" | "fork", work: () => Promise<void>) => {
    if (busy() !== "" || use()?.closing) return;
    setBusy(what);
    setFailure("");
    try {
      await work();
    } catch (thrown) {
      setFailure(toAppError(thrown).message);
    } finally {
      setBusy("");
    }
  };
  const fork = async () => {
    const from = props.chatId;
    const session = select.mainSession(state, from);
    if (!session?.acpId) throw new Error(messages.sessions.openFailed);
    const chat = await actions.forkCLISession(session.home ?? "", session.acpId);
    const now = screen();
    if (now.name === "chat" && now.id === from) go({ name: "chat", id: chat.id });
  };
  const isClosing = () => busy() === "take" || use()?.closing === true;
  const fold = (isFolded: boolean) => {
    setFolded((old) => {
      const next = new Set(old);
      if (isFolded) next.add(key());
      else next.delete(key());
      return next;
    });
    queueMicrotask(() => place.querySelector<HTMLElement>("button")?.focus());
  };

  return (
    <div ref={place}>
      <Show
        when={!folded().has(key())}
        fallback={
          <div class="use-line" role="status" aria-label={t.label(isTerminal())}>
            <Icon of={SquareTerminal} size="sm" />
            <span class="grow">{t.label(isTerminal())}</span>
            <button type="button" class="hb" onClick={() => fold(false)}>
              {t.show}
            </button>
          </div>
        }
      >
        <Banner
          tone="attn"
          label={t.label(isTerminal())}
          icon={SquareTerminal}
          strong={
            stayed()
              ? t.stayedStrong(isTerminal())
              : t.strong(isTerminal(), visibleText(holder().program ?? ""))
          }
          more={<Failure text={failure()} class="banner-failure c-bad" />}
          actions={
            <>
              <Show when={!stayed()}>
                <Button
                  look="primary"
                  aria-disabled={busy() === "fork"}
                  aria-busy={isClosing()}
                  onClick={() => void run("take", () => actions.takeOverSession(props.chatId))}
                >
                  <Show when={isClosing()} fallback={t.takeOver}>
                    <Icon of={LoaderCircle} size="sm" class="spin" />
                    {t.closing(isTerminal())}
                  </Show>
                </Button>
              </Show>
              <Button
                look={stayed() ? "primary" : undefined}
                icon={GitFork}
                aria-disabled={isClosing() || busy() !== ""}
                aria-busy={busy() === "fork"}
                onClick={() => void run("fork", fork)}
              >
                {t.fork}
              </Button>
              <Button look="ghost" onClick={() => fold(true)}>
                {t.keepReading}
              </Button>
            </>
          }
        >
          {stayed() ? t.stayedBody : t.body}
        </Banner>
      </Show>
    </div>
  );
}
