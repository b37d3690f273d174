import Folder from "lucide-solid/icons/folder";
import X from "lucide-solid/icons/x";
import { createEffect, createMemo, createSignal, For, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { TrustedFolder } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { date } from "../ui/time";

const t = messages.trust.settings;

/** Trusted lists the folders that the user trusts. */
export function Trusted() {
  const state = useStore();
  const all = createMemo(() => Object.values(state.trustedFolders).sort((a, b) => b.trustedAt - a.trustedAt));
  const [failure, setFailure] = createSignal("");
  let place!: HTMLDivElement;
  // The remove button disappears with its folder, so the focus moves to the next remove button or, if
  // none is left, to the text that replaces the list.
  let removed: { key: string; at: number } | undefined;
  createEffect(
    on(all, (folders) => {
      if (!removed || folders.some((each) => each.key === removed?.key)) return;
      const { at } = removed;
      removed = undefined;
      queueMicrotask(() => {
        const buttons = place.querySelectorAll("button");
        (
          buttons[Math.min(at, buttons.length - 1)] ?? place.querySelector<HTMLElement>("p[tabindex]")
        )?.focus();
      });
    }),
  );
  const remove = (folder: TrustedFolder) => {
    removed = { key: folder.key, at: all().indexOf(folder) };
    setFailure("");
    actions.forgetFolder(folder.key).catch((thrown) => {
      removed = undefined;
      setFailure(thrown.message);
    });
  };
  return (
    <div ref={place} class="trusted">
      <p class="muted">{t.fact}</p>
      <Show
        when={all().length > 0}
        fallback={
          <p class="subtle" tabindex="-1">
            {t.none}
          </p>
        }
      >
        <table class="tbl" aria-label={t.table}>
          <thead>
            <tr>
              <th>{t.folder}</th>
              <th>{t.entries}</th>
              <th>{t.since}</th>
              <th>
                <span class="sr">{t.actions}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            <For each={all()}>
              {(folder) => (
                <tr>
                  <td>
                    <span class="row">
                      <Icon of={Folder} size="sm" class="subtle" />
                      <span class="mono rule-command sel">{tilde(folder.folder)}</span>
                    </span>
                  </td>
                  <td class="muted num">{t.entryCount(folder.entries)}</td>
                  <td class="subtle num">{date(folder.trustedAt, Date.now())}</td>
                  <td>
                    <IconButton
                      small
                      icon={X}
                      label={t.remove(tilde(folder.folder))}
                      onClick={() => remove(folder)}
                    />
                  </td>
                </tr>
              )}
            </For>
          </tbody>
        </table>
      </Show>
      <Failure text={failure()} />
    </div>
  );
}
