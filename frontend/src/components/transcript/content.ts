// Props of the views of a body.

import type { Content } from "../../state/types";

export interface ContentViewProps {
  content: Content;
  folder: string;
  /** Subject of the content, for its accessible name. */
  of: string;
  /** Whether a line above it already names the subject. */
  plain?: boolean;
  /** Whether its command is running: only the newest lines are shown, and the view follows the last one. */
  live?: boolean;
}
