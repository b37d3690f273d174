// The results of a pull request's checks: their numbers in the bar, and each check in a menu.

import CircleCheck from "lucide-solid/icons/circle-check";
import CircleDashed from "lucide-solid/icons/circle-dashed";
import CircleSlash from "lucide-solid/icons/circle-slash";
import CircleX from "lucide-solid/icons/circle-x";
import { For, Show } from "solid-js";
import { messages } from "../../i18n";
import { count, visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import type { ReviewCheck, ReviewPull } from "../../state/types";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";

const t = messages.reviewPull;

/** The states of checks in the order of the menu. */
const kinds = [
  { state: "failed", icon: CircleX, look: "c-bad", label: t.checkFailed, of: t.failedChecks },
  { state: "pending", icon: CircleDashed, look: "subtle", label: t.checkRunning, of: t.running },
  { state: "passed", icon: CircleCheck, look: "c-ok", label: t.checkPassed, of: t.passed },
  { state: "skipped", icon: CircleSlash, look: "subtle", label: t.checkSkipped, of: t.skipped },
] as const;

/** The order of the numbers in the bar. Skipped checks are only in the menu. */
const barKinds = ["passed", "failed", "pending"].flatMap((state) =>
  kinds.filter((kind) => kind.state === state),
);

/**
 * PullChecks is a button with the numbers of passed, failed and running checks, or with an icon if all checks were
 * skipped. Its menu opens the checks' pages.
 */
export function PullChecks(props: { pull: ReviewPull }) {
  const checks = () => props.pull.checks ?? [];
  const number = (state: string) => checks().filter((check) => check.state === state).length;
  const counted = () => barKinds.filter((kind) => number(kind.state) > 0);
  const words = () => {
    const all = counted().length > 0 ? counted() : kinds.filter((kind) => number(kind.state) > 0);
    return all.map((kind) => kind.of(number(kind.state))).join(", ");
  };
  /** Opens the page of a check or, if it has none, that of all checks. */
  const open = (check: ReviewCheck) => void actions.openURL(check.url || `${props.pull.url}/checks`);
  const entries = () =>
    kinds.flatMap((kind) =>
      checks()
        .filter((check) => check.state === kind.state)
        .map((check) => ({
          label: visibleText(check.name, "prose"),
          icon: <Icon of={kind.icon} size="sm" class={kind.look} />,
          fact: kind.label,
          onSelect: () => open(check),
        })),
    );
  return (
    <Show when={checks().length > 0}>
      <Menu
        label={t.checks(words())}
        title={t.showChecks}
        triggerClass="rv-checks"
        trigger={
          <For each={counted()} fallback={<Icon of={CircleSlash} size="sm" class="subtle" />}>
            {(kind) => (
              <span class="rv-pull-count num">
                <Icon of={kind.icon} size="sm" class={kind.look} />
                {count(number(kind.state))}
              </span>
            )}
          </For>
        }
        groups={[{ caption: t.openCheck, entries: entries() }]}
      />
    </Show>
  );
}
