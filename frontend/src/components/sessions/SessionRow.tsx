import FolderX from "lucide-solid/icons/folder-x";
import MessagesSquare from "lucide-solid/icons/messages-square";
import SquareTerminal from "lucide-solid/icons/square-terminal";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { For, Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { bytes, timeOf } from "../../lib/format";
import { pathParts, tilde } from "../../lib/path";
import { type ListedSession, marksOf, titleOf } from "../../state/cliSessionRows";
import { Icon } from "../ui/Icon";
import { date } from "../ui/time";
import "./sessions.css";

const t = messages.sessions;

/** timeInList formats the time of a session: the time of day if it is today or yesterday, otherwise the date. */
function timeInList(at: number, now: number): string {
  const yesterday = new Date(now);
  yesterday.setHours(0, 0, 0, 0);
  yesterday.setDate(yesterday.getDate() - 1);
  return at >= yesterday.getTime() ? timeOf(at) : date(at, now);
}

/** sizeOf returns the number of messages in a session, if they have been counted, and the size of its log. */
function sizeOf({ messages: count, size }: ListedSession): string {
  if (count < 0 && size === 0) return "";
  return count < 0 ? bytes(size) : `${t.messages(count)} · ${bytes(size)}`;
}

export interface SessionRowProps {
  session: ListedSession;
  id: string;
  isCurrent: boolean;
  onFocus(): void;
  onSelect(): void;
  /** Called on a double click. */
  onOpen(): void;
}

/** SessionRow is a session in the list. Only the current one is in the tab order. */
export function SessionRow(props: SessionRowProps) {
  const marks = () => marksOf(props.session);
  const icon = () => {
    if (props.session.damage) return TriangleAlert;
    if (props.session.folderGone) return FolderX;
    return props.session.program ? MessagesSquare : SquareTerminal;
  };
  const time = () => timeInList(props.session.updatedAt, coarseNow(props.session.updatedAt));
  return (
    <button
      type="button"
      id={props.id}
      class="cli-ses"
      aria-label={t.named(
        titleOf(props.session),
        marks().map((mark) => t.marks[mark].name),
      )}
      aria-description={`${time()}, ${tilde(props.session.folder ?? "")}, ${sizeOf(props.session)}`}
      aria-current={props.isCurrent ? "true" : undefined}
      tabIndex={props.isCurrent ? 0 : -1}
      onFocus={() => props.onFocus()}
      onClick={() => props.onSelect()}
      onDblClick={() => props.onOpen()}
    >
      <Icon of={icon()} size="sm" class={props.session.damage ? "c-attn" : "subtle"} />
      <span class="nm trunc">{titleOf(props.session)}</span>
      <time class="num">{time()}</time>
      <span class="ds">
        <Show when={props.session.folder}>
          {(folder) => (
            <span class="mono cut" title={tilde(folder())}>
              <span class="trunc">{pathParts(folder())[0]}</span>
              <span class="trunc">{pathParts(folder())[1]}</span>
            </span>
          )}
        </Show>
        <For each={marks()}>
          {(mark) => (
            <span class="cli-ses-mark" classList={{ "c-attn": mark === "damaged" }}>
              <Show when={mark === "terminal" || mark === "program"}>
                <i class="open-dot" />
              </Show>
              {t.marks[mark].label}
            </span>
          )}
        </For>
        <span class="num">{sizeOf(props.session)}</span>
      </span>
    </button>
  );
}
