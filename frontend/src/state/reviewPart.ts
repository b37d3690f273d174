// A part of a file's changes that the user has chosen. The file may change while the part waits for other actions.

import { search } from "../lib/search";
import type { FileView } from "./reviewFile";
import { blocksOf, type ReviewBlock } from "./reviewTypes";

/** ChosenPart is a part of a file's changes in the version that was shown when the user chose it. */
export class ChosenPart {
  readonly path: string;
  readonly version: string;
  /** For each block of the part, the block of the file's diff that contains it. */
  private readonly whole: readonly (ReviewBlock | undefined)[];

  /** Without `blocks`, the part is the whole file. */
  constructor(
    file: FileView,
    readonly blocks?: readonly ReviewBlock[],
  ) {
    this.path = file.path;
    this.version = file.version;
    const all = blocksIn(file);
    this.whole = (blocks ?? []).map(([old]) => all[search(all.length, (at) => all[at]?.[0] ?? 0, old)]);
  }

  /**
   * Returns the version of the file to act on and the part's blocks in it. It is the version shown now if only VoxPilot
   * has changed the file since the user chose the part, and the part's lines are still changes. Otherwise, it is the
   * version in which the part was chosen. The app then finds and checks the lines in the current version.
   */
  in(file: FileView): { version: string; blocks?: readonly ReviewBlock[] } {
    const { version, blocks } = this;
    const chosen = { version, ...(blocks && { blocks }) };
    if (!file.sameChanges.has(version)) return chosen;
    if (!blocks) return { version: file.version };
    const all = blocksIn(file);
    const now: ReviewBlock[] = [];
    for (const [at, [old, olds, start, news]] of blocks.entries()) {
      const whole = this.whole[at];
      const same = whole && all[search(all.length, (n) => all[n]?.[0] ?? 0, whole[0])];
      if (!same || same[0] !== whole[0] || same[1] !== whole[1] || same[3] !== whole[3]) return chosen;
      now.push([old, olds, start - whole[2] + same[2], news]);
    }
    return { version: file.version, blocks: now };
  }

  /** Reports whether another part consists of the same lines of the same version. */
  equals({ path, version, blocks }: ChosenPart): boolean {
    return (
      path === this.path && version === this.version && JSON.stringify(blocks) === JSON.stringify(this.blocks)
    );
  }
}

function blocksIn({ diff }: FileView): readonly ReviewBlock[] {
  return diff ? blocksOf(diff) : [];
}
