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
import { fold, isFolded } from "../../state/sessionUse";
import { useStore } from "../../state/store";
import type { SessionHolder, SessionUse } from "../../state/types";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Banner } from "./Banner";
import "../sessions/sessions.css";
import "./banner.css";

const t = messages.sessions.use;

/** InUse offers to take the session over, to work on a copy of it, or to fold the banner. */
export function InUse(props: { chatId: string }) {
  const state = useStore();
  let place!: HTMLDivElement;
  const use = (): SessionUse => state.sessionUses[props.chatId] ?? { chatId: props.chatId };
  const holder = (): SessionHolder => use().holder ?? { pid: 0 };
  const isTerminal = () => !!holder().terminal;
  const stayed = () => use().stayed === true;
  const isRunning = () => state.chats[props.chatId]?.turnState === "running";
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal<"take" | "fork" | "">("");
  createEffect(on([() => props.chatId, () => use().stayed], () => setFailure(""), { defer: true }));

  const run = async (what: "take" | "fork", work: () => Promise<void>) => {
    if (busy() !== "" || use().closing) return;
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
  const isClosing = () => busy() === "take" || use().closing === true;
  const toggle = (to: boolean) => {
    fold(use(), to);
    queueMicrotask(() => place.querySelector<HTMLElement>("button")?.focus());
  };

  return (
    <div ref={place}>
      <Show
        when={!isFolded(use())}
        fallback={
          <div class="use-line" role="status" aria-label={t.label(isTerminal())}>
            <Icon of={SquareTerminal} size="sm" />
            <span class="grow">{t.label(isTerminal())}</span>
            <button type="button" class="hb" onClick={() => toggle(false)}>
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
              <Button look="ghost" onClick={() => toggle(true)}>
                {t.keepReading}
              </Button>
            </>
          }
        >
          {stayed() ? t.stayedBody : messages.common.sentences(t.body, isRunning() ? t.running : "")}
        </Banner>
      </Show>
    </div>
  );
}
