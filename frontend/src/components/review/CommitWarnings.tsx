// The reasons why a commit isn't possible, and the notes about the branch.

import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { createEffect, createSignal, type JSX, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import type { CommitModel } from "../../state/reviewCommit";
import { useStore } from "../../state/store";
import { requestListing } from "../../state/trust";
import { reviewTrust } from "../../state/trustSheet";
import { Icon } from "../ui/Icon";

const t = messages.reviewCommit;

/**
 * CommitWarnings shows why a commit isn't possible, and notes about the branch and the selected files. A note about the
 * default branch is omitted if there is nothing to commit or push.
 */
export function CommitWarnings(props: { model: CommitModel }) {
  const state = useStore();
  const form = () => props.model.form();
  const draft = () => props.model.draft();
  const request = () => requestListing(state, props.model.chatId);
  const [isAsked, setAsked] = createSignal(false);
  /** Opens the trust sheet. If the app hasn't asked for trust in the folder yet, it does so first. */
  const review = async () => {
    if (request()) {
      reviewTrust(props.model.chatId);
      return;
    }
    setAsked(true);
    if (!(await props.model.askTrust())) setAsked(false);
  };
  createEffect(
    on(request, (now, before) => {
      if (now && isAsked()) {
        setAsked(false);
        reviewTrust(props.model.chatId);
      } else if (!now && before) void props.model.load();
    }),
  );
  const isIdle = () =>
    props.model.uncommitted()?.length === 0 && !draft().amend && (form()?.ahead ?? 0) === 0;
  return (
    <>
      <Show when={form()?.message}>
        {(reason) => (
          <Warning text={reason()}>
            <Show when={form()?.untrusted}>
              <button type="button" class="hb commit-trust" onClick={() => void review()}>
                {t.trust}
              </button>
            </Show>
          </Warning>
        )}
      </Show>
      <Show when={!form()?.message && props.model.files.conflicts() > 0}>
        <Warning text={t.conflicts(props.model.files.conflicts())} />
      </Show>
      <Show when={!(form()?.protected && isIdle()) && form()?.note}>
        {(note) => <Warning text={note()} />}
      </Show>
      <Show when={draft().files === "all" && props.model.unlisted() > 0}>
        <Warning text={t.unlisted(props.model.unlisted())} />
      </Show>
      <Show when={props.model.nested()}>{(note) => <Warning text={note()} />}</Show>
      <Show when={draft().amend && form()?.last?.pushed}>
        <Warning text={t.amendPushed} />
      </Show>
      <Show when={(form()?.behind ?? 0) > 0}>
        <Warning text={t.behind(form()?.behind ?? 0)} />
      </Show>
    </>
  );
}

/** Warning shows a reason why a commit isn't possible, or a note about the commit. */
function Warning(props: { text: string; children?: JSX.Element }) {
  return (
    <p class="commit-line warn">
      <Icon of={TriangleAlert} size="sm" />
      <span class="grow">
        {visibleText(props.text, "prose")}
        {props.children}
      </span>
    </p>
  );
}
