import ChevronRight from "lucide-solid/icons/chevron-right";
import Folder from "lucide-solid/icons/folder";
import Plus from "lucide-solid/icons/plus";
import { Show } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { type Group, headKey } from "../../state/rows";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { StateGlyph } from "./ChatRow";
import "./chat-list.css";

export interface HeadingProps {
  group: Group;
  /** Whether this heading is the list's only tab stop. */
  tabStop: boolean;
  onFold: () => void;
  onFocus: () => void;
  onNew: () => void;
}

/**
 * Heading is the heading of a folder above its chats, with buttons that collapse the folder and start a new
 * chat in it.
 */
export function Heading(props: HeadingProps) {
  return (
    <h2 classList={{ folded: props.group.folded }}>
      <button
        type="button"
        class="fold"
        data-id={headKey(props.group.key)}
        aria-expanded={!props.group.folded}
        title={tilde(props.group.key)}
        tabIndex={props.tabStop ? 0 : -1}
        onFocus={() => props.onFocus()}
        onClick={() => props.onFold()}
      >
        <span class="turn">
          <Icon of={Folder} size="sm" class="closed-icon" />
          <Icon of={ChevronRight} size="sm" class="chev" />
        </span>
        <span class="trunc">{props.group.name}</span>
        <span class="path trunc">{props.group.place}</span>
        <Show when={props.group.folded}>
          <StateGlyph state={props.group.state} />
          <Show when={messages.shell.states[props.group.state]}>
            {(state) => <span class="sr">{state()}</span>}
          </Show>
          <span class="path num count" aria-hidden="true">
            {props.group.count}
          </span>
          <span class="sr">{messages.shell.chatsIn(props.group.count)}</span>
        </Show>
      </button>
      <IconButton
        small
        icon={Plus}
        class="add"
        label={messages.shell.newChatIn(props.group.name)}
        tabIndex={props.tabStop ? 0 : -1}
        onClick={() => props.onNew()}
      />
    </h2>
  );
}
