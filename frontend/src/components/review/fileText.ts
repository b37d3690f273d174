// The sentences about a file without diff lines.

import { messages } from "../../i18n";
import { bytes, visibleText } from "../../lib/format";
import type { FileView } from "../../state/reviewFile";

const t = messages.review;

/** stateText returns the sentence shown for a file without diff lines. */
export function stateText({ state, file, diff }: FileView): string {
  switch (state) {
    case "large":
      return t.largeFile(file.added + file.removed);
    case "tooLarge":
      return t.tooLarge(bytes(Math.max(diff?.oldSize ?? 0, diff?.newSize ?? 0)));
    case "image":
      return t.imageSizes(bytes(diff?.oldSize ?? 0), bytes(diff?.newSize ?? 0));
    case "binary": {
      const sizes = t.binarySizes(bytes(diff?.oldSize ?? 0), bytes(diff?.newSize ?? 0));
      return messages.common.sentences(t.binary, sizes);
    }
    case "mode":
      return diff?.message || (file.mode ? t.modeOnly(file.mode[0] ?? "", file.mode[1] ?? "") : t.noLines);
    case "moved":
      return diff?.message || t.movedOnly(visibleText(file.from ?? ""));
    case "submodule":
      return diff?.message || t.submodule;
    case "gone":
      return t.gone;
    default:
      return diff?.message || t.noLines;
  }
}
