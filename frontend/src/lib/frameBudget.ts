// Spreads the compilation of regular expressions over several frames. Highlighting the first code in a
// language compiles a hundred or more expressions of its grammar, which in a single task would delay
// frames and key events.

import type { RegexEngine } from "shiki/core";

/** Maximum number of regular expressions compiled per frame. */
export const maxPerFrame = 12;

/** Pause is thrown when the work in a frame would compile more than maxPerFrame regular expressions. */
class Pause extends Error {}

/** frame returns a promise that resolves after the next animation frame, in a separate task. */
const frame = () => new Promise<void>((go) => requestAnimationFrame(() => setTimeout(go)));

/** FrameBudget spreads work that compiles regular expressions over several frames. */
export class FrameBudget {
  private readonly made = new Set<string>();
  private room = maxPerFrame;

  /**
   * engine returns a regex engine that uses `inner`. Creating a scanner throws Pause once the frame's
   * limit is reached. The inner engine must cache compiled expressions.
   */
  engine(inner: RegexEngine): RegexEngine {
    return {
      ...inner,
      createScanner: (patterns) => {
        for (const pattern of patterns) {
          if (typeof pattern !== "string" || this.made.has(pattern)) continue;
          if (this.room <= 0) throw new Pause();
          this.room--;
          this.made.add(pattern);
          // A browser compiles an expression on its first match.
          inner.createScanner([pattern]).findNextMatchSync(" ", 0, 0);
        }
        return inner.createScanner(patterns);
      },
    };
  }

  /**
   * run calls `work` and returns its result. If `work` throws Pause, run calls it again from the start in the next
   * frame.
   */
  async run<T>(work: () => T): Promise<T> {
    for (;;) {
      this.room = maxPerFrame;
      try {
        return work();
      } catch (thrown) {
        if (!(thrown instanceof Pause)) throw thrown;
      }
      await frame();
    }
  }
}
