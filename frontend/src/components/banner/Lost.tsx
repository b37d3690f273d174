import Unplug from "lucide-solid/icons/unplug";
import { createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { namedText } from "../transcript/VisibleText";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Banner } from "./Banner";
import type { PartProps } from "./facts";

/** Recap shows the recap that a new session of the chat received. */
export function Recap(props: { text: string }) {
  return (
    <div class="disc sel">
      <strong>{messages.chat.banner.lost.recap}</strong>
      <br />
      <span class="typed">{namedText(props.text, "prose")}</span>
    </div>
  );
}

/** Lost reports that a session was replaced, and shows the recap for the new one. */
export function Lost(props: PartProps & { onDismiss: () => void }) {
  const state = useStore();
  const agent = () => select.agentOf(state, props.item.chatId);
  const [isRecapOpen, setRecapOpen] = createSignal(false);
  const text = messages.chat.banner.lost;
  return (
    <Banner
      tone="attn"
      label={text.label}
      icon={Unplug}
      onDismiss={props.onDismiss}
      more={
        <Show when={isRecapOpen()}>
          <Recap text={props.banner.told ?? ""} />
        </Show>
      }
      actions={
        <>
          <Show when={props.banner.told}>
            <Button aria-expanded={isRecapOpen()} onClick={() => setRecapOpen(!isRecapOpen())}>
              {(isRecapOpen() ? text.hide : text.show)(agent())}
            </Button>
          </Show>
          <Show when={props.banner.detail}>
            {(detail) => <CopyButton look="ghost" text={detail()} label={messages.chat.copyDetails} />}
          </Show>
        </>
      }
    >
      {text.body(agent())}
    </Banner>
  );
}
