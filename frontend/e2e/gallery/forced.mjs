// In forced colors, such as the contrast themes of Windows, fills and shadows aren't drawn. Information
// carried only by them is lost: whether a toggle is on, or a graphic that consists of fills. axe can't
// detect this, so it is checked by comparing pictures.

/** Channel difference (of 255) above which a pixel counts as different. */
const tolerance = 24;
/** Minimum number of different pixels that counts as a visible difference. */
const minPixels = 4;

/**
 * parts returns the visible controls of the page, each with its position and whether it is toggled on. It
 * then toggles all of them off, which must change their appearance.
 */
function parts() {
  // The current step isn't included: it is recognizable because it is expanded.
  const current = "[aria-current]:not([aria-current=step])";
  const on = `[aria-checked=true], [aria-pressed=true], [aria-selected=true], ${current}, :checked`;
  const found = [];
  for (const element of document.querySelectorAll(`button, a[href], input, [role=tab], ${on}`)) {
    const box = element.getBoundingClientRect();
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
    // Controls that are covered, scrolled out of view or shown only on hover aren't in the picture. A
    // drop target covers everything.
    if (!element.checkVisibility({ opacityProperty: true }) || element.closest(".is-drop")) continue;
    if (box.width < 16 || box.height < 16 || !element.contains(document.elementFromPoint(x, y))) continue;
    if (box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight) continue;
    const name = element.getAttribute("aria-label") ?? element.textContent.trim().slice(0, 40);
    const of = `${element.tagName.toLowerCase()}.${element.className} "${name}"`;
    // A focused element is already marked by its focus ring.
    const isOn = element.matches(on) && element !== document.activeElement;
    const isButton = element.matches("button, a");
    found.push({ of, isOn, isButton, x: box.x, y: box.y, width: box.width, height: box.height });
  }
  for (const element of document.querySelectorAll(on)) {
    for (const name of ["aria-checked", "aria-pressed", "aria-selected"]) {
      if (element.hasAttribute(name)) element.setAttribute(name, "false");
    }
    element.removeAttribute("aria-current");
    element.classList.remove("on");
    if (element.matches("input")) element.checked = false;
  }
  return found;
}

/** compare compares two pictures control by control. It runs in a separate page, which can decode images. */
async function compare({ before, after, found, tolerance, seen }) {
  const read = async (base64) => {
    const bitmap = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    context.drawImage(bitmap, 0, 0);
    return context;
  };
  const [one, other] = await Promise.all([read(before), read(after)]);
  const pixels = (context, { x, y, width, height }) => context.getImageData(x, y, width, height).data;
  const differing = (a, b) => {
    let count = 0;
    for (let i = 0; i < a.length; i += 4)
      if ([0, 1, 2].some((c) => Math.abs(a[i + c] - b(i + c)) > tolerance)) count++;
    return count;
  };
  return found.flatMap(({ of, isOn, isButton, ...box }) => {
    const problems = [];
    const around = { x: box.x - 2, y: box.y - 2, width: box.width + 4, height: box.height + 4 };
    const off = pixels(other, around);
    if (isOn && differing(pixels(one, around), (at) => off[at]) < seen)
      problems.push(`looks the same on and off: ${of}`);
    // Only the interior is compared, without the border.
    const edge = Math.min(5, box.width / 6);
    const inside = {
      x: box.x + edge,
      y: box.y + edge,
      width: box.width - 2 * edge,
      height: box.height - 2 * edge,
    };
    const drawn = pixels(one, inside);
    if (isButton && differing(drawn, (at) => drawn[at % 4]) < seen) problems.push(`shows nothing: ${of}`);
    return problems;
  });
}

/**
 * forcedColorProblems returns the problems of a page in forced colors, one line each. The page can't be used afterward.
 */
export async function forcedColorProblems(page) {
  const picture = async () =>
    (await page.screenshot({ animations: "disabled", caret: "hide" })).toString("base64");
  const before = await picture();
  const found = await page.evaluate(parts);
  const after = await picture();
  const reader = await page.context().newPage();
  try {
    return await reader.evaluate(compare, { before, after, found, tolerance, seen: minPixels });
  } finally {
    await reader.close();
  }
}
