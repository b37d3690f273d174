import { createMemo, createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { raw, useStore } from "../../state/store";
import { SessionMain } from "../../state/types";
import { Button } from "../ui/Button";
import { type PartProps, session } from "./facts";

/**
 * Continue is the button that asks the session to resume its interrupted work. Once the message is sent,
 * the banner becomes a thin line.
 */
export function Continue(props: PartProps) {
  const state = useStore();
  const [sent, setSent] = createSignal(false);
  const sendContinue = () => {
    const name = session(props.banner);
    const prompt = messages.chat.banner.continuePrompt;
    if (name === SessionMain) return actions.send(props.item.chatId, prompt);
    return actions.sendTo(props.item.chatId, name, prompt);
  };
  /**
   * Reports whether the session has had another turn since the banner appeared, for example because the user continued
   * the work with a message.
   */
  const hasContinued = () =>
    Object.values(raw().turns).some(
      (turn) =>
        turn.chatId === props.item.chatId &&
        turn.session === session(props.banner) &&
        turn.startedAt > props.item.createdAt,
    );
  // hasContinued doesn't track the turns. This memo tracks the chat's turn state, which changes with each turn.
  const isOffered = createMemo(
    () => state.chats[props.item.chatId]?.turnState !== "running" && !hasContinued(),
  );
  return (
    <Show when={isOffered()}>
      <Button
        look="primary"
        disabled={sent()}
        onClick={() => {
          setSent(true);
          sendContinue().then(
            () => actions.dismissBanner(props.item.chatId, props.item.id),
            (thrown) => {
              setSent(false);
              actions.log("warn", `ask to continue: ${thrown.message}`);
            },
          );
        }}
      >
        {messages.chat.banner.continue(select.answeredBy(state, props.item.turnId))}
      </Button>
    </Show>
  );
}
