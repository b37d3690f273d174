// The commit message that the chat's model drafts: the button, the progress, the result and the error.

import Bot from "lucide-solid/icons/bot";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import X from "lucide-solid/icons/x";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { DraftModel } from "../../state/messageDraft";
import type { MessageDraft } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";

const t = messages.reviewDraft;

/** draftedBy returns a text that names the model and the cost of a draft. */
export function draftedBy(draft: MessageDraft): string {
  const cost = draft.usage ? messages.chat.usage.short(draft.usage) : t.noCost;
  return t.drafted(visibleText(draft.model ?? ""), cost);
}

/** draftCost returns the details of a draft's cost, or undefined if none was reported. */
export const draftCost = (draft: MessageDraft | undefined): string | undefined =>
  draft?.usage && messages.chat.usage.all(draft.usage);

export interface DraftProps {
  model: DraftModel;
  /** Name of the model or agent that drafts the message. */
  by: string;
}

/** DraftButton is the button that requests a draft. */
export function DraftButton(props: DraftProps) {
  return (
    <IconButton
      small
      icon={Bot}
      label={t.draft(props.by)}
      title={t.hint(props.by)}
      disabled={!props.model.canStart()}
      onClick={() => void props.model.start()}
    />
  );
}

/** DraftState shows that a draft is being written, or offers the finished draft. */
export function DraftState(props: DraftProps & { onDone(): void }) {
  return (
    <>
      <Show when={props.model.isRunning()}>
        <div class="commit-sug" role="status">
          <Icon of={LoaderCircle} size="sm" class="spin" />
          <span class="grow trunc">{t.running(props.by)}</span>
          <button
            type="button"
            class="hb"
            onClick={() => {
              props.onDone();
              void props.model.cancel();
            }}
          >
            {t.cancel}
          </button>
        </div>
      </Show>
      <Show when={!props.model.isRunning() && props.model.offered()}>
        {(draft) => (
          <div class="commit-sug">
            <span class="grow trunc" title={visibleText(draft().text, "prose")}>
              {draftedBy(draft())}
            </span>
            <button
              type="button"
              class="hb"
              onClick={() => {
                props.model.use();
                props.onDone();
              }}
            >
              {t.use}
            </button>
            <IconButton
              small
              icon={X}
              label={t.dismiss}
              onClick={() => {
                props.model.dismiss();
                props.onDone();
              }}
            />
          </div>
        )}
      </Show>
    </>
  );
}

/** DraftFailure shows the reason why the draft failed. */
export function DraftFailure(props: { model: DraftModel; onDone(): void }) {
  return (
    <Show when={!props.model.isRunning() && props.model.failure()}>
      {(why) => (
        <p class="commit-line bad" role="alert">
          <Icon of={TriangleAlert} size="sm" />
          <span class="grow">{visibleText(why(), "prose")}</span>
          <IconButton
            small
            icon={X}
            label={t.dismissFailure}
            onClick={() => {
              props.model.dismiss();
              props.onDone();
            }}
          />
        </p>
      )}
    </Show>
  );
}
