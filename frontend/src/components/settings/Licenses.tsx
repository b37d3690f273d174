import ChevronRight from "lucide-solid/icons/chevron-right";
import { createMemo, createResource, createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { FilterField } from "./parts";
import "./licenses.css";

const t = messages.settings.about;

/** Licenses lists the third-party components, each with its license text. */
export function Licenses() {
  const [found] = createResource(() => actions.licenses());
  const [wanted, setWanted] = createSignal("");
  const all = () => (found.error ? [] : (found.latest ?? []));
  const shown = createMemo(() => {
    const text = wanted().trim().toLowerCase();
    return all().filter((each) => `${each.name} ${each.licence}`.toLowerCase().includes(text));
  });
  return (
    <>
      <h2>{t.components}</h2>
      <p class="subtle">{t.componentsLead}</p>
      <Show
        when={all().length > 0}
        fallback={
          <Show when={found.loading}>
            <p class="subtle">{t.componentsLoading}</p>
          </Show>
        }
      >
        <div class="row set-find">
          <FilterField label={t.componentsSearch} value={wanted()} onInput={setWanted} />
          <span class="subtle num" role="status">
            {shown().length > 0 ? t.componentsCount(shown().length) : t.componentsNoMatch(wanted())}
          </span>
        </div>
        <ul class="licenses" aria-label={t.componentsList}>
          <For each={shown()}>
            {(each) => (
              <li>
                <License name={each.name} version={each.version} license={each.licence} text={each.text} />
              </li>
            )}
          </For>
        </ul>
      </Show>
      <Failure text={found.error instanceof Error ? found.error.message : ""} />
    </>
  );
}

/** License is the row for one component. The license text is rendered when the row is expanded. */
function License(props: { name: string; version: string; license: string; text: string }) {
  const [open, setOpen] = createSignal(false);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <Icon of={ChevronRight} size="sm" class="chev" />
        <span class="wrap-any">{props.name}</span>
        <span class="subtle num">{props.version}</span>
        <span class="grow" />
        <span class="subtle">{props.license}</span>
      </summary>
      <Show when={open()}>
        <pre class="out sel" tabindex="0">
          {props.text}
        </pre>
      </Show>
    </details>
  );
}
