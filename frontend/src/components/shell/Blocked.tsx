import { createSignal, Show } from "solid-js";
import { words } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import type { Storage, StorageState } from "../../state/types";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Notice } from "./Crash";

const blocking = ["opening", "in_use", "newer", "unusable"] as const;
type Blocking = (typeof blocking)[number];

/** isBlocked reports whether a database in this state prevents showing anything. */
export function isBlocked(state: StorageState): state is Blocking {
  return (blocking as readonly string[]).includes(state);
}

/** Blocked replaces the UI while the database can't be opened. */
export function Blocked(props: { storage: Storage }) {
  const [failure, setFailure] = createSignal("");
  const text = () => words.shell.storage[isBlocked(props.storage.state) ? props.storage.state : "unusable"];
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
          {words.shell.storage.tryAgain}
        </Button>
        <Show when={detail()}>
          <CopyButton large look="ghost" text={detail()} label={words.common.copyDetails} />
        </Show>
      </Show>
    </Notice>
  );
}
