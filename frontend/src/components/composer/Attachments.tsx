// The attachments above the text of a message: images as thumbnails, files by name. Mentioned files are
// already in the text and aren't repeated here.

import File from "lucide-solid/icons/file";
import Folder from "lucide-solid/icons/folder";
import ImageIcon from "lucide-solid/icons/image";
import LoaderCircle from "lucide-solid/icons/loader-circle";
import X from "lucide-solid/icons/x";
import { createResource, For, onCleanup, Show } from "solid-js";
import { messages } from "../../i18n";
import { bytes, visibleText } from "../../lib/format";
import { actions, pieceBytes } from "../../state/actions";
import type { Attachment } from "../../state/types";
import { IconButton } from "../ui/Button";
import { Icon } from "../ui/Icon";
import type { Pending } from "./attach";
import "./attachments.css";

async function imageURL(attachment: Attachment): Promise<string> {
  const parts: BlobPart[] = [];
  for (let at = 0; ; ) {
    const piece = await actions.content(attachment.contentId ?? "", at, pieceBytes);
    parts.push(piece.bytes as Uint8Array<ArrayBuffer>);
    at += piece.bytes.length;
    if (piece.bytes.length === 0 || at >= piece.size) break;
  }
  return URL.createObjectURL(new Blob(parts, { type: attachment.mime || "image/png" }));
}

/** Thumb shows a thumbnail of an image, or an icon if the image can't be rendered. */
function Thumb(props: { attachment: Attachment }) {
  let gone = false;
  const [url] = createResource(
    () => props.attachment,
    async (attachment) => {
      const made = await imageURL(attachment);
      if (gone) URL.revokeObjectURL(made);
      return made;
    },
  );
  onCleanup(() => {
    gone = true;
    const made = url.state === "ready" ? url() : undefined;
    if (made) URL.revokeObjectURL(made);
  });
  return (
    <span class="th">
      <Show when={url.state === "ready" && url()} fallback={<Icon of={ImageIcon} size="sm" />}>
        {(src) => <img src={src()} alt="" />}
      </Show>
    </span>
  );
}

/** kindIcon returns the icon of an attachment. */
export function kindIcon(attachment: Attachment) {
  if (attachment.kind === "image") return ImageIcon;
  return attachment.mime === "inode/directory" || attachment.name.endsWith("/") ? Folder : File;
}

export interface AttachmentsProps {
  attachments: readonly Attachment[];
  pending: readonly Pending[];
  onRemove(attachment: Attachment): void;
}

export function Attachments(props: AttachmentsProps) {
  return (
    <Show when={props.attachments.length + props.pending.length > 0}>
      <ul class="atts" aria-label={messages.composer.attachments.list}>
        <For each={props.attachments}>
          {(attachment) => (
            <li class="att" title={visibleText(attachment.path || attachment.name)}>
              <Show
                when={attachment.kind === "image" && attachment.contentId}
                fallback={<Icon of={kindIcon(attachment)} size="sm" />}
              >
                <Thumb attachment={attachment} />
              </Show>
              <span class="trunc">{visibleText(attachment.name)}</span>
              <Show when={attachment.size}>{(size) => <span class="subtle num">{bytes(size())}</span>}</Show>
              <IconButton
                small
                icon={X}
                label={messages.composer.attachments.remove(visibleText(attachment.name))}
                onClick={() => props.onRemove(attachment)}
              />
            </li>
          )}
        </For>
        <For each={props.pending}>
          {(one) => (
            <li class="att reading" aria-busy="true">
              <Icon of={LoaderCircle} size="sm" class="spin" />
              <span class="trunc">{messages.composer.attachments.reading(visibleText(one.name))}</span>
            </li>
          )}
        </For>
      </ul>
    </Show>
  );
}
