import FileDiff from "lucide-solid/icons/file-diff";
import Shield from "lucide-solid/icons/shield";
import { Show } from "solid-js";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { openInspector } from "../../state/inspector";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Banner } from "./Banner";
import { calledOf, detailOf, type PartProps } from "./facts";

/**
 * Unasked lists changes that an agent made without permission, and the files of the folder that may have
 * allowed them.
 */
export function Unasked(props: PartProps & { who: string; onDismiss: () => void }) {
  const text = words.chat.banner.unasked;
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
            {words.inspector.changes.soFar}
          </Button>
          <CopyButton look="ghost" text={detailOf(props.banner)} label={words.chat.copyDetails} />
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
  const text = words.chat.banner.allowAll;
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
      {text.body(calledOf(select.agentOf(state, props.item.chatId), props.banner))}
    </Banner>
  );
}
