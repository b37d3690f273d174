import { createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import type { Storage, StorageState } from "../../state/types";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Notice } from "./Crash";

const blockingStates = ["opening", "in_use", "newer", "unusable"] as const;
type BlockingState = (typeof blockingStates)[number];

/** isBlocked reports whether the database's state prevents the app from showing any chats. */
export function isBlocked(state: StorageState): state is BlockingState {
  return (blockingStates as readonly string[]).includes(state);
}

/** Blocked replaces the UI while the database can't be opened. */
export function Blocked(props: { storage: Storage }) {
  const [failure, setFailure] = createSignal("");
  const text = () =>
    messages.shell.storage[isBlocked(props.storage.state) ? props.storage.state : "unusable"];
  const opening = () => props.storage.state === "opening";
  const detail = () =>
    [tilde(props.storage.path), props.storage.message ?? "", failure()].filter((s) => s !== "").join("\n");
  return (
    <Notice title={text().title} body={text().body} detail={opening() ? "" : detail()}>
      <Show when={!opening()}>
        <Button
          large
          look="primary"
          onClick={() => {
            setFailure("");
            actions.retryStorage().catch((thrown) => setFailure(thrown.message));
          }}
        >
          {messages.shell.storage.tryAgain}
        </Button>
        <Show when={detail()}>
          <CopyButton large look="ghost" text={detail()} label={messages.common.copyDetails} />
        </Show>
      </Show>
    </Notice>
  );
}
