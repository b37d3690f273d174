// The attachments of a message: images as thumbnails, files by name.

import AtSign from "lucide-solid/icons/at-sign";
import FileText from "lucide-solid/icons/file-text";
import { createSignal, For, Show } from "solid-js";
import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";
import { openInEditor } from "../../state/editor";
import type { Attachment } from "../../state/types";
import { Icon } from "../ui/Icon";
import { ImageView } from "./ImageView";
import { displayPath } from "./tool";
import "./attachments.css";

export interface AttachmentsProps {
  chatId: string;
  folder: string;
  of: Attachment[];
}

/** Attachments is the row of attachments below a user's message. */
export function Attachments(props: AttachmentsProps) {
  const images = () => props.of.filter((each) => each.kind === "image" && each.contentId);
  const files = () => props.of.filter((each) => each.kind !== "image" || !each.contentId);
  const [failure, setFailure] = createSignal("");
  const open = (path: string) => {
    openInEditor(props.chatId, path, 0, setFailure);
  };
  return (
    <>
      <ul class="sent-with" aria-label={messages.chat.attachments}>
        <For each={images()}>
          {(image) => (
            <li>
              <ImageView
                class="thumb"
                contentId={image.contentId ?? ""}
                size={image.size ?? 0}
                mime={image.mime}
                alt={visibleText(image.name)}
              />
            </li>
          )}
        </For>
        <For each={files()}>
          {(file) => (
            <li>
              <Show when={file.path} fallback={<span class="chip">{visibleText(file.name)}</span>}>
                {(path) => (
                  <button type="button" class="chip" onClick={() => open(path())}>
                    <Icon of={file.kind === "mention" ? AtSign : FileText} size="sm" />
                    {displayPath(path(), props.folder)}
                  </button>
                )}
              </Show>
            </li>
          )}
        </For>
      </ul>
      <Show when={failure()}>
        <p class="c-bad" role="alert">
          {failure()}
        </p>
      </Show>
    </>
  );
}
