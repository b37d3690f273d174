import { createMemo, ErrorBoundary, For } from "solid-js";
import { Paragraphs } from "../../lib/paragraphs";
import { createLinks } from "./Links";
import { Markdown, Plain } from "./Prose";
import "./prose.css";

/** StaticProse renders Markdown that is complete and doesn't belong to a chat. */
export function StaticProse(props: { text: string }) {
  const links = createLinks();
  const pieces = createMemo(() => {
    const paragraphs = new Paragraphs();
    paragraphs.grow(props.text);
    paragraphs.finish();
    return paragraphs.finished;
  });
  return (
    <>
      <div class="prose" ref={links.ref}>
        <For each={pieces()}>
          {(piece) => (
            <ErrorBoundary fallback={<Plain text={piece.text} />}>
              <Markdown text={piece.text} />
            </ErrorBoundary>
          )}
        </For>
      </div>
      {links.question()}
    </>
  );
}
