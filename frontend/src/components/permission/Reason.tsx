// The line in the foot of a card in which the user says why not, or what to do
// instead.

import CornerDownLeft from "lucide-solid/icons/corner-down-left";
import { onMount } from "solid-js";
import { words } from "../../i18n";
import { isComposing } from "../../state/keys";
import { Icon } from "../ui/Icon";
import "./permission.css";

export interface ReasonProps {
  /** The name of another agent than Copilot, or "". */
  who: string;
  value: string;
  onInput(text: string): void;
  onReject(): void;
  onCancel(): void;
}

/** Reason takes the place of the buttons. */
export function Reason(props: ReasonProps) {
  let field!: HTMLInputElement;
  onMount(() => field.focus({ preventScroll: true }));
  const label = () => (props.value.trim() === "" ? words.chat.ask.reject : words.card.rejectAndSend);
  const asks = () => (props.who === "" ? words.card.reason : words.card.reasonOf(props.who));
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
          // The key that opened the line may be held still, and does not send it.
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
        {words.card.cancel}
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
