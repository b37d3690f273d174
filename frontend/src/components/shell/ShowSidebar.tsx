import PanelLeft from "lucide-solid/icons/panel-left";
import { messages } from "../../i18n";
import { keysOf } from "../../state/commands";
import { IconButton } from "../ui/Button";
import { keyShortcuts } from "../ui/Kbd";

/** ShowSidebar is the button that shows the hidden sidebar. It is the first element of a screen's header. */
export function ShowSidebar(props: { onShow: () => void }) {
  return (
    <IconButton
      class="show-side"
      icon={PanelLeft}
      label={messages.shell.showSidebar}
      aria-keyshortcuts={keyShortcuts(...keysOf("sidebar"))}
      onClick={() => props.onShow()}
    />
  );
}
