import { expect, test } from "bun:test";
import { newTerminalWorld } from "./terminal-world.ts";

const refused =
  "explain drift rebuild context cost audit tools trust new fork undo redo retry queue stop commands help quit"
    .split(" ")
    .map((name) => [`/${name} otters`, `Nothing was done: /${name} accepts no arguments`] as const);

const malformed: readonly (readonly [line: string, answer: string])[] = [
  ["/history otters", "Nothing was done: write /history [N]"],
  ["/history 0", "Nothing was done: write /history [N]"],
  ["/expand otters", "Nothing was done: write /expand [N]"],
  ["/prompt otters", '"/prompt" accepts "versions" or no argument'],
  ["/model otters", "Nothing was changed: otters is not PROVIDER/MODEL"],
  ["/effort otters", 'Nothing was changed: local/test has no effort "otters"'],
  ["/cwd otters", "[CWD_INVALID]"],
  ["/mcp otters", "[TOOL_SERVER_UNKNOWN]"],
  ["/profile otters", "[PROFILE_UNKNOWN]"],
  ["/export", "Name a file"],
];

test("slash commands reject unsupported arguments with one line of usage", async () => {
  await using world = await newTerminalWorld();
  const sitting = world.sit({ args: ["--screen-reader"], columns: 200, rows: 50 });
  await sitting.sees("An empty line or Ctrl-D ends it.");

  for (const [line, answer] of [...refused, ...malformed]) {
    const count = (): number => sitting.everything().split(answer).length;
    const before = count();
    await sitting.enterUntil(line, () => count() > before);
  }

  expect(world.model.requests).toEqual([]);
}, 60_000);
