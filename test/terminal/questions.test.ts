import { expect, test } from "bun:test";
import { askingModel, askingServer, formOf } from "../support/asking-server.ts";
import { moveInto } from "./answer.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const form = formOf(
  "Where are the tides wanted?",
  {
    city: { type: "string", title: "City", description: "By the sea" },
    days: { type: "integer", title: "Days", minimum: 1, maximum: 7, default: 2 },
  },
  ["city"],
);

async function askingWorld(): Promise<TerminalWorld> {
  const world = await newTerminalWorld({ more: askingServer });
  world.model.enqueue(...askingModel(form));
  return world;
}

for (const columns of [50, 80])
  test(`the terminal shows an MCP elicitation field by field, at ${columns} columns`, async () => {
    await using world = await askingWorld();
    const sitting = world.sit({ columns });
    await sitting.sees("local/test");
    sitting.enter("Hello");
    sitting.type("a draft");

    const first = await sitting.sees("1 of 2");
    await moveInto(sitting);
    sitting.enter("Porto");
    await sitting.sees("2 of 2");
    sitting.enter("nine");
    const unfit = await sitting.sees("That ");
    sitting.type(keys.enter);
    const whole = await sitting.sees("send it");
    sitting.type(keys.down);
    await sitting.sees("> y send it");
    sitting.type(keys.enter);
    const done = await sitting.sees("Done.");

    expect(first).toContain("a draft");
    expect(first).toMatch(/asks\s+you:/);
    expect(unfit).toContain("2 of 2");
    expect(whole).toMatch(/City: Porto[\s\S]*Days: 2/);
    expect(done).toContain("a draft");
    expect(world.model.requests.at(-1)?.body).toContain("Porto");
  });

test("the terminal: Esc declines an MCP elicitation, and the model is informed", async () => {
  await using world = await askingWorld();
  const sitting = world.sit();
  await sitting.sees("local/test");
  sitting.enter("Hello");

  await sitting.sees("Esc declines");
  sitting.type(keys.escape);
  await sitting.sees("Done.");

  expect(world.model.requests.at(-1)?.body).toContain("decline");
});
