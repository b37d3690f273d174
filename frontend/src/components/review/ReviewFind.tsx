import ChevronDown from "lucide-solid/icons/chevron-down";
import ChevronUp from "lucide-solid/icons/chevron-up";
import X from "lucide-solid/icons/x";
import { createEffect, on } from "solid-js";
import { messages } from "../../i18n";
import { IconButton } from "../ui/Button";
import type { FindState } from "./find";
import "../transcript/find-bar.css";

const t = messages.review;

export interface ReviewFindProps {
  find: FindState;
  /** Number of requests to open the bar. It also increases while the bar is open. */
  opens: number;
  topPath(): string;
  onClose(): void;
}

/**
 * ReviewFind is the find bar of the Review screen: the search field, the number of matches and the navigation buttons.
 */
export function ReviewFind(props: ReviewFindProps) {
  let field!: HTMLInputElement;
  createEffect(
    on(
      () => props.opens,
      () => {
        field.focus();
        field.select();
      },
    ),
  );
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.isComposing) return;
    if (event.key === "Enter" || event.key === "F3") void props.find.step(event.shiftKey ? -1 : 1);
    else if (event.key === "Escape") props.onClose();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const says = () => {
    if (props.find.failure() !== "") return props.find.failure();
    const found = props.find.found();
    if (!found) return "";
    if (found.total === 0) return t.findNone;
    return t.findCount(props.find.at() + 1, found.total, found.total > found.matches.length);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: older webviews don't support the search element.
    <div class="findbar" role="search" aria-label={t.findLabel} onKeyDown={onKeyDown}>
      <input
        ref={field}
        class="find-field"
        type="search"
        spellcheck={false}
        aria-label={t.findField}
        placeholder={t.findField}
        onInput={(event) => props.find.type(event.currentTarget.value, props.topPath)}
      />
      <span class="num subtle" role="status">
        {says()}
      </span>
      <IconButton small icon={ChevronUp} label={t.findPrevious} onClick={() => void props.find.step(-1)} />
      <IconButton small icon={ChevronDown} label={t.findNext} onClick={() => void props.find.step(1)} />
      <IconButton small icon={X} label={t.findClose} onClick={() => props.onClose()} />
    </div>
  );
}
