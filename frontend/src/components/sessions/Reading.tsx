// The progress of reading a session into a chat, above the transcript.

import CircleX from "lucide-solid/icons/circle-x";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import { createEffect, createSignal, Match, on, Show, Switch } from "solid-js";
import { toAppError } from "../../bridge";
import { messages } from "../../i18n";
import { bytes } from "../../lib/format";
import { actions } from "../../state/actions";
import { askDelete } from "../../state/chatActions";
import { go, screen } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { Banner } from "../banner/Banner";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import "./sessions.css";

const t = messages.sessions.reading;

/** Reading shows the progress of reading a session into the chat, or that reading it failed. */
export function Reading(props: { chatId: string }) {
  const state = useStore();
  const progress = () => state.sessionImports[props.chatId];
  const percent = () => {
    const { read = 0, size = 0 } = progress() ?? {};
    return size > 0 ? Math.min(100, Math.floor((read / size) * 100)) : 0;
  };
  const [failure, setFailure] = createSignal("");
  const [busy, setBusy] = createSignal(false);
  createEffect(on([() => props.chatId, () => progress()?.state], () => setFailure(""), { defer: true }));
  const run = async (what: string, work: () => Promise<void>) => {
    if (busy()) return;
    setBusy(true);
    setFailure("");
    try {
      await work();
    } catch (thrown) {
      setFailure(messages.common.sentences(what, toAppError(thrown).message));
    } finally {
      setBusy(false);
    }
  };
  const cancel = async () => {
    const id = props.chatId;
    await actions.cancelSessionImport(id);
    // The chat is deleted, so the user returns to the list.
    const now = screen();
    if (now.name === "new" || (now.name === "chat" && now.id === id)) go({ name: "sessions" });
  };
  const again = async () => {
    const id = props.chatId;
    const { program, conversationId = "" } = progress() ?? {};
    const session = select.mainSession(state, id);
    if (!program && !session?.acpId) throw new Error(messages.sessions.openFailed);
    const chat = program
      ? await actions.openOtherConversation(program, conversationId)
      : await actions.openCLISession(session?.home ?? "", session?.acpId ?? "");
    const now = screen();
    if (now.name === "chat" && now.id === id && chat.id !== id) go({ name: "chat", id: chat.id });
  };
  return (
    <Switch>
      <Match when={progress()?.state === "reading"}>
        {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for forms. */}
        <div class="reading-line" role="group" aria-label={t.label}>
          <Icon of={LoaderCircle} size="sm" class="spin c-cop" />
          <span class="num">{t.line(percent())}</span>
          <div
            class="reading-bar"
            role="progressbar"
            aria-label={t.label}
            aria-valuemin={0}
            aria-valuemax={100}
            aria-valuenow={percent()}
          >
            <i style={{ width: `${percent()}%` }} />
          </div>
          <Show when={progress()?.size}>
            {(size) => <span class="subtle num">{t.size(bytes(progress()?.read ?? 0), bytes(size()))}</span>}
          </Show>
          <button
            type="button"
            class="hb"
            aria-disabled={busy()}
            onClick={() => void run(t.cancelFailed, cancel)}
          >
            {t.cancel}
          </button>
          <Failure text={failure()} class="c-bad" />
        </div>
      </Match>
      <Match when={progress()?.state === "failed"}>
        <div class="reading-failed">
          <Banner
            tone="bad"
            label={t.failedLabel}
            icon={CircleX}
            strong={t.failed}
            more={<Failure text={failure()} class="banner-failure c-bad" />}
            actions={
              <>
                <Button look="primary" aria-disabled={busy()} onClick={() => void run("", again)}>
                  {t.tryAgain}
                </Button>
                <Button look="ghost" onClick={() => askDelete(state.chats[props.chatId])}>
                  {t.deleteChat}
                </Button>
              </>
            }
          >
            {progress()?.message}
          </Banner>
        </div>
      </Match>
    </Switch>
  );
}
