import SearchIcon from "lucide-solid/icons/search";
import { createMemo, createSignal, createUniqueId, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { isComposing } from "../../state/keys";
import { matchingRows, type SettingRow, showSetting } from "../../state/settingRows";
import { Icon } from "../ui/Icon";
import { keyShortcuts } from "../ui/Kbd";
import "../ui/menu.css";
import "./settings-search.css";

const t = messages.settings;

/** SettingsSearch finds settings on all pages and opens the page of the setting that the user selects. */
export function SettingsSearch(props: { ref?: (field: HTMLInputElement) => void }) {
  const id = createUniqueId();
  const [text, setText] = createSignal("");
  const [at, setAt] = createSignal(0);
  const [left, setLeft] = createSignal(false);
  let list: HTMLDivElement | undefined;
  const found = createMemo(() => matchingRows(text()));
  const isOpen = () => text().trim() !== "" && !left();
  const optionId = (index: number) => `${id}-${index}`;
  const type = (value: string) => {
    setText(value);
    setAt(0);
    setLeft(false);
  };
  const choose = (row: SettingRow | undefined) => {
    if (!row) return;
    type("");
    showSetting(row);
  };
  const move = (to: number) => {
    setAt(to);
    list?.querySelector(`[id="${optionId(to)}"]`)?.scrollIntoView?.({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposing(event)) return;
    const count = found().length;
    const to = { ArrowDown: (at() + 1) % count, ArrowUp: (at() - 1 + count) % count }[event.key];
    if (event.key === "Enter") choose(found()[at()]);
    else if (event.key === "Escape" && text() !== "") type("");
    else if (to !== undefined && isOpen()) {
      if (count > 0) move(to);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="set-search">
      <div class="input">
        <Icon of={SearchIcon} size="sm" />
        <input
          ref={(field) => props.ref?.(field)}
          type="text"
          class="grow sel"
          role="combobox"
          aria-label={t.search}
          aria-keyshortcuts={keyShortcuts("Mod", "F")}
          aria-expanded={isOpen() && found().length > 0}
          aria-controls={`${id}-list`}
          aria-activedescendant={isOpen() && found().length > 0 ? optionId(at()) : undefined}
          aria-autocomplete="list"
          placeholder={t.search}
          spellcheck={false}
          autocomplete="off"
          value={text()}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={onKeyDown}
          onFocus={() => setLeft(false)}
          onBlur={() => setLeft(true)}
        />
      </div>
      <div
        ref={list}
        id={`${id}-list`}
        class="pop set-found"
        classList={{ none: !isOpen() }}
        role="listbox"
        aria-label={t.searchFound}
        tabindex="-1"
      >
        <Show when={isOpen()}>
          <For each={found()}>
            {(row, index) => (
              <button
                type="button"
                class="opt"
                role="option"
                tabindex="-1"
                id={optionId(index())}
                aria-selected={index() === at()}
                // The focus stays in the field until a result is selected.
                onMouseDown={(event) => event.preventDefault()}
                onMouseMove={() => setAt(index())}
                onClick={() => choose(row)}
              >
                <span class="tx">
                  <span class="trunc">{row.label}</span>
                  <Show when={row.fact}>
                    <span class="ds trunc">{row.fact}</span>
                  </Show>
                </span>
                <span class="r">{t.pages[row.page]}</span>
              </button>
            )}
          </For>
        </Show>
      </div>
      <Show when={isOpen() && found().length === 0}>
        <p class="pop set-found subtle">{t.searchNone(text().trim())}</p>
      </Show>
      <span class="sr" role="status">
        {isOpen() ? (found().length > 0 ? t.searchCount(found().length) : t.searchNone(text().trim())) : ""}
      </span>
    </div>
  );
}
