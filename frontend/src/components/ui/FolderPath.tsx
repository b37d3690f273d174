// A text field for a folder path. The path can be completed with Tab, as in a shell, with the arrow keys,
// or from the list.

import Folder from "lucide-solid/icons/folder";
import { createSignal, createUniqueId, For, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { actions } from "../../state/actions";
import { isComposing } from "../../state/keys";
import { Icon } from "./Icon";
import "./menu.css";
import "./fields.css";
import "./folder-path.css";

const t = messages.newChat.completion;

export interface FolderPathProps {
  id: string;
  value: string;
  placeholder: string;
  class?: string;
  /** Whether the list takes layout space below the field instead of overlaying other content. */
  inline?: boolean;
  /** Whether the field gets the focus when the enclosing panel opens. */
  autofocus?: boolean;
  invalid?: boolean;
  describedBy?: string;
  onInput: (path: string) => void;
  /** Called when the path is confirmed with Enter or the field loses the focus. */
  onDone?: (path: string) => void;
  /** Called before onDone when Enter is pressed and there is nothing to complete. */
  onEnter?: (path: string) => void;
}

/** commonPrefix returns the common prefix of all paths, ignoring case. */
export function commonPrefix(paths: readonly string[]): string {
  const [first = "", ...others] = paths;
  let length = first.length;
  for (const other of others) {
    let at = 0;
    while (at < length && first[at]?.toLowerCase() === other[at]?.toLowerCase()) at++;
    length = at;
  }
  return first.slice(0, length);
}

const sameCase = (path: string) => path.replace(/[\\/]$/, "").toLowerCase();

const endsFolder = (path: string) => path === "" || /[\\/]$/.test(path);

/** FolderPath renders the field and its list. */
export function FolderPath(props: FolderPathProps) {
  const listId = createUniqueId();
  const [found, setFound] = createSignal<readonly string[]>([]);
  const [failure, setFailure] = createSignal("");
  const [at, setAt] = createSignal(-1);
  let field!: HTMLInputElement;
  let list: HTMLDivElement | undefined;
  let requests = 0;
  onCleanup(() => requests++);

  const close = () => {
    requests++;
    setFound([]);
    setAt(-1);
  };
  const ask = async (typed: string) => {
    const mine = ++requests;
    try {
      const folders = typed === "" ? [] : await actions.foldersAt(typed);
      if (mine !== requests) return;
      setFailure("");
      setFound(folders);
    } catch (thrown) {
      if (mine !== requests) return;
      setFailure((thrown as Error).message);
      setFound([]);
    }
    setAt(-1);
  };
  const type = (path: string) => {
    props.onInput(path);
    void ask(path);
  };
  const pick = (path: string) => {
    type(path);
    field.focus();
  };
  const move = (to: number) => {
    setAt(to);
    list?.children[to]?.scrollIntoView?.({ block: "nearest" });
  };
  /** Completes the typed path and reports whether there was anything to complete. */
  const complete = (): boolean => {
    const all = found();
    const chosen = all[at()];
    if (chosen) pick(chosen);
    else if (endsFolder(props.value) || all.length === 0) return false;
    else {
      const shared = commonPrefix(all);
      pick(shared.length > props.value.length ? shared : (all[0] as string));
    }
    return true;
  };
  /**
   * Reports whether the typed path is incomplete: the paths of existing folders start with it, but it
   * isn't itself the path of an existing folder.
   */
  const isBegun = () =>
    !endsFolder(props.value) &&
    found().length > 0 &&
    !found().some((path) => sameCase(path) === sameCase(props.value));
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event) || event.ctrlKey || event.metaKey || event.altKey) return;
    const count = found().length;
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && count > 0) move(at() < 0 && step < 0 ? count - 1 : (at() + step + count) % count);
    else if (event.key === "Tab" && !event.shiftKey && complete()) {
      // The focus stays in the field for the next part of the path.
    } else if (event.key === "Enter" && (at() >= 0 || isBegun())) complete();
    else if (event.key === "Escape" && count > 0) close();
    else {
      if (event.key === "Enter") {
        close();
        props.onEnter?.(props.value.trim());
        props.onDone?.(props.value.trim());
      }
      return;
    }
    event.preventDefault();
    // Enclosing elements handle these keys too.
    event.stopPropagation();
  };
  return (
    <div class={`folder-path ${props.class ?? ""}`} classList={{ inline: props.inline }}>
      <input
        ref={field}
        id={props.id}
        class="input mono sel"
        data-autofocus={props.autofocus ? "" : undefined}
        role="combobox"
        aria-expanded={found().length > 0}
        aria-controls={`${listId}-list`}
        aria-activedescendant={at() >= 0 ? `${listId}-${at()}` : undefined}
        aria-autocomplete="list"
        aria-invalid={props.invalid || failure() !== "" ? "true" : undefined}
        aria-describedby={props.describedBy}
        placeholder={props.placeholder}
        spellcheck={false}
        autocomplete="off"
        value={props.value}
        onInput={(event) => type(event.currentTarget.value)}
        onChange={(event) => props.onDone?.(event.currentTarget.value.trim())}
        on:keydown={onKeyDown}
        // An inline list stays open: closing it would move the clicked element.
        onBlur={() => !props.inline && close()}
      />
      <div
        ref={list}
        id={`${listId}-list`}
        class="folder-found"
        classList={{ none: found().length === 0 }}
        role="listbox"
        aria-label={t.label}
        tabindex="-1"
      >
        <For each={found()}>
          {(path, index) => (
            <button
              type="button"
              class="opt"
              role="option"
              tabindex="-1"
              id={`${listId}-${index()}`}
              aria-selected={index() === at()}
              onMouseDown={(event) => event.preventDefault()}
              onClick={() => pick(path)}
            >
              <Icon of={Folder} size="sm" />
              <span class="trunc mono">{visibleText(path)}</span>
            </button>
          )}
        </For>
      </div>
      <Show when={failure()}>
        <p class="folder-status c-bad">{failure()}</p>
      </Show>
      <span class="sr" role="status">
        {failure() || (found().length > 0 ? t.found(found().length) : "")}
      </span>
    </div>
  );
}
