import ShieldQuestionMark from "lucide-solid/icons/shield-question-mark";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { trustRequestOf } from "../../state/trust";
import { reviewTrust } from "../../state/trustSheet";
import { Banner } from "../banner/Banner";
import { Button } from "../ui/Button";

/**
 * TrustBanner shows that a chat is waiting for the user to trust its folder. Its button opens the trust sheet or, if no
 * request is open, reconnects the agent.
 */
export function TrustBanner(props: { chatId: string }) {
  const state = useStore();
  const text = messages.chat.condition.trust;
  const request = () => trustRequestOf(state, props.chatId);
  return (
    <Banner
      tone="attn"
      label={text.label}
      icon={ShieldQuestionMark}
      strong={(request()?.changed ? text.changed : text.strong)(select.agentOf(state, props.chatId))}
      actions={
        <Show
          when={request()}
          fallback={
            <Button look="primary" onClick={() => actions.reconnect(props.chatId)}>
              {messages.chat.tryAgain}
            </Button>
          }
        >
          <Button look="primary" onClick={() => reviewTrust(props.chatId)}>
            {messages.trust.review}
          </Button>
        </Show>
      }
    >
      {text.body}
    </Banner>
  );
}
