// The switch between the versions of a chat, on the first message in which they differ.

import ChevronLeft from "lucide-solid/icons/chevron-left";
import ChevronRight from "lucide-solid/icons/chevron-right";
import { createEffect, Show } from "solid-js";
import { messages } from "../../i18n";
import { focusedFork, goBackBusy, setFocusedFork, switchVersion } from "../../state/goBack";
import { useStore } from "../../state/store";
import type { Fork, Item } from "../../state/types";
import { IconButton } from "../ui/Button";
import "./goback.css";

const t = messages.goBack;

/**
 * forkAt returns the fork whose visible version starts at `item`, or undefined if there is none. A fork with
 * only one version doesn't count.
 */
export function forkAt(item: Item): Fork | undefined {
  const forks = useStore().branches[item.chatId]?.forks;
  return forks?.find((fork) => !!fork.turnId && fork.turnId === item.turnId && fork.versions.length > 1);
}

/** stepVersion shows the previous or next version, and reports whether there is one. */
export function stepVersion(item: Item, step: -1 | 1): boolean {
  const fork = forkAt(item);
  const to = (fork?.current ?? 0) + step;
  if (!fork?.versions[to]) return false;
  void switchVersion(item.chatId, fork, to);
  return true;
}

/** VersionSwitch shows the number of the current version, and buttons that switch to the others. */
export function VersionSwitch(props: { item: Item }) {
  let group: HTMLDivElement | undefined;
  createEffect(() => {
    if (focusedFork() === undefined || focusedFork() !== forkAt(props.item)?.afterTurn) return;
    setFocusedFork(undefined);
    group?.closest<HTMLElement>(".msg")?.focus();
  });
  const isBusy = (fork: Fork) =>
    fork.versions.some((version) => version.id !== "" && version.id === goBackBusy());
  return (
    <Show when={forkAt(props.item)}>
      {(fork) => (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset belongs in a form.
        <div
          ref={group}
          role="group"
          class="versions"
          aria-label={t.version(fork().current + 1, fork().versions.length)}
          aria-busy={isBusy(fork())}
        >
          <IconButton
            small
            icon={ChevronLeft}
            label={t.previous}
            disabled={fork().current <= 0}
            onClick={() => stepVersion(props.item, -1)}
          />
          <span class="num" aria-hidden="true">
            {t.versionShort(fork().current + 1, fork().versions.length)}
          </span>
          <IconButton
            small
            icon={ChevronRight}
            label={t.next}
            disabled={fork().current >= fork().versions.length - 1}
            onClick={() => stepVersion(props.item, 1)}
          />
        </div>
      )}
    </Show>
  );
}
