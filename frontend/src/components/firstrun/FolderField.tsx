import FolderOpen from "lucide-solid/icons/folder-open";
import { createResource, createSignal, createUniqueId, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { parentFolder } from "../../lib/path";
import { actions } from "../../state/actions";
import { Button } from "../ui/Button";
import { FolderPath } from "../ui/FolderPath";
import { Icon } from "../ui/Icon";
import "./firstrun.css";

const t = messages.firstRun.folder;

export interface FolderFieldProps {
  value: string;
  onFolder: (path: string) => void;
  /** Called when Enter is pressed in the field while it contains the path of the selected folder. */
  onConfirm?: () => void;
}

/** createFolderFacts returns the details of a folder and reloads them when the path changes. */
export function createFolderFacts(path: () => string) {
  const [facts] = createResource(
    () => path().trim() || undefined,
    (each) =>
      actions.folder(each).catch((thrown) => ({
        path: each,
        name: "",
        exists: false,
        branch: "",
        changed: 0,
        message: thrown.message as string,
      })),
  );
  return facts;
}

/** FolderField lets the user select a folder in the system's dialog or type its path. */
export function FolderField(props: FolderFieldProps) {
  const id = createUniqueId();
  const [typed, setTyped] = createSignal(props.value);
  const [failure, setFailure] = createSignal("");
  const facts = createFolderFacts(() => props.value);
  const choose = () => {
    setFailure("");
    actions.pickFolder().then(
      (path) => {
        if (path === "") return;
        setTyped(path);
        props.onFolder(path);
      },
      (thrown) => setFailure(thrown.message),
    );
  };
  return (
    <>
      <Show when={props.value !== "" && facts.latest?.exists}>
        <div class="cmd tall">
          <Icon of={FolderOpen} />
          <span class="grow trunc">
            <Show when={parentFolder(facts.latest?.path ?? "")}>
              {(place) => <span class="subtle">{place().replace(/\/?$/, "/")}</span>}
            </Show>
            <span class="path">{visibleText(facts.latest?.name ?? "")}</span>
          </span>
          <span class="subtle fact">
            {facts.latest?.branch ? t.git(visibleText(facts.latest.branch)) : t.noGit}
          </span>
        </div>
      </Show>
      <div class="row folder-row">
        <label class="sr" for={id}>
          {t.label}
        </label>
        <FolderPath
          id={id}
          class="grow"
          placeholder={t.placeholder}
          value={typed()}
          invalid={props.value !== "" && facts.latest?.exists === false}
          describedBy={`${id}-status`}
          onInput={setTyped}
          onDone={(path) => props.onFolder(path)}
          onEnter={(path) => path === props.value && props.onConfirm?.()}
        />
        <Button large onClick={choose}>
          {props.value === "" ? t.choose : t.chooseAnother}
        </Button>
      </div>
      <p class="folder-status" id={`${id}-status`} role="status">
        <Show
          when={failure()}
          fallback={
            props.value !== "" && facts.latest?.exists === false ? facts.latest.message || t.missing : ""
          }
        >
          {failure()}
        </Show>
      </p>
    </>
  );
}
