// A notation for the expected elements of a screen. Each row is `role "name"`, optionally followed by
// `[attribute=value]`, `says "text"`, and `in role "name"` for its container. The prefix `no` asserts
// that the element is absent. Besides ARIA roles, a row can use `text`, or `polite` or `assertive` for
// announcements in a live region.

import assert from "node:assert/strict";

/** Matches one row: the element to find and its expected properties. */
const row =
  /(?<no>no )?(?<role>[a-z]+) "(?<name>(?:[^"\\]|\\.)*)"(?<states>(?: \[[a-z-]+(?:=[^\]]*)?\])*)(?: says "(?<says>[^"]*)")?(?: in (?<within>[a-z]+) "(?<place>[^"]*)")?/g;

/** rowsOf parses the rows of a screen. It throws if the text contains anything else. */
export function rowsOf(text) {
  const left = text.replaceAll(row, "").replaceAll(/[;\s]/g, "");
  assert.equal(left, "", "this is no row");
  return [...text.matchAll(row)].map(({ groups: { no, name, states, ...more } }) => ({
    ...more,
    isAbsent: no !== undefined,
    name: name.replaceAll('\\"', '"'),
    states: [...states.matchAll(/\[([a-z-]+)(?:=([^\]]*))?\]/g)].map(([, attribute, value]) => ({
      attribute,
      value,
    })),
  }));
}

/** States that aren't attributes but properties of a control. */
const controls = {
  disabled: (each) => each.isDisabled(),
  enabled: (each) => each.isEnabled(),
  checked: (each) => each.isChecked(),
  unchecked: async (each) => !(await each.isChecked()),
};

/** find locates the elements of a row: by role and name, by text, or in a live region. */
function find(page, { role, name, within, place }) {
  const inside = within ? page.getByRole(within, { name: place, exact: true }) : page;
  if (role === "text") return inside.getByText(name, { exact: true });
  if (role === "polite" || role === "assertive")
    return page.locator(`[aria-live=${role}]`).getByText(name, { exact: true });
  return inside.getByRole(role, { name, exact: true });
}

/** firstMissing describes the first expectation in a row that an element doesn't meet, or returns "". */
async function firstMissing(part, { states, says }) {
  for (const { attribute, value } of states) {
    if (controls[attribute]) {
      if (!(await controls[attribute](part))) return `is not ${attribute}`;
      continue;
    }
    const has = await part.evaluate(
      // A data- attribute may be on an ancestor; any other must be on the element itself.
      (element, wanted) =>
        (wanted.startsWith("data-") ? element.closest(`[${wanted}]`) : element)?.getAttribute(wanted) ?? null,
      attribute,
    );
    if (value === undefined ? has === null : has !== value)
      return `has ${attribute} ${has}, not ${value ?? "set"}`;
  }
  const text = says === undefined ? "" : (await part.innerText()).replaceAll(/\s+/g, " ");
  return text.includes(says ?? "") ? "" : `says "${text}", not "${says}"`;
}

/**
 * mismatchOf describes how the page differs from a row, or returns "" if it matches. If several elements
 * have the same name, one of them must meet all expectations.
 */
export async function mismatchOf(page, wanted) {
  const all = await find(page, wanted).all();
  const visible = [];
  for (const each of all) if (await each.isVisible()) visible.push(each);
  const what = `${wanted.role} "${wanted.name}"`;
  if (wanted.isAbsent) return visible.length > 0 ? `there is a ${what}` : "";
  if (visible.length === 0) return all.length > 0 ? `${what} is out of sight` : `there is no ${what}`;
  const lacking = [];
  for (const each of visible) lacking.push(await firstMissing(each, wanted));
  return lacking.includes("") ? "" : `${what} ${lacking.join(", and ")}`;
}
