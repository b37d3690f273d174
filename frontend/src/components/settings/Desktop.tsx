import { createSignal, For, type JSX, Show } from "solid-js";
import { unwrap } from "solid-js/store";
import { words } from "../../i18n";
import { actions } from "../../state/actions";
import { commands } from "../../state/commands";
import { isModifier, keysOfPress, keysShown } from "../../state/globalKeys";
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

const w = words.desktop;

/** Default quiet hours. */
const night = { quietFrom: "22:00", quietTo: "07:00" };

/** Desktop sets the desktop integration: login, tray, global shortcut, notifications. */
export function Desktop() {
  const state = useStore();
  const { save, failure, setFailure } = createSave();
  const startAtLogin = (on: boolean) => {
    setFailure("");
    actions.setStartAtLogin(on).catch((thrown) => setFailure(thrown.message));
  };
  return (
    <>
      <h2 class="first">{w.startup}</h2>
      <Row first label={w.startAtLogin} fact={state.desktop.tray ? w.startAtLoginFact : w.startAtLoginNoTray}>
        <Switch label={w.startAtLogin} on={state.desktop.startAtLogin} onChange={startAtLogin} />
      </Row>
      <Row label={w.tray} fact={state.desktop.tray ? w.trayFact : w.trayNone}>
        <Switch
          label={w.tray}
          disabled={!state.desktop.tray}
          on={state.desktop.tray && !!state.settings.closeToTray}
          onChange={(closeToTray) => void save({ closeToTray })}
        />
      </Row>
      <Failure text={failure()} />
      <h2>{w.quick}</h2>
      <Shortcut />
      <h2>{w.notifications}</h2>
      <Notifications />
    </>
  );
}

/** Shortcut shows the global shortcut and its state, and records another one. */
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
    if (keys() === "") return w.shortcutOff;
    // Some desktops assign other keys.
    const called = works() ? stands().keys : undefined;
    return called && called !== keys() ? w.shortcutCalled(called) : w.shortcutFact;
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
    if (pressed === "") setFailure(w.notAKey);
    else if (own) setFailure(w.own(own.label()));
    else {
      setRecording(false);
      void save({ shortcut: pressed });
    }
  };
  return (
    <>
      <Row
        first
        label={w.shortcut}
        fact={
          <span role="status" classList={{ "c-attn": fails() }}>
            {fails() ? stands().message : fact()}
          </span>
        }
      >
        <div class="set-keys">
          <Show when={fails()}>
            <Button look="ghost" onClick={() => void save({})}>
              {w.again}
            </Button>
          </Show>
          <Show when={keys() !== defaultSettings.shortcut}>
            <Button look="ghost" onClick={() => choose(defaultSettings.shortcut)}>
              {w.reset}
            </Button>
          </Show>
          <Show when={keys() !== ""}>
            <Button look="ghost" onClick={() => choose("")}>
              {w.none}
            </Button>
          </Show>
          <button
            ref={recorder}
            type="button"
            class="btn set-record"
            aria-label={keys() === "" ? w.recordNone : w.record(keys())}
            aria-pressed={recording()}
            onClick={() => {
              recorder.focus(); // on a Mac a click doesn't
              setFailure("");
              setRecording(!recording());
            }}
            onKeyDown={onKeyDown}
            onBlur={() => setRecording(false)}
          >
            <Show when={!recording()} fallback={w.recording}>
              <Show when={keys() !== ""} fallback={w.set}>
                <Kbd keys={keysShown(keys())} />
              </Show>
            </Show>
          </button>
          <span class="sr" role="status">
            {recording() ? `${w.recording} ${w.cancelHint}` : ""}
          </span>
        </div>
      </Row>
      <Show when={stands().command && !works()}>
        <Row label={w.command} fact={w.commandFact}>
          <Command text={stands().command ?? ""} />
        </Row>
      </Show>
      <Failure text={failure()} />
    </>
  );
}

const kinds = ["needsYou", "finished", "failed", "signIn"] as const;

/** Notifications selects the notifications and quiet hours. */
function Notifications() {
  const state = useStore();
  const { save, failure } = createSave();
  const now = () => state.settings.notify;
  const change = (some: Partial<Notify>) => void save({ notify: { ...unwrap(now()), ...some } });
  const isQuiet = () => !!now().quietFrom && !!now().quietTo;
  const fact = (kind: (typeof kinds)[number]) =>
    kind === "needsYou" && state.desktop.actions ? w.needsYouFact : undefined;
  return (
    <>
      <p class="set-note" classList={{ "c-attn": !!state.desktop.notifications }}>
        {state.desktop.notifications || (state.desktop.actions ? w.lead : w.noButtons)}
      </p>
      <Row first label={w.muted} fact={w.mutedFact}>
        <Switch label={w.muted} on={!!now().muted} onChange={(muted) => change({ muted })} />
      </Row>
      <For each={kinds}>
        {(kind) => (
          <Row label={w[kind]} fact={fact(kind)}>
            <Switch
              label={w[kind]}
              disabled={!!now().muted}
              on={!now().muted && now()[kind]}
              onChange={(on) => change({ [kind]: on })}
            />
          </Row>
        )}
      </For>
      <Row label={w.quiet} fact={w.quietFact}>
        <div class="set-keys">
          <Show when={isQuiet()}>
            <Clock
              label={w.quietFrom}
              value={now().quietFrom}
              onChange={(quietFrom) => change({ quietFrom })}
            />
            <span class="subtle">{w.to}</span>
            <Clock label={w.quietTo} value={now().quietTo} onChange={(quietTo) => change({ quietTo })} />
          </Show>
          <Switch
            label={w.quiet}
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

/** Clock is a field for a time of day, as 22:00. */
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
