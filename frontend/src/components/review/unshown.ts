// The sentence about comments on files that the list doesn't contain.

import { messages } from "../../i18n";
import { visibleText } from "../../lib/format";

/** Maximum number of files that the sentence names. */
const maxNamed = 3;

/** unshownText returns the sentence for comments on files that aren't shown. `paths` contains each comment's path. */
export function unshownText(paths: readonly string[]): string {
  const names = [...new Set(paths)].map((path) => visibleText(path));
  const named = names.slice(0, maxNamed).join(", ");
  return messages.reviewComments.unshown(paths.length, named, Math.max(0, names.length - maxNamed));
}
