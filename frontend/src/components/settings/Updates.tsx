import { createMemo, createSignal, Index, Show } from "solid-js";
import { messages } from "../../i18n";
import { coarseNow } from "../../lib/coarseClock";
import { bytes } from "../../lib/format";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { StaticProse } from "../transcript/StaticProse";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Switch } from "../ui/fields";
import { createSave, Row } from "./parts";

const t = messages.updates;

interface UpdateAction {
  label: string;
  /** Whether the action's button is the primary one. */
  primary?: boolean;
  busy?: boolean;
  run: () => Promise<void>;
}

/** Updates shows whether a newer version is available, with buttons to check for it, download it and install it. */
export function Updates() {
  const state = useStore();
  const update = () => state.update;
  const version = () => update().version ?? "";
  const { save, failure: notSaved } = createSave();
  const [failure, setFailure] = createSignal("");

  const says = createMemo(() => {
    switch (update().state) {
      case "off":
        return t.off;
      case "idle":
        return t.idle;
      case "checking":
        return t.checking;
      case "none":
        return t.none;
      case "downloading":
        return t.downloading(version());
      case "ready":
        return t.ready(version());
      case "failed":
        return version() ? t.available(version()) : t.failed;
      default:
        return version() ? t.available(version()) : "";
    }
  });
  const fact = () => {
    const { state: how, message, command, size } = update();
    if (message) return message;
    if (how === "ready") return t.readyFact;
    if (how === "downloading") return t.progress(bytes(update().got ?? 0), bytes(size ?? 0));
    if (how === "elsewhere") return command ? t.commandFact : t.packageFact;
    return "";
  };
  const checked = () => {
    const at = update().checkedAt;
    return at && ["none", "available", "elsewhere", "failed"].includes(update().state)
      ? t.lastCheck(messages.account.ago(Math.max(0, coarseNow(at) - at)))
      : "";
  };
  const steps = createMemo((): UpdateAction[] => {
    const { state: how, command, size = 0, message } = update();
    const check = { label: t.check, run: actions.checkUpdate };
    const download = { label: t.download(bytes(size)), primary: true, run: actions.downloadUpdate };
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
        return [{ label: message ? t.openImage : t.restart, primary: true, run: actions.installUpdate }];
      case "failed":
        return [
          { label: t.tryAgain, run: version() && size > 0 ? actions.downloadUpdate : actions.checkUpdate },
        ];
      default:
        return [check];
    }
  });
  const take = (step: UpdateAction) => {
    if (step.busy) return;
    setFailure("");
    step.run().catch((thrown) => setFailure(thrown.message));
  };
  return (
    <section aria-labelledby="updates">
      <h2 id="updates">{t.title}</h2>
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
            {(command) => <CopyButton large text={command()} label={t.copyCommand} />}
          </Show>
          {/* Keyed by index, so that a pressed button keeps the focus when it gets another action. */}
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
        <Row label={t.checkDaily} fact={t.checkDailyFact}>
          <Switch
            label={t.checkDaily}
            on={state.settings.checkUpdates}
            onChange={(on) => void save({ checkUpdates: on })}
          />
        </Row>
      </Show>
      <Failure text={failure() || notSaved()} />
      <Show when={version() && update().notes}>
        {(notes) => (
          <section class="update-notes" aria-label={t.notes(version())}>
            <h3>{t.notes(version())}</h3>
            <StaticProse text={notes()} />
          </section>
        )}
      </Show>
    </section>
  );
}
