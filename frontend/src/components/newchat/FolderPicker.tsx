import Folder from "lucide-solid/icons/folder";
import { createEffect, createSignal, createUniqueId, For, type JSX, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { folderName, parentFolder } from "../../lib/path";
import { actions } from "../../state/actions";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";
import { FolderPath } from "../ui/FolderPath";
import { Icon } from "../ui/Icon";
import { Popover } from "../ui/Popover";
import "./newchat.css";

const t = messages.newChat;

export interface FolderPickerProps {
  folder: string;
  recent: readonly string[];
  onFolder: (path: string) => void;
  /**
   * Each change of this number opens the picker. The number changes when the user tries to send a message
   * without a usable folder.
   */
  openCount: number;
  /** Content of the button. */
  children: JSX.Element;
}

/**
 * FolderPicker selects the folder of a new chat: a recent folder, a typed path, or a folder chosen in the
 * system's dialog.
 */
export function FolderPicker(props: FolderPickerProps) {
  const id = createUniqueId();
  const [open, setOpen] = createSignal(false);
  const [typed, setTyped] = createSignal("");
  const [failure, setFailure] = createSignal("");
  createEffect(
    on(
      () => props.openCount,
      () => setOpen(true),
      { defer: true },
    ),
  );
  const choose = (path: string) => {
    if (path === "") return;
    setOpen(false);
    setTyped("");
    props.onFolder(path);
  };
  let requests = 0;
  /**
   * take accepts a typed path if it is a folder. Otherwise the path stays in the field, where the user can
   * correct it.
   */
  const take = async (path: string) => {
    if (path === "") return;
    const mine = ++requests;
    setFailure("");
    try {
      const facts = await actions.folder(path);
      if (mine !== requests || typed().trim() !== path) return;
      if (facts.exists) choose(path);
      else setFailure(facts.message || t.missing);
    } catch (thrown) {
      if (mine === requests) setFailure((thrown as Error).message);
    }
  };
  const ask = () => {
    setFailure("");
    actions.pickFolder().then(choose, (thrown) => setFailure(thrown.message));
  };
  return (
    <Popover
      label={props.folder === "" ? t.noFolder : t.folder(folderName(props.folder))}
      title={t.picker.title}
      triggerClass="btn ghost lg ws"
      class="folder-picker"
      placement="bottom-start"
      open={open()}
      onOpenChange={setOpen}
      trigger={props.children}
    >
      <Show when={props.recent.length > 0}>
        <p class="cap">{t.picker.recent}</p>
        <ul aria-label={t.picker.recent}>
          <For each={props.recent}>
            {(path) => (
              <li>
                <button
                  type="button"
                  class="opt"
                  classList={{ on: path === props.folder }}
                  aria-current={path === props.folder ? "true" : undefined}
                  onClick={() => choose(path)}
                >
                  <Icon of={Folder} size="sm" />
                  <span class="trunc">{folderName(path)}</span>
                  <span class="r trunc">{parentFolder(path)}</span>
                </button>
              </li>
            )}
          </For>
        </ul>
        <div class="hr" />
      </Show>
      <form
        class="folder-form"
        onSubmit={(event) => {
          event.preventDefault();
          void take(typed().trim());
        }}
      >
        <label class="sr" for={id}>
          {t.picker.path}
        </label>
        <FolderPath
          id={id}
          autofocus
          inline
          placeholder={t.picker.placeholder}
          value={typed()}
          onInput={(path) => {
            setFailure("");
            setTyped(path);
          }}
        />
        <div class="row">
          <Button type="submit" disabled={typed().trim() === ""}>
            {t.picker.use}
          </Button>
          <Button look="ghost" onClick={ask}>
            {messages.common.chooseFolder}
          </Button>
        </div>
        <Failure text={failure()} />
      </form>
    </Popover>
  );
}
