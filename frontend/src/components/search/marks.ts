/**
 * markTerms wraps all occurrences of `terms` in an element's text in mark elements, ignoring case. The
 * element's text must not change afterward.
 */
export function markTerms(element: HTMLElement, terms: readonly string[]): void {
  if (terms.length === 0) return;
  const pattern = new RegExp(
    terms.map((term) => term.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")).join("|"),
    "giu",
  );
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const texts: Text[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode as Text);
  for (const node of texts) {
    const text = node.data;
    const found = [...text.matchAll(pattern)];
    if (found.length === 0) continue;
    const parts = document.createDocumentFragment();
    let at = 0;
    for (const match of found) {
      parts.append(text.slice(at, match.index));
      const mark = document.createElement("mark");
      mark.className = "m";
      mark.textContent = match[0];
      parts.append(mark);
      at = match.index + match[0].length;
    }
    parts.append(text.slice(at));
    node.replaceWith(parts);
  }
}
