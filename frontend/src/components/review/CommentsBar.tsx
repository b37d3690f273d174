// The bar that sends the comments of a review.

import MessageSquare from "lucide-solid/icons/message-square";
import Trash from "lucide-solid/icons/trash";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import X from "lucide-solid/icons/x";
import { createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { CommentsModel } from "../../state/reviewComments";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { Button, IconButton } from "../ui/Button";
import { ConfirmDialog } from "../ui/ConfirmDialog";
import { Icon } from "../ui/Icon";
import { isMod, Kbd, keyShortcuts } from "../ui/Kbd";
import { unshownText } from "./unshown";

const t = messages.reviewComments;

export interface CommentsBarProps {
  model: CommentsModel;
  narrow: boolean;
  onSend(): void;
}

export function CommentsBar(props: CommentsBarProps) {
  const state = useStore();
  const { model } = props;
  const [isAsking, setAsking] = createSignal(false);
  const agent = () => select.agentOf(state, model.chatId);
  const count = () => model.drafts().length;
  const isUnshown = ({ path }: { path: string }) => {
    model.review.rev();
    return model.review.list() !== undefined && !model.review.file(path);
  };
  /** The unfinished comments on files that the list doesn't contain. */
  const unfinished = () => {
    const forms = model.texts.forms().filter(({ source }) => source === model.review.source);
    return forms.filter((form) => form.text.trim() !== "" && isUnshown(form));
  };
  /** Paths of the unsent and unfinished comments on files that the list doesn't contain, one per comment. */
  const unshown = () => {
    const drafts = model.drafts().filter((comment) => !comment.gone && isUnshown(comment));
    return [...drafts, ...unfinished()].map(({ path }) => path);
  };
  return (
    <>
      <For each={model.gone()}>
        {(comment) => (
          <div class="rv-note attn">
            <Icon of={TriangleAlert} size="sm" />
            <span class="grow trunc" title={visibleText(comment.text, "prose")}>
              {t.gone(visibleText(comment.path), visibleText(comment.text, "prose"))}
            </span>
            <IconButton
              small
              icon={Trash}
              label={t.remove}
              onClick={async () =>
                (await model.remove(comment.id)) && model.review.announce(t.removedAnnounced)
              }
            />
          </div>
        )}
      </For>
      <Show when={unshown().length > 0}>
        <div class="rv-note">
          <Icon of={MessageSquare} size="sm" />
          <span class="grow">{unshownText(unshown())}</span>
          <Show when={unfinished()[0]}>
            {(form) => (
              <IconButton
                small
                icon={Trash}
                label={t.removeUnfinished(visibleText(form().path))}
                onClick={() => model.texts.cancel(form().id)}
              />
            )}
          </Show>
        </div>
      </Show>
      <Show when={model.texts.dropped()}>
        {(dropped) => (
          <div class="rv-note" role="status">
            <Icon of={Trash} size="sm" />
            <span class="grow">{t.dropped[dropped().kind]}</span>
            <button
              type="button"
              class="hb"
              disabled={model.isBusy()}
              onClick={async () =>
                (await model.restoreDropped()) && model.review.announce(t.restoredAnnounced)
              }
            >
              {messages.review.undo}
            </button>
            <IconButton
              small
              icon={X}
              label={messages.review.dismiss}
              onClick={() => model.texts.forgetDropped()}
            />
          </div>
        )}
      </Show>
      <Show when={model.problem()}>
        <div class="rv-note attn" role="alert">
          <Icon of={TriangleAlert} size="sm" />
          <span class="grow">{model.problem()}</span>
        </div>
      </Show>
      <Show when={count() > 0}>
        <section class="rv-send" aria-label={t.region}>
          <span class="rv-send-count">
            <Icon of={MessageSquare} />
            <span class="strong-medium">{t.comments(count())}</span>
          </span>
          <Show when={!props.narrow} fallback={<span class="grow" />}>
            <input
              class="input sel grow"
              aria-label={t.note}
              placeholder={t.notePlaceholder}
              autocomplete="off"
              value={model.texts.note()}
              onInput={(event) => model.texts.setNote(event.currentTarget.value)}
              onKeyDown={(event) => {
                if (event.isComposing) return;
                if (event.key === "Enter" && isMod(event)) props.onSend();
                else if (event.key === "Escape")
                  document.querySelector<HTMLElement>(".rv-scroll")?.focus({ preventScroll: true });
                else return;
                event.preventDefault();
                event.stopPropagation();
              }}
            />
          </Show>
          <Button look="ghost" large disabled={model.isBusy()} onClick={() => setAsking(true)}>
            {t.discard}
          </Button>
          <Button
            look="primary"
            large
            disabled={model.isBusy()}
            aria-label={t.send(agent())}
            aria-keyshortcuts={keyShortcuts("Mod", "Enter")}
            onClick={() => props.onSend()}
          >
            {t.send(agent())}
            <Kbd keys={["Mod", "Enter"]} />
          </Button>
        </section>
      </Show>
      <ConfirmDialog
        open={isAsking()}
        title={t.discardTitle(count())}
        body={t.discardBody}
        confirm={t.discard}
        onConfirm={() => {
          setAsking(false);
          void model.discard();
        }}
        onClose={() => setAsking(false)}
      />
    </>
  );
}
