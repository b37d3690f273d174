// The first code of a language has a hundred or more expressions of its grammar
// made, which in one task would hold up frames and keys.

import type { RegexEngine } from "shiki/core";

/** How many expressions are made in one frame. */
export const mostMade = 12;

/** Pause is thrown where a frame has had enough of them. */
class Pause extends Error {}

/** frame resolves in a task of its own, after a frame. */
const frame = () => new Promise<void>((go) => requestAnimationFrame(() => setTimeout(go)));

/** Pausing does work that makes expressions, a few in each frame. */
export class Pausing {
  private readonly made = new Set<string>();
  private room = mostMade;

  /** engine is an engine whose scanners may pause what asks for them. The engine itself keeps the expressions. */
  engine(inner: RegexEngine): RegexEngine {
    return {
      ...inner,
      createScanner: (patterns) => {
        for (const pattern of patterns) {
          if (typeof pattern !== "string" || this.made.has(pattern)) continue;
          if (this.room <= 0) throw new Pause();
          this.room--;
          this.made.add(pattern);
          // A browser makes its own of an expression when something is first looked for by it.
          inner.createScanner([pattern]).findNextMatchSync(" ", 0, 0);
        }
        return inner.createScanner(patterns);
      },
    };
  }

  /** run does work, from its beginning again after each pause. */
  async run<T>(work: () => T): Promise<T> {
    for (;;) {
      this.room = mostMade;
      try {
        return work();
      } catch (thrown) {
        if (!(thrown instanceof Pause)) throw thrown;
      }
      await frame();
    }
  }
}
