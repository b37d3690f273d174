import ExternalLink from "lucide-solid/icons/external-link";
import { createSignal } from "solid-js";
import { words } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Licences } from "./Licenses";
import { Row } from "./parts";
import { Updates } from "./Updates";

const w = words.settings.about;
const project = "https://github.com/voxpilot/voxpilot";

/** About shows the app's name, version and data locations. */
export function About() {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const open = (address: string) => {
    setFailure("");
    actions.openURL(address).catch((thrown) => setFailure(thrown.message));
  };
  return (
    <>
      <p class="muted set-lead">{w.line}</p>
      <Row first label={w.version}>
        <span class="sel num">{state.desktop.version}</span>
      </Row>
      <Row label={w.cli} fact={<span class="mono wrap-any sel">{tilde(state.cli.path ?? "")}</span>}>
        <span class="sel num">{state.cli.version ?? w.cliNone}</span>
      </Row>
      <Row
        label={w.data}
        fact={
          <>
            <span class="mono wrap-any sel">{tilde(state.storage.path)}</span>
            <br />
            {w.dataFact}
          </>
        }
      >
        <CopyButton large text={state.storage.path} label={w.copy} />
      </Row>
      <Row label={w.licence}>
        <span class="muted">{w.licenceFact}</span>
      </Row>
      <Row label={w.project} fact={w.projectFact}>
        <div class="row">
          <Button large icon={ExternalLink} title={project} onClick={() => open(project)}>
            {w.openProject}
          </Button>
          <Button large title={`${project}/issues`} onClick={() => open(`${project}/issues`)}>
            {w.report}
          </Button>
        </div>
      </Row>
      <Failure text={failure()} />
      <Updates />
      <Licences />
    </>
  );
}
