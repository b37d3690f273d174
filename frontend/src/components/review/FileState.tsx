// The text or image shown for a file without diff lines, and the row about reverted lines or a resolved conflict.

import FileText from "lucide-solid/icons/file-text";
import Info from "lucide-solid/icons/info";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import TriangleAlert from "lucide-solid/icons/triangle-alert";
import Undo2 from "lucide-solid/icons/undo-2";
import { createSignal, type JSX, Match, Show, Switch } from "solid-js";
import { messages } from "../../i18n";
import { bytes, visibleText } from "../../lib/format";
import type { ReviewModel } from "../../state/review";
import type { FileView, PutBackNote } from "../../state/reviewFile";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Kbd, keyShortcuts } from "../ui/Kbd";
import { stateText } from "./fileText";

const t = messages.review;

interface FileProps {
  model: ReviewModel;
  file: FileView;
}

/** FileState explains why a file has no diff lines, or shows its image. */
export function FileState(props: FileProps) {
  const state = props.file.state;
  return (
    <Switch fallback={<Message icon={Info} text={stateText(props.file)} />}>
      <Match when={state === "loading"}>
        <div class="rv-msg" aria-busy="true">
          <Icon of={LoaderCircle} size="sm" class="spin" />
          <span class="grow">{t.loading}</span>
        </div>
      </Match>
      <Match when={state === "failed"}>
        <div class="rv-msg bad" role="alert">
          <Icon of={TriangleAlert} size="sm" />
          <span class="grow">{props.file.failure}</span>
          <Button
            class="rv-small"
            onClick={() => {
              props.file.failure = "";
              props.model.change(props.file, () => {});
            }}
          >
            {t.tryAgain}
          </Button>
        </div>
      </Match>
      <Match when={state === "large"}>
        <Message icon={FileText} text={stateText(props.file)}>
          <Button
            class="rv-small"
            onClick={() => {
              props.model.change(props.file, () => {
                props.file.isRequested = true;
              });
            }}
          >
            {t.showDiff}
          </Button>
        </Message>
      </Match>
      <Match when={state === "image"}>
        <Images {...props} />
      </Match>
    </Switch>
  );
}

function Message(props: { icon: typeof Info; text: string; children?: JSX.Element }) {
  return (
    <div class="rv-msg">
      <Icon of={props.icon} size="sm" />
      <span class="grow">{props.text}</span>
      {props.children}
    </div>
  );
}

/** Images shows the old and the new version of an image. */
function Images(props: FileProps) {
  const { diff } = props.file;
  return (
    <div class="rv-images">
      <Image side={t.before} source={diff?.image?.old ?? ""} size={diff?.oldSize} />
      <Image side={t.after} source={diff?.image?.new ?? ""} size={diff?.newSize} />
    </div>
  );
}

function Image(props: { side: string; source: string; size: number | undefined }) {
  const [pixels, setPixels] = createSignal("");
  const facts = () => [bytes(props.size ?? 0), pixels()].filter((fact) => fact !== "").join(", ");
  return (
    <figure>
      <div class="rv-image">
        <Show when={props.source !== ""}>
          <img
            src={props.source}
            alt={props.side}
            draggable={false}
            onLoad={({ currentTarget: image }) =>
              setPixels(t.pixels(image.naturalWidth, image.naturalHeight))
            }
          />
        </Show>
      </div>
      <figcaption>
        {props.source === "" ? t.noImage(props.side) : t.imageFacts(props.side, facts())}
      </figcaption>
    </figure>
  );
}

/** PutBackRow reports that lines were reverted or a conflict was resolved, and offers to undo that. */
export function PutBackRow(props: { model: ReviewModel; note: PutBackNote }) {
  const place = visibleText(props.note.place);
  const text = () => {
    const { lines, merged, resolved } = props.note;
    if (resolved === undefined) return (merged ? t.putBackMerged : t.putBack)(lines, place);
    return (merged ? t.conflict.resolvedMerged : t.conflict.resolved)(resolved);
  };
  const name = () =>
    props.note.resolved === undefined
      ? t.undoName(props.note.lines, place)
      : t.conflict.undoName(props.note.resolved);
  return (
    <div class="dl h gone">
      <div class="rv-hunk">
        <span class="trunc">
          <Icon of={Undo2} size="sm" />
          {text()}
        </span>
        <span class="ha">
          <button
            type="button"
            class="hb"
            aria-label={name()}
            aria-keyshortcuts={keyShortcuts("Mod", "Z")}
            onClick={() => {
              void props.model.reverts
                .restore(props.note.id)
                .then((done) => done && props.model.announce(t.restored));
            }}
          >
            {t.undo}
            <Kbd keys={["Mod", "Z"]} />
          </button>
        </span>
      </div>
    </div>
  );
}
