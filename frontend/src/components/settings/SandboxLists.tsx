// The lists in the settings of the sandbox: places, sites and ports.

import { createSignal, type JSX, onMount, Show } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { foundSites, isFindingSites, portFrom, siteFrom } from "../../state/sandbox";
import { useStore } from "../../state/store";
import type { SandboxSettings } from "../../state/types";
import { AddButton, AddField, type Chip, Chips } from "./Chips";
import { Row } from "./parts";
import "./sandbox.css";

const t = messages.sandbox.settings;

export interface ListProps {
  own: SandboxSettings;
  /** Saves a change. The promise resolves to false if saving failed. */
  onChange: (change: Partial<SandboxSettings>) => Promise<boolean>;
}

/** Number of entries shown initially; the list of places that commands can't read is long. */
const mostPlaces = 4;

const without = <T,>(list: readonly T[] | undefined, entry: T) =>
  (list ?? []).filter((each) => each !== entry);
const withNew = <T,>(list: readonly T[] | undefined, entry: T) => [...without(list, entry), entry];

/** Restore is the button that adds back all default entries that the user has removed. */
function Restore(props: { onClick: () => void }) {
  return (
    <button type="button" class="link" onClick={() => props.onClick()}>
      {t.restore}
    </button>
  );
}

/** Places is a row with a list of files and folders. The user adds a folder with the system's dialog. */
function Places(props: {
  label: string;
  fact: JSX.Element;
  places: readonly string[];
  onAdd: (folder: string) => void;
  onRemove: (place: string) => void;
}) {
  const [failure, setFailure] = createSignal("");
  const add = () => {
    setFailure("");
    actions.pickFolder().then(
      (folder) => folder !== "" && props.onAdd(folder),
      (thrown) => setFailure(thrown.message),
    );
  };
  const place = (shown: string) => props.places.find((each) => tilde(each) === shown) ?? shown;
  return (
    <Row label={props.label} fact={props.fact} failure={failure()}>
      <Chips
        label={props.label}
        most={mostPlaces}
        entries={props.places.map((each) => ({ id: tilde(each) }))}
        onRemove={(shown) => props.onRemove(place(shown))}
      >
        <AddButton label={t.addTo(props.label)} onClick={add} />
      </Chips>
    </Row>
  );
}

/** WritablePlaces lists the folders that commands may write to, in addition to the chat's folder. */
export function WritablePlaces(props: ListProps) {
  return (
    <Places
      label={t.write}
      fact={t.writeFact}
      places={props.own.write ?? []}
      onAdd={(folder) => void props.onChange({ write: withNew(props.own.write, folder) })}
      onRemove={(place) => void props.onChange({ write: without(props.own.write, place) })}
    />
  );
}

/** HiddenPlaces lists the files and folders that commands can't read: the defaults, and those added by the user. */
export function HiddenPlaces(props: ListProps) {
  const state = useStore();
  const byDefault = () => state.sandbox.hidden ?? [];
  const readable = () => props.own.readable ?? [];
  const add = (folder: string) => {
    // A default entry isn't added to `hidden`: removing it from `readable` is enough.
    const known = byDefault().find((place) => tilde(place) === tilde(folder));
    if (known) void props.onChange({ readable: without(readable(), known) });
    else void props.onChange({ hidden: withNew(props.own.hidden, folder) });
  };
  const remove = (place: string) => {
    if (props.own.hidden?.includes(place)) void props.onChange({ hidden: without(props.own.hidden, place) });
    else void props.onChange({ readable: withNew(readable(), place) });
  };
  return (
    <Places
      label={t.hidden}
      fact={
        <>
          {t.hiddenFact}{" "}
          <Show when={readable().length > 0}>
            <Restore onClick={() => void props.onChange({ readable: [] })} />
          </Show>
        </>
      }
      places={[
        ...(props.own.hidden ?? []).filter((place) => !byDefault().includes(place)),
        ...byDefault().filter((place) => !readable().includes(place)),
      ]}
      onAdd={add}
      onRemove={remove}
    />
  );
}

/** Sites lists the hosts that commands may reach: those of package managers, and those added by the user. */
export function Sites(props: ListProps) {
  const state = useStore();
  onMount(actions.findSandboxSites);
  const found = () => foundSites(state.sandbox, props.own);
  const entries = (): Chip[] => {
    const hosts = found().map(({ host, tools }) => ({ id: host, fact: t.usedBy(tools) }));
    const known = new Set(hosts.map(({ id }) => id));
    return [...hosts, ...(props.own.sites ?? []).filter((site) => !known.has(site)).map((id) => ({ id }))];
  };
  const add = (text: string): string => {
    const site = siteFrom(text);
    if (!site) return t.badSite;
    if (entries().some(({ id }) => id === site)) return t.listed(site);
    if (props.own.blockedSites?.includes(site))
      void props.onChange({ blockedSites: without(props.own.blockedSites, site) });
    else void props.onChange({ sites: withNew(props.own.sites, site) });
    return "";
  };
  const remove = (site: string) => {
    const isFound = state.sandbox.sites?.some(({ host }) => host === site);
    void props.onChange({
      ...(props.own.sites?.includes(site) ? { sites: without(props.own.sites, site) } : {}),
      ...(isFound ? { blockedSites: withNew(props.own.blockedSites, site) } : {}),
    });
  };
  return (
    <div class="sr-row sandbox-sites">
      <div class="lb">
        <div>{t.sites}</div>
        <div class="ds">
          {t.sitesFact} <Show when={isFindingSites(state.sandbox)}>{messages.sandbox.findingSites} </Show>
          <Show when={props.own.blockedSites?.length}>
            <Restore onClick={() => void props.onChange({ blockedSites: [] })} />
          </Show>
        </div>
      </div>
      <Chips label={t.sites} entries={entries()} onRemove={remove}>
        <AddField label={t.addSite} onAdd={add} />
      </Chips>
    </div>
  );
}

/** LocalPorts lists the ports of servers on this computer that commands may reach. */
export function LocalPorts(props: ListProps) {
  const ports = () => props.own.ports ?? [];
  const add = (text: string): string => {
    const port = portFrom(text);
    if (!port) return t.badPort;
    if (ports().includes(port)) return t.listed(String(port));
    void props.onChange({ ports: withNew(ports(), port).sort((a, b) => a - b) });
    return "";
  };
  return (
    <Row label={t.ports} fact={t.portsFact}>
      <Chips
        label={t.ports}
        entries={ports().map((port) => ({ id: String(port) }))}
        onRemove={(port) => void props.onChange({ ports: without(ports(), Number(port)) })}
      >
        <AddField brief label={t.addPort} onAdd={add} />
      </Chips>
    </Row>
  );
}
