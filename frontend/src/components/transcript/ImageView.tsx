// An image, loaded in pieces when it comes into view. A broken or oversized image is replaced by a note.

import ImageOff from "lucide-solid/icons/image-off";
import { createEffect, createSignal, Match, on, onCleanup, Switch } from "solid-js";
import { messages } from "../../i18n";
import { bytes } from "../../lib/format";
import { actions, pieceBytes } from "../../state/actions";
import { Icon } from "../ui/Icon";
import "./image-view.css";

/** Maximum size of an image in bytes: the whole image is loaded into memory. */
const maxImageBytes = 20_000_000;
const displayableTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

export interface ImageProps {
  contentId: string;
  version?: number;
  size: number;
  mime?: string;
  alt: string;
  class?: string;
}

/** ImageView shows an image, or the reason why it can't be shown. */
export function ImageView(props: ImageProps) {
  const [url, setUrl] = createSignal("");
  const [failure, setFailure] = createSignal("");
  let gone = false;
  const drop = () => {
    if (url() !== "") URL.revokeObjectURL(url());
  };
  const refusal = () => {
    if (props.size > maxImageBytes) return messages.chat.images.tooLarge(bytes(props.size));
    return displayableTypes.includes(props.mime || "image/png") ? "" : messages.chat.images.unknown;
  };
  const pull = async () => {
    const parts: BlobPart[] = [];
    for (let at = 0; at < maxImageBytes && !gone; ) {
      const piece = await actions.content(props.contentId, at, pieceBytes);
      if (piece.bytes.length === 0) break;
      parts.push(piece.bytes as Uint8Array<ArrayBuffer>);
      at += piece.bytes.length;
      if (at >= piece.size) break;
    }
    if (gone) return;
    drop();
    setUrl(URL.createObjectURL(new Blob(parts, { type: props.mime || "image/png" })));
  };
  createEffect(
    on([() => props.contentId, () => props.version], () => {
      setFailure(refusal());
      if (refusal() === "") pull().catch((thrown) => setFailure(thrown.message));
    }),
  );
  onCleanup(() => {
    gone = true;
    drop();
  });
  // An image has no height until it is decoded, so the box keeps the height of the note shown before. If
  // the box shrank and grew again, the list would mistake that for scrolling.
  return (
    <div class="image-box">
      <Switch fallback={<p class="out-note">{messages.chat.loading}</p>}>
        <Match when={failure()}>
          <p class="image-none">
            <Icon of={ImageOff} size="sm" />
            {failure()}
          </p>
        </Match>
        <Match when={url()}>
          <img
            class={props.class ?? "image"}
            src={url()}
            alt={props.alt}
            data-content={props.contentId}
            onError={() => setFailure(messages.chat.images.broken)}
          />
        </Match>
      </Switch>
    </div>
  );
}
