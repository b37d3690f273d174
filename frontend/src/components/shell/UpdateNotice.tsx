import ArrowRight from "lucide-solid/icons/arrow-right";
import X from "lucide-solid/icons/x";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { createPreference } from "../../state/preference";
import { go } from "../../state/screen";
import { useStore } from "../../state/store";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import "./sidebar.css";

const t = messages.updates;

/** UpdateNotice is a line that announces a newer version until the user dismisses it for that version. */
export function UpdateNotice(props: { onLeave?: () => void; onHide?: () => void }) {
  const state = useStore();
  const [hidden, setHidden] = createPreference("voxpilot.update.hidden", "");
  const version = () => {
    const { state: how, version: newer } = state.update;
    const isAnnounced = how === "available" || how === "elsewhere" || how === "ready";
    return isAnnounced && newer !== hidden() ? newer : undefined;
  };
  return (
    <Show when={version()}>
      {(newer) => (
        <div class="side-update">
          <button
            type="button"
            class="side-act"
            onClick={() => {
              go({ name: "settings", page: "about" });
              props.onLeave?.();
            }}
          >
            <span class="trunc">
              {state.update.state === "ready" ? t.showReady(newer()) : t.show(newer())}
            </span>
            <Icon of={ArrowRight} size="sm" />
          </button>
          <IconButton
            small
            icon={X}
            label={t.hide(newer())}
            onClick={() => {
              setHidden(newer());
              props.onHide?.(); // the clicked button was removed
            }}
          />
        </div>
      )}
    </Show>
  );
}
