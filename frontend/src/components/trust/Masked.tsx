import ShieldOff from "lucide-solid/icons/shield-off";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { conditionOf } from "../../state/condition";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { Icon } from "../ui/Icon";
import "./trust.css";

const t = messages.trust;

/**
 * Masked shows that a chat's folder was opened without running its code. Its button asks again whether to trust the
 * folder.
 */
export function Masked(props: { chatId: string }) {
  const state = useStore();
  return (
    <Show when={state.chats[props.chatId]?.sandbox?.masked && !conditionOf(state, props.chatId)}>
      <p class="masked" role="status" aria-label={t.masked.label}>
        <Icon of={ShieldOff} size="sm" />
        <span class="grow">
          {t.masked.strong} <span class="subtle">{t.masked.body(select.agentOf(state, props.chatId))}</span>
        </span>
        <button type="button" class="link" onClick={() => actions.reviewTrust(props.chatId)}>
          {t.review}
        </button>
      </p>
    </Show>
  );
}
