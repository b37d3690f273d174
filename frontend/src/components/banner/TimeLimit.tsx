import Hourglass from "lucide-solid/icons/hourglass";
import { createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Banner as Facts, Item } from "../../state/types";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { clock } from "../ui/time";
import { Banner } from "./Banner";
import { Countdown } from "./Countdown";

const t = messages.chat.banner.timeLimit;

/** TimeLimit warns that a turn is near its time limit and offers to extend it. */
export function TimeLimit(props: { item: Item; banner: Facts }) {
  const state = useStore();
  const [busy, setBusy] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const who = () => select.answeredBy(state, props.item.turnId);
  const extend = () => {
    if (busy()) return;
    setBusy(true);
    setFailure("");
    actions.extendTurn(props.item.chatId, props.item.turnId ?? "").catch((thrown) => {
      setBusy(false);
      setFailure(thrown.message);
    });
  };
  return (
    <Banner
      tone="attn"
      label={t.label}
      icon={Hourglass}
      more={<Failure text={failure()} class="banner-failure c-bad" />}
      actions={
        <Button aria-disabled={busy()} onClick={extend}>
          {t.extend(Number(props.banner.detail))}
        </Button>
      }
    >
      <strong>
        <Show when={props.banner.nextTryAt} fallback={t.waits(who())}>
          {(at) => (
            <Countdown
              at={at()}
              clock={(left) => clock(left * 1000)}
              text={(left) => t.strong(who(), left)}
            />
          )}
        </Show>
      </strong>{" "}
      {t.body}
    </Banner>
  );
}
