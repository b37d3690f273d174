import { children, createRenderEffect, type JSX, mapArray } from "solid-js";

export interface SequenceProps<T> {
  each: readonly T[];
  children: (item: T) => JSX.Element;
}

/**
 * Sequence renders a list like For, but never moves an element that stays in the list, because a browser drops the
 * selection in an element that is moved. Items that stay must keep their order.
 */
export function Sequence<T>(props: SequenceProps<T>): JSX.Element {
  const end = document.createTextNode("");
  const rendered = children(mapArray(() => props.each, props.children) as unknown as () => JSX.Element);
  const nodes = () => rendered.toArray().filter((node): node is Element => node instanceof Element);
  let now: Element[] = [];
  createRenderEffect(() => {
    const before = now;
    now = nodes();
    const parent = end.parentNode;
    if (!parent) return;
    const stays = new Set(now);
    for (const node of before) if (!stays.has(node)) node.remove();
    let next: Node = end;
    for (const node of now.toReversed()) {
      if (node.nextSibling !== next || node.parentNode !== parent) parent.insertBefore(node, next);
      next = node;
    }
  });
  return [...now, end];
}
