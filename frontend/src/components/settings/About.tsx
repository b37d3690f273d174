import ExternalLink from "lucide-solid/icons/external-link";
import { createSignal } from "solid-js";
import { messages } from "../../i18n";
import { tilde } from "../../lib/path";
import { actions } from "../../state/actions";
import { useStore } from "../../state/store";
import { Button } from "../ui/Button";
import { CopyButton } from "../ui/CopyButton";
import { Failure } from "../ui/Failure";
import { Licenses } from "./Licenses";
import { Row } from "./parts";
import { Updates } from "./Updates";

const t = messages.settings.about;
const project = "https://github.com/voxpilot/voxpilot";

/** About is the page about VoxPilot itself: versions, data location, license, project and updates. */
export function About() {
  const state = useStore();
  const [failure, setFailure] = createSignal("");
  const open = (address: string) => {
    setFailure("");
    actions.openURL(address).catch((thrown) => setFailure(thrown.message));
  };
  return (
    <>
      <p class="muted set-lead">{t.line}</p>
      <Row first label={t.version}>
        <span class="sel num">{state.desktop.version}</span>
      </Row>
      <Row label={t.cli} fact={<span class="mono wrap-any sel">{tilde(state.cli.path ?? "")}</span>}>
        <span class="sel num">{state.cli.version ?? t.cliNone}</span>
      </Row>
      <Row
        label={t.data}
        fact={
          <>
            <span class="mono wrap-any sel">{tilde(state.storage.path)}</span>
            <br />
            {t.dataFact}
          </>
        }
      >
        <CopyButton large text={state.storage.path} label={t.copy} />
      </Row>
      <Row label={t.license}>
        <span class="muted">{t.licenseFact}</span>
      </Row>
      <Row label={t.project} fact={t.projectFact}>
        <div class="row">
          <Button large icon={ExternalLink} title={project} onClick={() => open(project)}>
            {t.openProject}
          </Button>
          <Button large title={`${project}/issues`} onClick={() => open(`${project}/issues`)}>
            {t.report}
          </Button>
        </div>
      </Row>
      <Failure text={failure()} />
      <Updates />
      <Licenses />
    </>
  );
}
