import PanelLeft from "lucide-solid/icons/panel-left";
import { messages } from "../../i18n";
import { keysOf } from "../../state/commands";
import { IconButton } from "../ui/Button";
import { keyShortcuts } from "../ui/Kbd";

/**
 * ShowSidebar is the button that shows the sidebar. While the sidebar is hidden, it comes first in a header.
 */
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
