// The failed and empty states of the Review screen, the line about an incomplete list, and the strip that reports a
// failed action.

import FileDiff from "lucide-solid/icons/file-diff";
import Info from "lucide-solid/icons/info";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import X from "lucide-solid/icons/x";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import type { ReviewModel } from "../../state/review";
import { Button, IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";

const t = messages.review;

/** Empty is shown instead of the diffs if there are none or if they couldn't be loaded. */
export function Empty(props: { model: ReviewModel; source: string }) {
  const isChat = () => props.source === "chat";
  return (
    <div class="rv-empty">
      <Show
        when={props.model.failure()}
        fallback={
          <div class="rv-empty-box" role="status">
            <Icon of={FileDiff} size="lg" class="subtle" />
            <strong>{isChat() ? t.nothing : t.nothingIn}</strong>
            <p class="muted">{props.model.list()?.message || (isChat() ? t.nothingBody : t.nothingInBody)}</p>
          </div>
        }
      >
        {(failure) => (
          <div class="rv-empty-box" role="alert">
            <Icon of={TriangleAlert} size="lg" class="c-bad" />
            <strong>{t.loadFailed}</strong>
            <p class="muted">{failure().message}</p>
            <Button onClick={() => void props.model.reload()}>{t.tryAgain}</Button>
          </div>
        )}
      </Show>
    </div>
  );
}

/**
 * Incomplete is a line with the reason why the list of files is incomplete. If completing the list takes long
 * (`isLong`), the line shows the number of files that are still to be compared.
 */
export function Incomplete(props: { model: ReviewModel; isLong: boolean }) {
  const text = () => {
    if (!props.model.list()?.files.length) return "";
    const comparing = props.isLong ? props.model.comparing() : 0;
    return comparing > 0 ? t.comparing(comparing) : props.model.list()?.message;
  };
  return (
    <Show when={text()}>
      {(reason) => (
        <div class="rv-note top" role="status">
          <Icon of={Info} />
          <span class="grow">{reason()}</span>
        </div>
      )}
    </Show>
  );
}

/** Strip is a line with the reason why an action failed. */
export function Strip(props: { text: string; onDismiss(): void }) {
  return (
    <Show when={props.text}>
      <div class="rv-note bad" role="alert">
        <Icon of={TriangleAlert} />
        <span class="grow">{props.text}</span>
        <IconButton small icon={X} label={t.dismiss} onClick={() => props.onDismiss()} />
      </div>
    </Show>
  );
}
