import FileDiff from "lucide-solid/icons/file-diff";
import Shield from "lucide-solid/icons/shield";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { openInspector } from "../../state/inspector";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Banner } from "./Banner";
import { agentLabel, detailOf, type PartProps } from "./facts";

/**
 * WithoutPermission lists changes that an agent made without permission, and files in the chat's folder that
 * may have allowed these changes.
 */
export function WithoutPermission(props: PartProps & { who: string; onDismiss: () => void }) {
  const text = messages.chat.banner.withoutPermission;
  const lines = () => detailOf(props.banner).split("\n");
  const suspects = () => lines().slice(1).join(", ");
  return (
    <Banner
      tone="bad"
      label={text.label(props.who)}
      icon={Shield}
      strong={text.strong(props.who)}
      onDismiss={props.onDismiss}
      actions={
        <>
          <Button
            look="primary"
            icon={FileDiff}
            onClick={() => openInspector("changes", props.banner.session ?? "")}
          >
            {messages.inspector.changes.soFar}
          </Button>
          <CopyButton look="ghost" text={detailOf(props.banner)} label={messages.chat.copyDetails} />
        </>
      }
    >
      {text.body} <code class="mono">{lines()[0]}</code>
      <br />
      {suspects() ? text.suspects(suspects()) : text.noSuspects} {text.next}
    </Banner>
  );
}

/** AllowAll warns that a session was restored with everything allowed, and offers to change that. */
export function AllowAll(props: PartProps & { onDismiss: () => void }) {
  const state = useStore();
  const text = messages.chat.banner.allowAll;
  const on = () => select.permissionMode(state, props.item.chatId) === "bypass";
  return (
    <Banner
      tone="attn"
      label={text.label}
      icon={Shield}
      strong={text.strong}
      onDismiss={props.onDismiss}
      actions={
        <Show when={on()}>
          <Button
            look="primary"
            onClick={() => {
              actions.setPermissionMode(props.item.chatId, "ask");
              props.onDismiss();
            }}
          >
            {text.off}
          </Button>
        </Show>
      }
    >
      {text.body(agentLabel(select.agentOf(state, props.item.chatId), props.banner))}
    </Banner>
  );
}
