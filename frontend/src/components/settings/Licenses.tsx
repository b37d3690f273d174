import ChevronRight from "lucide-solid/icons/chevron-right";
import { createMemo, createResource, createSignal, For, Show } from "solid-js";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { Find } from "./parts";
import "./licenses.css";

const w = words.settings.about;

/** Licences lists the third-party components, each with its license text. */
export function Licences() {
  const [found] = createResource(() => actions.licences());
  const [wanted, setWanted] = createSignal("");
  const all = () => (found.error ? [] : (found.latest ?? []));
  const shown = createMemo(() => {
    const text = wanted().trim().toLowerCase();
    return all().filter((each) => `${each.name} ${each.licence}`.toLowerCase().includes(text));
  });
  return (
    <>
      <h2>{w.components}</h2>
      <p class="subtle">{w.componentsLead}</p>
      <Show
        when={all().length > 0}
        fallback={
          <Show when={found.loading}>
            <p class="subtle">{w.componentsLoading}</p>
          </Show>
        }
      >
        <div class="row set-find">
          <Find label={w.componentsSearch} value={wanted()} onInput={setWanted} />
          <span class="subtle num" role="status">
            {shown().length > 0 ? w.componentsCount(shown().length) : w.componentsNoMatch(wanted())}
          </span>
        </div>
        <ul class="licences" aria-label={w.componentsList}>
          <For each={shown()}>
            {(each) => (
              <li>
                <Licence name={each.name} version={each.version} licence={each.licence} text={each.text} />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Failure text={found.error instanceof Error ? found.error.message : ""} />
    </>
  );
}

/** Licence is one line; its text is rendered when expanded. */
function Licence(props: { name: string; version: string; licence: string; text: string }) {
  const [open, setOpen] = createSignal(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon of={ChevronRight} size="sm" class="chev" />
        <span class="wrap-any">{props.name}</span>
        <span class="subtle num">{props.version}</span>
        <span class="grow" />
        <span class="subtle">{props.licence}</span>
      </summary>
      <Show when={open()}>
        <pre class="out sel" tabindex="0">
          {props.text}
        </pre>
      </Show>
    </details>
  );
}
