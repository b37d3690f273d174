// Props of the components that show an item's body.

import type { Content } from "../../state/types";

export interface ContentViewProps {
  content: Content;
  folder: string;
  /** The subject of the content, such as a path, for the accessible name. */
  of: string;
  /** Whether a line above the content already names its subject. */
  plain?: boolean;
  /**
   * Whether the command that writes the body is running. Only the newest lines are then shown, and the
   * view follows the last one.
   */
  live?: boolean;
}
