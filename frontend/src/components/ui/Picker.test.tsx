import { render, screen, waitFor } from "@solidjs/testing-library";
import userEvent from "@testing-library/user-event";
import { createSignal } from "solid-js";
import { beforeEach, expect, test, vi } from "vitest";
import { stubBrowser } from "../../testing";
import { Picker } from "./Picker";

beforeEach(() => stubBrowser());

test("values that are invalid in selectors can be chosen", async () => {
  const values = ['"]', "a\nb", "\\", "_22_", "\ud800", "", "a b"];
  const onChange = vi.fn();
  const user = userEvent.setup();
  render(() => (
    <Picker
      name="Mode"
      value={values[0] ?? ""}
      choices={values.map((value, at) => ({ value, label: `Choice ${at}` }))}
      onChange={onChange}
    />
  ));
  for (const [at, value] of values.entries()) {
    await user.click(screen.getByRole("button", { name: "Mode: Choice 0" }));
    const option = await screen.findByRole("option", { name: `Choice ${at}` });
    await user.keyboard("{End}{Home}");
    await user.click(option);
    if (at > 0) await waitFor(() => expect(onChange).toHaveBeenLastCalledWith(value));
  }
  expect(onChange).toHaveBeenCalledTimes(values.length - 1);
});

test("an open list stays the same if its choices are loaded again", async () => {
  const load = () => ["all", "staged"].map((value) => ({ value, label: value }));
  const [choices, setChoices] = createSignal(load());
  const onChange = vi.fn();
  const user = userEvent.setup();
  render(() => <Picker name="Files" value="all" choices={choices()} onChange={onChange} />);
  await user.click(screen.getByRole("button", { name: "Files: all" }));
  const option = await screen.findByRole("option", { name: "staged" });
  setChoices(load());
  expect(option.isConnected).toBe(true);
  await user.click(option);
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith("staged"));
});

test("an open list gets choices that arrive later", async () => {
  const [choices, setChoices] = createSignal([{ value: "all", label: "all" }]);
  const onChange = vi.fn();
  const user = userEvent.setup();
  render(() => <Picker name="Files" value="all" choices={choices()} onChange={onChange} />);
  await user.click(screen.getByRole("button", { name: "Files: all" }));
  await waitFor(() => expect(screen.getByRole("option", { name: "all" })).toHaveFocus());
  setChoices(["all", "staged"].map((value) => ({ value, label: value })));
  await user.keyboard("{ArrowDown}{Enter}");
  await waitFor(() => expect(onChange).toHaveBeenLastCalledWith("staged"));
});
