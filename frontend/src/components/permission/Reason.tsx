// The field in a card's footer where the user enters the reason for a rejection or an alternative
// instruction.

import CornerDownLeft from "lucide-solid/icons/corner-down-left";
import { onMount } from "solid-js";
import { messages } from "../../i18n";
import { isComposing } from "../../state/keys";
import { Icon } from "../ui/Icon";
import "./permission.css";

export interface ReasonProps {
  /** The name of the agent, or "" if it is Copilot. */
  who: string;
  value: string;
  onInput(text: string): void;
  onReject(): void;
  onCancel(): void;
}

/** Reason replaces the card's buttons while the user enters a reason. */
export function Reason(props: ReasonProps) {
  let field!: HTMLInputElement;
  onMount(() => field.focus({ preventScroll: true }));
  const label = () =>
    props.value.trim() === "" ? messages.chat.request.reject : messages.card.rejectAndSend;
  const asks = () => (props.who === "" ? messages.card.reason : messages.card.reasonOf(props.who));
  return (
    <>
      <input
        ref={field}
        class="input"
        type="text"
        dir="auto"
        autocomplete="off"
        aria-label={asks()}
        placeholder={asks()}
        value={props.value}
        onInput={({ currentTarget }) => props.onInput(currentTarget.value)}
        onKeyDown={(event) => {
          // The key that opened the field may still be down and must not submit it.
          if (isComposing(event) || (event.key === "Enter" && event.repeat)) return;
          if (event.key === "Enter" && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey) {
            event.preventDefault();
            props.onReject();
          } else if (event.key === "Escape") {
            event.preventDefault();
            event.stopPropagation();
            props.onCancel();
          }
        }}
      />
      <button type="button" class="btn lg ghost" aria-keyshortcuts="Escape" onClick={() => props.onCancel()}>
        {messages.card.cancel}
      </button>
      <button type="button" class="btn lg primary" aria-label={label()} onClick={() => props.onReject()}>
        {label()}
        <span class="kbd" aria-hidden="true">
          <b>
            <Icon of={CornerDownLeft} />
          </b>
        </span>
      </button>
    </>
  );
}
