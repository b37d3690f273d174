import Database from "lucide-solid/icons/database";
import { createSignal, Show } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { StorageState } from "../../state/types";
import { Banner } from "../banner/Banner";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import "../banner/banner.css";

const tones = { read_only: "bad", failing: "bad", salvaged: "attn" } as const;
type BannerState = keyof typeof tones;

const hasBanner = (state: StorageState): state is BannerState => state in tones;

/**
 * StorageBanner reports a database problem that leaves the window usable. Only the banner about a
 * salvaged database can be dismissed, because it reports an event, not a state.
 */
export function StorageBanner() {
  const state = useStore();
  const [dismissed, setDismissed] = createSignal(false);
  const [failure, setFailure] = createSignal("");
  const bannerState = () => {
    const now = state.storage.state;
    return hasBanner(now) && !(now === "salvaged" && dismissed()) ? now : undefined;
  };
  const details = () =>
    [tilde(state.storage.path), state.storage.message ?? ""].filter((line) => line !== "").join("\n");
  return (
    <Show when={bannerState()}>
      {(now) => (
        <div class="storage-banner">
          <Banner
            tone={tones[now()]}
            label={messages.shell.storage[now()].title}
            icon={Database}
            strong={messages.shell.storage[now()].title}
            onDismiss={now() === "salvaged" ? () => setDismissed(true) : undefined}
            more={
              <Show when={state.storage.message || failure()}>
                <p class="disc sel wrap-any">{failure() || state.storage.message}</p>
              </Show>
            }
            actions={
              <>
                <Show when={now() !== "salvaged"}>
                  <Button
                    onClick={() => {
                      setFailure("");
                      actions.retryStorage().catch((thrown) => setFailure(thrown.message));
                    }}
                  >
                    {messages.shell.storage.tryAgain}
                  </Button>
                </Show>
                <CopyButton look="ghost" text={details()} label={messages.common.copyDetails} />
              </>
            }
          >
            {messages.shell.storage[now()].body}
          </Banner>
        </div>
      )}
    </Show>
  );
}
