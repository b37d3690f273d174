import Check from "lucide-solid/icons/check";
import X from "lucide-solid/icons/x";
import { createSignal } from "solid-js";
import { render } from "solid-js/web";
import { expect, it } from "vitest";
import { Icon } from "./Icon";

it("renders Lucide's shapes, a new element each time, and follows its props", () => {
  const page = document.createElement("div");
  const [of, setOf] = createSignal(Check);
  const [look, setLook] = createSignal<string>();
  const dispose = render(
    () => (
      <>
        <Icon of={of()} size="sm" class={look()} />
        <Icon of={Check} />
      </>
    ),
    page,
  );
  const [first, second] = page.children;
  expect(first?.getAttribute("class")).toBe("i sm");
  expect(second?.getAttribute("class")).toBe("i");
  expect(first?.getAttribute("aria-hidden")).toBe("true");
  expect(first?.getAttribute("stroke-width")).toBe("1.75");
  expect(first?.innerHTML).toBe(second?.innerHTML);
  expect(first?.querySelector("path")).not.toBeNull();

  // Another look keeps the element, so that animations continue.
  setLook("turned");
  expect(page.children[0]).toBe(first);
  expect(first?.getAttribute("class")).toBe("i sm turned");
  setOf(() => X);
  expect(page.children[0]?.getAttribute("class")).toBe("i sm turned");
  expect(page.children[0]?.innerHTML).not.toBe(second?.innerHTML);
  expect(page.children.length).toBe(2);
  dispose();
});
