import CircleCheck from "lucide-solid/icons/circle-check";
import CircleX from "lucide-solid/icons/circle-x";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import { createEffect, createMemo, createResource, createSignal, For, on, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Icon } from "../ui/Icon";
import { canInstall, Install } from "./Install";
import { Row } from "./parts";

const t = messages.settings.doctor;
const names: Readonly<Record<string, string>> = t.names;

const checkLooks = {
  ok: { icon: CircleCheck, color: "c-ok" },
  warn: { icon: TriangleAlert, color: "c-attn" },
  bad: { icon: CircleX, color: "c-bad" },
} as const;

/** Doctor shows the app's diagnostics and the end of its log. */
export function Doctor() {
  const [found, { refetch }] = createResource(() => actions.doctor());
  const state = useStore();
  // The state of the Copilot CLI may change while this page is open, because the page can install the CLI.
  const cli = createMemo(() => `${state.cli.state} ${state.cli.version}`);
  createEffect(on(cli, () => void refetch(), { defer: true }));
  const [asking, setAsking] = createSignal(false);
  const [refused, setRefused] = createSignal("");
  const failure = () => refused() || (found.error instanceof Error ? found.error.message : "");
  const askShell = async () => {
    setAsking(true);
    setRefused("");
    try {
      await actions.refreshEnvironment();
      await refetch();
    } catch (err) {
      setRefused(err instanceof Error ? err.message : String(err));
    } finally {
      setAsking(false);
    }
  };
  return (
    <>
      <p class="muted set-lead">{t.lead}</p>
      <div class="row set-before">
        <Button large disabled={found.loading} onClick={() => void refetch()}>
          {t.again}
        </Button>
        <Show when={!found.error && found.latest}>
          {(report) => (
            <>
              <CopyButton large text={report().text} label={t.copy} />
              <Show when={report().checks.some((check) => check.name === "Login shell")}>
                <Button large disabled={asking()} onClick={() => void askShell()}>
                  {t.reloadShell}
                </Button>
              </Show>
            </>
          )}
        </Show>
      </div>
      <Show when={state.cli.state !== "found" && canInstall()}>
        <div class="set-before">
          <Install />
        </div>
      </Show>
      <Failure text={failure()} />
      <Show
        when={!found.error && found.latest}
        fallback={
          <Show when={!found.error}>
            <p class="subtle">{t.running}</p>
          </Show>
        }
      >
        {(report) => (
          <>
            <section aria-label={t.checks}>
              <For each={report().checks}>
                {(check, index) => (
                  <Row
                    first={index() === 0}
                    label={names[check.name] ?? check.name}
                    fact={
                      <>
                        <span class="sel wrap-any">{check.detail}</span>
                        <Show when={check.hint}>
                          <br />
                          <span class="sel">{check.hint}</span>
                        </Show>
                      </>
                    }
                  >
                    <span class={`row status ${checkLooks[check.state].color}`}>
                      <Icon of={checkLooks[check.state].icon} size="sm" />
                      <span>{t.states[check.state]}</span>
                    </span>
                  </Row>
                )}
              </For>
            </section>
            <h2>{t.log}</h2>
            <Show when={report().log.length > 0} fallback={<p class="subtle">{t.logEmpty}</p>}>
              <section class="out log-tail sel" aria-label={t.log} tabindex="0">
                {report().log.join("\n")}
              </section>
            </Show>
          </>
        )}
      </Show>
    </>
  );
}
