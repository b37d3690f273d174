import { createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import type { Choice } from "../../state/types";
import { Button } from "../ui/Button";
import { Failure } from "../ui/Failure";

const t = messages.settings.install;

/** The ID of the installer that runs the CLI's own update command (copilot.SelfUpdate). */
const selfUpdate = "update";

/** canInstall reports whether VoxPilot can install or update the Copilot CLI. */
export function canInstall(): boolean {
  return (useStore().cli.installers ?? []).length > 0;
}

/**
 * InstallButtons shows a button for each way to install or update the Copilot CLI on this computer. The first button is
 * the primary one. If there are no ways, InstallButtons renders nothing.
 */
export function InstallButtons(props: { large?: boolean; onFailure: (why: string) => void }) {
  const state = useStore();
  const runs = () => state.cli.install?.running === true;
  const label = (installer: Choice) => {
    if (runs() && state.cli.install?.how === installer.id) return t.running;
    if (installer.id === selfUpdate) return t.run(installer.name);
    return state.cli.state === "too_old" ? t.update(installer.name) : t.install(installer.name);
  };
  const install = (how: string) => {
    props.onFailure("");
    actions.installCLI(how).catch((thrown) => props.onFailure(thrown.message));
  };
  return (
    <For each={state.cli.installers}>
      {(installer, index) => (
        <Button
          large={props.large}
          look={index() === 0 ? "primary" : undefined}
          disabled={runs()}
          title={installer.description}
          onClick={() => install(installer.id)}
        >
          {label(installer)}
        </Button>
      )}
    </For>
  );
}

/** InstallProgress shows the output of the latest installation and, if it failed, the error. */
export function InstallProgress() {
  const state = useStore();
  const install = () => state.cli.install;
  return (
    <>
      <p class="sr" role="status">
        {install()?.running ? t.running : ""}
      </p>
      <Show when={install()?.output}>
        {(output) => (
          <section class="out install-out sel" aria-label={t.output} tabindex="0">
            {output()}
          </section>
        )}
      </Show>
      <Failure text={install()?.message ?? ""} />
    </>
  );
}

/** Install shows the install buttons together with the progress of the installation. */
export function Install() {
  const [failure, setFailure] = createSignal("");
  return (
    <>
      <div class="row wrap">
        <InstallButtons large onFailure={setFailure} />
      </div>
      <InstallProgress />
      <Failure text={failure()} />
    </>
  );
}
