// What the views of a body are given.

import type { Content } from "../../state/types";

export interface ContentViewProps {
  content: Content;
  folder: string;
  /** What the content is of, for its name. */
  of: string;
  /** It stands under a line that says what it is of. */
  plain?: boolean;
  /** Its command runs: only its newest lines are shown, and the view stays at the last. */
  live?: boolean;
}
