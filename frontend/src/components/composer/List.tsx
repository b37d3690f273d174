// The list of files or commands above the composer's text.

import File from "lucide-solid/icons/file";
import Folder from "lucide-solid/icons/folder";
import { createEffect, createMemo, For, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { Icon } from "../ui/Icon";
import type { Completion, Option } from "./completion";
import { pathParts } from "./marks";
import "../ui/menu.css";
import "./list.css";

export interface ListProps {
  id: string;
  optionId(at: number): string;
  completion: Completion;
}

function FileOption(props: { path: string; marks: readonly number[] }) {
  const isFolder = () => props.path.endsWith("/");
  const parts = createMemo(() => pathParts(props.path.replace(/\/$/, ""), props.marks));
  return (
    <>
      <Icon of={isFolder() ? Folder : File} size="sm" />
      <span class="mono file-path" title={visibleText(props.path)}>
        <span class="subtle trunc">
          <For each={parts().folder}>{(part) => (part.hit ? <b class="hit">{part.text}</b> : part.text)}</For>
        </span>
        <span class="file-name">
          <For each={parts().name}>{(part) => (part.hit ? <b class="hit">{part.text}</b> : part.text)}</For>
        </span>
      </span>
      <span class="r">{isFolder() ? messages.composer.files.folder : ""}</span>
    </>
  );
}

/** List renders the options as a listbox. The focus stays in the text field, which refers to the active option. */
export function List(props: ListProps) {
  let list: HTMLDivElement | undefined;
  const { completion } = props;
  createEffect(() => {
    const at = completion.chosen();
    list?.children[at]?.scrollIntoView?.({ block: "nearest" });
  });
  const label = () =>
    completion.token()?.kind === "command" ? messages.composer.commandList : messages.composer.files.list;
  return (
    <Switch>
      <Match when={completion.isOpen()}>
        <div
          ref={list}
          id={props.id}
          class="pop completion"
          role="listbox"
          aria-label={label()}
          aria-busy={completion.isBehind()}
        >
          <For each={completion.options()}>
            {(option: Option, at) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text field, which refers to the active option.
              // biome-ignore lint/a11y/useKeyWithClickEvents: the text field handles the keys.
              <div
                id={props.optionId(at())}
                class="opt"
                role="option"
                aria-label={option.kind === "file" ? visibleText(option.path) : undefined}
                aria-selected={at() === completion.chosen()}
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => completion.pick(at())}
              >
                <Show
                  when={option.kind === "file" ? option : undefined}
                  fallback={
                    <>
                      <span class="command-name">
                        /{option.kind === "command" ? visibleText(option.command.id) : ""}
                      </span>
                      <span class="r trunc">
                        {option.kind === "command"
                          ? visibleText(option.command.description ?? "", "prose")
                          : ""}
                      </span>
                    </>
                  }
                >
                  {(file) => <FileOption path={file().path} marks={file().marks} />}
                </Show>
              </div>
            )}
          </For>
        </div>
      </Match>
      <Match when={completion.isReading()}>
        <p class="pop completion note" role="status">
          {messages.composer.files.reading}
        </p>
      </Match>
      <Match when={completion.hasFailed()}>
        <p class="pop completion note" role="status">
          {messages.composer.files.failed}
        </p>
      </Match>
    </Switch>
  );
}
