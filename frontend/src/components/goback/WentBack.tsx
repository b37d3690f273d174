// The line below the remaining messages after the user went back to an earlier message.

import History from "lucide-solid/icons/rotate-ccw-clock";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { timeOf } from "../../lib/format";
import { bringBackReported, goBackBusy, showAside } from "../../state/goBack";
import { useStore } from "../../state/store";
import type { WentBack as WentBackState } from "../../state/types";
import { Icon } from "../ui/Icon";
import "../banner/banner.css";
import "./goback.css";

const t = messages.goBack;

/**
 * WentBack shows the time that the user went back to, and the numbers of restored files and set-aside
 * messages. One of its buttons undoes going back.
 */
export function WentBack(props: { chatId: string }) {
  const state = useStore();
  const went = () => state.branches[props.chatId]?.wentBack;
  /**
   * Whether files were restored but their newer contents can't be brought back, because the snapshots have
   * been removed.
   */
  const isSwept = () => !!went()?.files && !went()?.hasFiles;
  const line = (now: WentBackState) =>
    isSwept()
      ? t.wentSwept(t.wentLabel(timeOf(now.since)), now.messages ?? 0)
      : t.went(timeOf(now.since), now.files ?? 0, now.messages ?? 0);
  return (
    <Show when={went()}>
      {(now) => (
        <div class="rule went-back" role="status" aria-label={t.wentLabel(timeOf(now().since))}>
          <Icon of={History} />
          <span>{line(now())}</span>
          <Show when={!isSwept() || now().messages}>
            <button
              type="button"
              class="hb"
              aria-label={isSwept() ? t.bringMessages : t.bringBackName}
              aria-busy={goBackBusy() === now().asideId}
              onClick={async (event) => {
                const main = event.currentTarget.closest("main");
                const isBack = await bringBackReported(props.chatId, now().asideId, !!now().hasFiles);
                // The button disappears with the line.
                if (isBack) main?.querySelector<HTMLElement>(".composer textarea")?.focus();
              }}
            >
              {t.bringBack}
            </button>
          </Show>
          <Show when={now().messages}>
            <button
              type="button"
              class="hb"
              aria-label={t.showName}
              aria-haspopup="dialog"
              onClick={() => showAside({ chatId: props.chatId, asideId: now().asideId })}
            >
              {t.show}
            </button>
          </Show>
        </div>
      )}
    </Show>
  );
}
