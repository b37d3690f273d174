import { createMemo, createSignal, Index, Show } from "solid-js";
import { words } from "../../i18n";
import { nowFor } from "../../lib/coarseClock";
import { bytes } from "../../lib/format";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { StaticProse } from "../transcript/StaticProse";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Switch } from "../ui/fields";
import { createSave, Row } from "./parts";

const w = words.updates;

interface Step {
  label: string;
  /** Whether it is the primary button. */
  primary?: boolean;
  busy?: boolean;
  run: () => Promise<void>;
}

/** Updates shows how this version compares to the newest one, and the available actions. */
export function Updates() {
  const state = useStore();
  const update = () => state.update;
  const version = () => update().version ?? "";
  const { save, failure: notSaved } = createSave();
  const [failure, setFailure] = createSignal("");

  const says = createMemo(() => {
    switch (update().state) {
      case "off":
        return w.off;
      case "idle":
        return w.idle;
      case "checking":
        return w.checking;
      case "none":
        return w.none;
      case "downloading":
        return w.downloading(version());
      case "ready":
        return w.ready(version());
      case "failed":
        return version() ? w.available(version()) : w.failed;
      default:
        return version() ? w.available(version()) : "";
    }
  });
  const fact = () => {
    const { state: how, message, command, size } = update();
    if (message) return message;
    if (how === "ready") return w.readyFact;
    if (how === "downloading") return w.progress(bytes(update().got ?? 0), bytes(size ?? 0));
    if (how === "elsewhere") return command ? w.commandFact : w.packageFact;
    return "";
  };
  const checked = () => {
    const at = update().checkedAt;
    return at && ["none", "available", "elsewhere", "failed"].includes(update().state)
      ? w.lastCheck(words.account.ago(Math.max(0, nowFor(at) - at)))
      : "";
  };
  const steps = createMemo((): Step[] => {
    const { state: how, command, size = 0, message } = update();
    const check = { label: w.check, run: actions.checkUpdate };
    const download = { label: w.download(bytes(size)), primary: true, run: actions.downloadUpdate };
    switch (how) {
      case "off":
      case "downloading":
        return [];
      case "checking":
        return [{ ...check, busy: true }];
      case "available":
        return [check, download];
      case "elsewhere":
        return size > 0 && !command ? [check, download] : [check];
      case "ready":
        return [{ label: message ? w.openImage : w.restart, primary: true, run: actions.installUpdate }];
      case "failed":
        return [
          { label: w.tryAgain, run: version() && size > 0 ? actions.downloadUpdate : actions.checkUpdate },
        ];
      default:
        return [check];
    }
  });
  const take = (step: Step) => {
    if (step.busy) return;
    setFailure("");
    step.run().catch((thrown) => setFailure(thrown.message));
  };
  return (
    <section aria-labelledby="updates">
      <h2 id="updates">{w.title}</h2>
      <Row
        first
        label={<span role="status">{says()}</span>}
        fact={
          <>
            <span classList={{ "c-bad": update().state === "failed" }}>{fact()}</span>
            <Show when={update().command}>
              {(command) => <code class="update-command wrap-any sel">{command()}</code>}
            </Show>
            <Show when={checked()}>
              <div>{checked()}</div>
            </Show>
          </>
        }
      >
        <div class="row">
          <Show when={update().command}>
            {(command) => <CopyButton large text={command()} label={w.copyCommand} />}
          </Show>
          {/* A button that was pressed stays and keeps the focus, whatever it is for next. */}
          <Index each={steps()}>
            {(step) => (
              <Button
                large
                look={step().primary ? "primary" : undefined}
                aria-disabled={step().busy}
                onClick={() => take(step())}
              >
                {step().label}
              </Button>
            )}
          </Index>
        </div>
      </Row>
      <Show when={update().state !== "off"}>
        <Row label={w.look} fact={w.lookFact}>
          <Switch
            label={w.look}
            on={state.settings.checkUpdates}
            onChange={(on) => void save({ checkUpdates: on })}
          />
        </Row>
      </Show>
      <Failure text={failure() || notSaved()} />
      <Show when={version() && update().notes}>
        {(notes) => (
          <section class="update-notes" aria-label={w.notes(version())}>
            <h3>{w.notes(version())}</h3>
            <StaticProse text={notes()} />
          </section>
        )}
      </Show>
    </section>
  );
}
