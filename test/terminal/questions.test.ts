import { expect, test } from "bun:test";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { moveInto } from "./answer.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const form = formOf(
  "Where are the tides wanted?",
  {
    city: { type: "string", title: "City", description: "By the sea" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
  },
  ["city"],
);

test("the terminal shows an MCP elicitation field by field; Esc declines it, and the model is informed", async () => {
  await using world = await newTerminalWorld({ config: askingServer });
  world.model.enqueue(...askingModel(form), ...askingModel(form));
  const sitting = await world.open();
  sitting.enter("Hello");
  const first = await sitting.typeUntil("a draft", "1 of 2");
  await moveInto(sitting);
  await sitting.enterUntil("Porto", "2 of 2");
  const unfit = await sitting.enterUntil("nine", "That ");
  const whole = await sitting.typeUntil(keys.enter, "send it");
  await sitting.typeUntil(keys.down, "> y send it");
  const done = await sitting.typeUntil(keys.enter, "Done.");
  const sent = world.lastBody;
  sitting.type(keys.ctrl("u"));
  await sitting.enterUntil("Hello again", "Esc declines");
  await sitting.typeUntil(keys.escape, (screen) => screen.split("Done.").length === 3);

  expect(first).toContain("a draft");
  expect(first).toMatch(/asks\s+you:/);
  expect(unfit).toContain("2 of 2");
  expect(whole).toMatch(/City: Porto[\s\S]*Days: 2/);
  expect(done).toContain("a draft");
  expect(sent).toContain("Porto");
  expect(world.lastBody).toContain("decline");
});
