// The content of a chat without messages: its folder, or the practice prompts.

import { For, Show } from "solid-js";
import { messages } from "../../i18n";
import { folderName } from "../../lib/path";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { setSentItem } from "../../state/transcriptView";
import { practicePrompts } from "../newchat/practice";
import { Button } from "../ui/Button";
import { createOnce } from "./sendOnce";

const t = messages.chat.empty;

/** Empty is shown instead of a transcript that has no rows. Clicking a practice prompt sends it. */
export function Empty(props: { chatId: string }) {
  const state = useStore();
  const chat = () => state.chats[props.chatId];
  const once = createOnce(() => props.chatId);
  const send = (text: string) =>
    once(() =>
      actions.sendPrompt(props.chatId, text).then((id) => {
        if (!id) throw new Error("The message was not sent.");
        setSentItem(id);
      }),
    );
  return (
    <div class="transcript-empty">
      <Show
        when={select.isPractice(chat())}
        fallback={
          <>
            <h2>{t.title}</h2>
            <p class="muted">
              {t.body(select.responder(state, props.chatId), folderName(chat()?.folder ?? ""))}
            </p>
          </>
        }
      >
        <h2>{t.practice}</h2>
        <p class="muted">{t.practiceBody}</p>
        <ul class="prompts" aria-label={t.practice}>
          <For each={practicePrompts}>
            {(prompt) => (
              <li>
                <Button large icon={prompt.icon} onClick={() => send(prompt.text)}>
                  {prompt.text}
                </Button>
              </li>
            )}
          </For>
        </ul>
      </Show>
    </div>
  );
}
