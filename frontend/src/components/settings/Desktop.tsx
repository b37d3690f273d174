import { createSignal, For, type JSX, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { commands } from "../../state/commands";
import { displayKeys, isModifier, keysOfPress } from "../../state/globalKeys";
import { areKeys } from "../../state/keys";
import { defaultSettings } from "../../state/state";
import { useStore } from "../../state/store";
import type { Notify } from "../../state/types";
import { Button } from "../ui/Button";
import { Command } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Switch } from "../ui/fields";
import { Kbd } from "../ui/Kbd";
import { createSave, Row } from "./parts";

const t = messages.desktop;

/** Default quiet hours. */
const night = { quietFrom: "22:00", quietTo: "07:00" };

/** Desktop configures the desktop integration: starting at login, tray, global shortcut and notifications. */
export function Desktop() {
  const state = useStore();
  const { save, failure, setFailure } = createSave();
  const startAtLogin = (on: boolean) => {
    setFailure("");
    actions.setStartAtLogin(on).catch((thrown) => setFailure(thrown.message));
  };
  return (
    <>
      <h2 class="first">{t.startup}</h2>
      <Row first label={t.startAtLogin} fact={state.desktop.tray ? t.startAtLoginFact : t.startAtLoginNoTray}>
        <Switch label={t.startAtLogin} on={state.desktop.startAtLogin} onChange={startAtLogin} />
      </Row>
      <Row label={t.tray} fact={state.desktop.tray ? t.trayFact : t.trayNone}>
        <Switch
          label={t.tray}
          disabled={!state.desktop.tray}
          on={state.desktop.tray && !!state.settings.closeToTray}
          onChange={(closeToTray) => void save({ closeToTray })}
        />
      </Row>
      <Failure text={failure()} />
      <h2>{t.quick}</h2>
      <Shortcut />
      <h2>{t.notifications}</h2>
      <Notifications />
    </>
  );
}

/** Shortcut shows the global shortcut and whether it works, and records a new shortcut. */
function Shortcut() {
  const state = useStore();
  const { save, failure, setFailure } = createSave();
  const [recording, setRecording] = createSignal(false);
  let recorder!: HTMLButtonElement;

  const keys = () => state.settings.shortcut;
  const stands = () => state.desktop.shortcut;
  const works = () => stands().state === "active";
  const fails = () => keys() !== "" && (stands().state === "taken" || stands().state === "impossible");
  const fact = () => {
    if (keys() === "") return state.desktop.tray ? t.shortcutOff : t.shortcutOffNoTray;
    // Some desktops assign keys other than those requested.
    const called = works() ? stands().keys : undefined;
    return called && called !== keys() ? t.shortcutCalled(called) : t.shortcutFact;
  };
  const choose = (shortcut: string) => {
    recorder.focus();
    void save({ shortcut });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (!recording() || event.key === "Tab") return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat || isModifier(event)) return;
    if (event.key === "Escape") {
      setRecording(false);
      return;
    }
    const pressed = keysOfPress(event);
    const own = commands.find((command) => command.keys && areKeys(command.keys, event));
    if (pressed === "") setFailure(t.notAKey);
    else if (own) setFailure(t.alreadyUsed(own.label()));
    else {
      setRecording(false);
      void save({ shortcut: pressed });
    }
  };
  return (
    <>
      <Row
        first
        label={t.shortcut}
        fact={
          <span role="status" classList={{ "c-attn": fails() }}>
            {fails() ? stands().message : fact()}
          </span>
        }
      >
        <div class="set-keys">
          <Show when={fails()}>
            <Button look="ghost" onClick={() => void save({})}>
              {t.again}
            </Button>
          </Show>
          <Show when={keys() !== defaultSettings.shortcut}>
            <Button look="ghost" onClick={() => choose(defaultSettings.shortcut)}>
              {t.reset}
            </Button>
          </Show>
          <Show when={keys() !== ""}>
            <Button look="ghost" onClick={() => choose("")}>
              {t.none}
            </Button>
          </Show>
          <button
            ref={recorder}
            type="button"
            class="btn set-record"
            aria-label={keys() === "" ? t.recordNone : t.record(keys())}
            aria-pressed={recording()}
            onClick={() => {
              recorder.focus(); // on macOS, clicking a button doesn't focus it
              setFailure("");
              setRecording(!recording());
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setRecording(false)}
          >
            <Show when={!recording()} fallback={t.recording}>
              <Show when={keys() !== ""} fallback={t.set}>
                <Kbd keys={displayKeys(keys())} />
              </Show>
            </Show>
          </button>
          <span class="sr" role="status">
            {recording() ? messages.common.sentences(t.recording, t.cancelHint) : ""}
          </span>
        </div>
      </Row>
      <Show when={stands().command && !works()}>
        <Row label={t.command} fact={t.commandFact}>
          <Command text={stands().command ?? ""} />
        </Row>
      </Show>
      <Failure text={failure()} />
    </>
  );
}

const kinds = ["needsYou", "finished", "failed", "signIn"] as const;

/** Notifications sets the kinds of notifications and the quiet hours. */
function Notifications() {
  const state = useStore();
  const { save, failure } = createSave();
  const now = () => state.settings.notify;
  const change = (some: Partial<Notify>) => void save({ notify: { ...unwrap(now()), ...some } });
  const isQuiet = () => !!now().quietFrom && !!now().quietTo;
  const fact = (kind: (typeof kinds)[number]) =>
    kind === "needsYou" && state.desktop.actions ? t.needsYouFact : undefined;
  return (
    <>
      <p class="set-note" classList={{ "c-attn": !!state.desktop.notifications }}>
        {state.desktop.notifications || (state.desktop.actions ? t.lead : t.noButtons)}
      </p>
      <Row first label={t.muted} fact={t.mutedFact}>
        <Switch label={t.muted} on={!!now().muted} onChange={(muted) => change({ muted })} />
      </Row>
      <For each={kinds}>
        {(kind) => (
          <Row label={t[kind]} fact={fact(kind)}>
            <Switch
              label={t[kind]}
              disabled={!!now().muted}
              on={!now().muted && now()[kind]}
              onChange={(on) => change({ [kind]: on })}
            />
          </Row>
        )}
      </For>
      <Row label={t.quiet} fact={t.quietFact}>
        <div class="set-keys">
          <Show when={isQuiet()}>
            <Clock
              label={t.quietFrom}
              value={now().quietFrom}
              onChange={(quietFrom) => change({ quietFrom })}
            />
            <span class="subtle">{t.to}</span>
            <Clock label={t.quietTo} value={now().quietTo} onChange={(quietTo) => change({ quietTo })} />
          </Show>
          <Switch
            label={t.quiet}
            disabled={!!now().muted}
            on={isQuiet()}
            onChange={(on) => change(on ? night : { quietFrom: "", quietTo: "" })}
          />
        </div>
      </Row>
      <Failure text={failure()} />
    </>
  );
}

/** Clock is a field for a time of day, such as 22:00. */
function Clock(props: { label: string; value?: string; onChange: (value: string) => void }): JSX.Element {
  return (
    <input
      type="time"
      class="input clock"
      aria-label={props.label}
      value={props.value ?? ""}
      onChange={(event) => {
        // The value is empty while the time is incomplete.
        const { value } = event.currentTarget;
        if (value !== "") props.onChange(value);
      }}
      onBlur={(event) => {
        event.currentTarget.value = props.value ?? "";
      }}
    />
  );
}
