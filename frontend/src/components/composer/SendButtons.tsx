// The Send button, or the Queue and Stop buttons while a turn is running.

import ArrowUp from "lucide-solid/icons/arrow-up";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { keysOf, provide } from "../../state/commands";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import "./composer.css";

/**
 * SendButtons renders the buttons and provides the visible chat's Stop shortcut. `idle` is true if there
 * is nothing to send.
 */
export function SendButtons(props: { chatId: string; idle: boolean }) {
  const state = useStore();
  const running = () => state.chats[props.chatId]?.turnState === "running";
  provide("stop", () => actions.stop(props.chatId), running);

  return (
    <Show
      when={running()}
      fallback={
        <button
          type="submit"
          class="send"
          aria-label={messages.composer.send}
          title={messages.composer.send}
          disabled={props.idle}
        >
          <Icon of={ArrowUp} />
        </button>
      }
    >
      <Button type="submit" look="ghost" class="queue-button" disabled={props.idle}>
        {messages.composer.queueButton}
      </Button>
      <button
        type="button"
        class="send stop"
        aria-label={messages.composer.stop}
        title={messages.composer.stop}
        aria-keyshortcuts={keyShortcuts(...keysOf("stop"))}
        onClick={() => actions.stop(props.chatId)}
      >
        <span class="sq" />
      </button>
    </Show>
  );
}
