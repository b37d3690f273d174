// A chat without messages: its folder, or the prompts that practice is made for.

import { createSignal, For, Show } from "solid-js";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { words } from "../../words";
import { practicePrompts } from "../newchat/practice";
import { Button } from "../ui/Button";
import { folderName } from "../ui/path";
import { noteSent } from "./view";

const w = words.chat.empty;

/** Empty stands in place of a transcript that has no rows. A prompt of practice is sent by a click. */
export function Empty(props: { chatId: string }) {
  const state = useStore();
  const chat = () => state.chats[props.chatId];
  // A second click comes before the message is back from the app.
  const [sent, setSent] = createSignal(false);
  const send = (text: string) => {
    if (sent()) return;
    setSent(true);
    void actions.sendPrompt(props.chatId, text).then((id) => (id ? noteSent(id) : setSent(false)));
  };
  return (
    <div class="transcript-empty">
      <Show
        when={select.isPractice(chat())}
        fallback={
          <>
            <h2>{w.title}</h2>
            <p class="muted">{w.body(folderName(chat()?.folder ?? ""))}</p>
          </>
        }
      >
        <h2>{w.practice}</h2>
        <p class="muted">{w.practiceBody}</p>
        <ul class="prompts" aria-label={w.practice}>
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
