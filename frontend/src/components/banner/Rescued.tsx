import Plug from "lucide-solid/icons/plug";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { CopyButton } from "../ui/CopyButton";
import { Banner } from "./Banner";
import { agentLabel, type PartProps } from "./facts";

/** Rescued reports that a copy with the whole conversation replaced a damaged session. */
export function Rescued(props: PartProps & { onDismiss: () => void }) {
  const state = useStore();
  const text = () => messages.chat.banner[props.banner.kind === "repaired" ? "repaired" : "rebuilt"];
  const who = () => agentLabel(select.agentOf(state, props.item.chatId), props.banner);
  return (
    <Banner
      tone="ok"
      label={text().label}
      icon={Plug}
      strong={text().strong}
      onDismiss={props.onDismiss}
      actions={
        <Show when={props.banner.detail}>
          {(detail) => <CopyButton look="ghost" text={detail()} label={messages.chat.copyDetails} />}
        </Show>
      }
    >
      {messages.common.sentences(text().body(who()), visibleText(props.banner.note ?? "", "prose"))}
    </Banner>
  );
}
