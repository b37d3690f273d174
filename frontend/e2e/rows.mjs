// What a screen has to have, said in rows: `role "name"`. Behind it can stand what
// holds of it: `[attribute=value]`, `says "text"`, and `in role "name"` for where it
// is. `no` in front says that there is none. Besides the roles there are `text`, and
// `polite` and `assertive` for what a live region tells.

import assert from "node:assert/strict";

/** One row: who is looked for, and what is said of it. */
const row =
  /(?<no>no )?(?<role>[a-z]+) "(?<name>(?:[^"\\]|\\.)*)"(?<states>(?: \[[a-z-]+(?:=[^\]]*)?\])*)(?: says "(?<says>[^"]*)")?(?: in (?<within>[a-z]+) "(?<place>[^"]*)")?/g;

/** The rows of a screen. */
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

/** What is no attribute but what the browser says of a control. */
const controls = {
  disabled: (each) => each.isDisabled(),
  enabled: (each) => each.isEnabled(),
  checked: (each) => each.isChecked(),
  unchecked: async (each) => !(await each.isChecked()),
};

/** find gives the parts of a row: by role and name, text by itself, and what is told by its live region. */
function find(page, { role, name, within, place }) {
  const inside = within ? page.getByRole(within, { name: place, exact: true }) : page;
  if (role === "text") return inside.getByText(name, { exact: true });
  if (role === "polite" || role === "assertive")
    return page.locator(`[aria-live=${role}]`).getByText(name, { exact: true });
  return inside.getByRole(role, { name, exact: true });
}

/** lacks is what a part has not that its row says, "" where it has all. */
async function lacks(part, { states, says }) {
  for (const { attribute, value } of states) {
    if (controls[attribute]) {
      if (!(await controls[attribute](part))) return `is not ${attribute}`;
      continue;
    }
    const has = await part.evaluate(
      // A state is that of the part it stands in; what a control says of itself is its own.
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

/** wrong is what is not as a row says, "" where all is. Of several with one name, one has to have all. */
export async function wrong(page, wanted) {
  const all = await find(page, wanted).all();
  const visible = [];
  for (const each of all) if (await each.isVisible()) visible.push(each);
  const what = `${wanted.role} "${wanted.name}"`;
  if (wanted.isAbsent) return visible.length > 0 ? `there is a ${what}` : "";
  if (visible.length === 0) return all.length > 0 ? `${what} is out of sight` : `there is no ${what}`;
  const lacking = [];
  for (const each of visible) lacking.push(await lacks(each, wanted));
  return lacking.includes("") ? "" : `${what} ${lacking.join(", and ")}`;
}
