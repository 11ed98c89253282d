import { expect, test } from "bun:test";
import { expectScreen } from "./said.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const answer = `# Tides of the week

They **rise** twice a day, and \`slack\` water is between. 潮の満ち引きは月の引力によって起こります。海の高さは一日に二回変わります。

| place | high water | low water | what to know about it |
| --- | --- | --- | --- |
| Porto | 03:12 and 15:40 | 09:21 and 21:55 | the bar is closed with swell from the west |
| 東京 | 04:50 | 11:02 | 干潮のとき歩いて渡れる島がある |

1. Look at the table
2. Go out with the \`ebb\`

> Time and tide wait for no man.

\`\`\`ts
const heights = [3.2, 0.4]; // metres
export const range = Math.max(...heights) - Math.min(...heights); // what a boat has to have below its keel
\`\`\`

👩‍👩‍👧 see you there`;

for (const columns of [50, 80])
  test(`the terminal shows Markdown, tables and code within ${columns} columns`, async () => {
    await using world = await newTerminalWorld();
    world.model.enqueue({ kind: "text", chunks: answer.split(/(?<= )/) });
    const sitting = await world.open({ columns, rows: 60 });

    const screen = await sitting.enterUntil("When?", /see you there[\s\S]* all/);

    await expectScreen(screen, { name: "answer", columns });
  });

test("the terminal marks a truncated reply, also when the conversation is opened later", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["Half an answer"], end: "length" });
  const sitting = await world.open();

  await sitting.enterUntil("Hello", /Half an answer[\s\S]*· The reply is cut off/);
  sitting.type(keys.ctrl("d"));
  await sitting.exited;
  const later = world.sit({ args: ["-c"] });

  expect(await later.sees("The reply is cut off")).toMatch(/Half an answer[\s\S]*· The reply is cut off/);
});

test("the terminal explains a failed model call, and the next message is answered", async () => {
  await using world = await newTerminalWorld();
  const error = { error: { message: "This model is closed for today" } };
  world.model.enqueue({ kind: "error", status: 400, body: JSON.stringify(error) });
  const sitting = await world.open();

  const failed = await sitting.enterUntil("Hello", "The turn failed");
  await sitting.enterUntil("Hello again", "Reply 2");

  expect(failed).toContain("This model is closed for today");
});
