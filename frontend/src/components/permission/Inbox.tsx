// All pending requests in all chats, with agent, chat and subject. Selecting a request opens its card,
// which is the only place where the request can be answered.

import ChevronDown from "lucide-solid/icons/chevron-down";
import { createMemo, createSignal, For } from "solid-js";
import { messages } from "../../i18n";
import { createNow } from "../../lib/clock";
import { visibleText } from "../../lib/format";
import { folderName } from "../../lib/path";
import { go } from "../../state/screen";
import { select } from "../../state/select";
import { useStore } from "../../state/store";
import type { Permission } from "../../state/types";
import { titleOf } from "../shell/ChatRow";
import { requestTitle } from "../transcript/tool";
import { Icon } from "../ui/Icon";
import { Popover } from "../ui/Popover";
import { age } from "../ui/time";
import "./permission.css";

export interface InboxProps {
  /** Called when the user has selected a request, to close overlays that cover the chat. */
  onLeave(): void;
}

/** Inbox is a button that opens the list of pending requests. */
export function Inbox(props: InboxProps) {
  const state = useStore();
  const [open, setOpen] = createSignal(false);
  return (
    <Popover
      label={messages.chat.request.inboxOpen}
      title={messages.chat.request.inbox}
      trigger={<Icon of={ChevronDown} size="sm" />}
      triggerClass="ib sm inbox-open"
      class="inbox"
      open={open()}
      onOpenChange={setOpen}
    >
      <List
        onChoose={(request) => {
          setOpen(false);
          props.onLeave();
          go({ name: "chat", id: request.chatId, toRequest: true });
        }}
        requests={select.waiting(state)}
      />
    </Popover>
  );
}

/**
 * requestLabel describes a request in one line: by its command if there is one, otherwise by the title of
 * its card.
 */
function requestLabel(request: Permission, folder: string): string {
  const command = request.kind === "execute" ? request.command?.trim() : "";
  if (command && request.sandbox === "leaves") return messages.sandbox.card.runsOutside(visibleText(command));
  return command ? messages.chat.request.runs(visibleText(command)) : requestTitle(request, folder);
}

function List(props: { requests: Permission[]; onChoose(request: Permission): void }) {
  const state = useStore();
  const now = createNow();
  const requests = createMemo(() => props.requests);
  const who = (request: Permission) => {
    const { who, session } = select.requesterOf(state, request);
    return messages.chat.request.requester(who, visibleText(session));
  };
  return (
    <ul aria-label={messages.chat.request.inbox}>
      <For each={requests()}>
        {(request) => {
          const chat = () => state.chats[request.chatId];
          const folder = () => chat()?.folder ?? "";
          return (
            <li>
              <button type="button" class="inbox-row" onClick={() => props.onChoose(request)}>
                <span class="what">{requestLabel(request, folder())}</span>
                <span class="num subtle">{age(request.createdAt, now())}</span>
                <span class="where subtle trunc">
                  {messages.chat.request.requestedIn(who(request), titleOf(chat()), folderName(folder()))}
                </span>
              </button>
            </li>
          );
        }}
      </For>
    </ul>
  );
}
