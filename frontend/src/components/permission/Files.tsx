// The changes in a request that affects several files: each file has a heading, its first lines, and a
// button that expands it in place.

import ChevronDown from "lucide-solid/icons/chevron-down";
import FilePlus from "lucide-solid/icons/file-plus";
import Pencil from "lucide-solid/icons/pencil";
import Trash from "lucide-solid/icons/trash";
import { Index, Show } from "solid-js";
import { messages } from "../../i18n";
import { Counts } from "../transcript/Counts";
import { displayPath } from "../transcript/tool";
import { Icon } from "../ui/Icon";
import { Changes } from "./Changes";
import type { FileChange } from "./parts";
import "./permission.css";

const icons = { edit: Pencil, create: FilePlus, delete: Trash };

export interface FilesProps {
  of: FileChange[];
  /** The number of files that aren't listed, and their names; `names` is empty until the names are loaded. */
  more: { count: number; names: string[] };
  folder: string;
  /** Name of the requesting agent. */
  who: string;
  onOpen(path: string): void;
}

/** Files is the body of a card for a request that affects several files. */
export function Files(props: FilesProps) {
  return (
    <div class="ask-files">
      <Index each={props.of}>
        {(file) => (
          <File of={file()} folder={props.folder} who={props.who} onOpen={() => props.onOpen(file().path)} />
        )}
      </Index>
      <Show when={props.more.count > 0}>
        <Changes
          of={[]}
          more={props.more}
          folder={props.folder}
          label={messages.chat.request.moreFiles(props.more.count)}
          named
          wraps
        />
      </Show>
    </div>
  );
}

function File(props: { of: FileChange; folder: string; who: string; onOpen(): void }) {
  let section!: HTMLElement;
  const path = () => displayPath(props.of.path, props.folder);
  const verb = () => messages.card.verbs[props.of.verb];
  const open = () => {
    props.onOpen();
    // The button is removed, so the focus moves to the content that it revealed.
    queueMicrotask(() => section.querySelector<HTMLElement>(".changes")?.focus({ preventScroll: true }));
  };
  const facts = () => (
    <>
      <Icon of={icons[props.of.verb]} size="sm" />
      <span class="vb">{verb()}</span>
      <span class="mono trunc">{path()}</span>
      <span class="grow" />
      <span class="num">
        <Counts added={props.of.added} removed={props.of.removed} />
      </span>
    </>
  );
  return (
    <section
      ref={section}
      class="ask-file"
      classList={{ del: props.of.verb === "delete" }}
      aria-label={messages.card.file(verb(), path())}
    >
      <Show
        when={props.of.isHead && props.of.rows}
        fallback={
          <>
            <div class="ask-head">{facts()}</div>
            <Show
              when={props.of.rows}
              fallback={
                <p class="out-note">
                  {props.of.verb === "delete"
                    ? messages.card.noDeletion
                    : messages.chat.request.noPreview(props.who)}
                </p>
              }
            >
              {(rows) => (
                <Changes
                  of={[{ path: props.of.path, rows: rows() }]}
                  folder={props.folder}
                  label={messages.chat.request.change(path())}
                  named={false}
                  wraps
                />
              )}
            </Show>
            <Show when={props.of.more > 0}>
              <button
                type="button"
                class="ask-more"
                aria-label={messages.card.showMoreLines(props.of.more, path())}
                onClick={open}
              >
                {messages.card.moreLines(props.of.more)}
                <Icon of={ChevronDown} size="sm" />
              </button>
            </Show>
          </>
        }
      >
        <button
          type="button"
          class="ask-head"
          aria-expanded="false"
          aria-label={messages.card.showFile(path())}
          onClick={open}
        >
          {facts()}
          <Icon of={ChevronDown} size="sm" />
        </button>
      </Show>
    </section>
  );
}
