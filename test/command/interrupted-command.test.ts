import { expect, test } from "bun:test";
import { testedCommand } from "../support/host-process.ts";
import { keys } from "../terminal/sitting.ts";
import { newTerminalWorld } from "../terminal/terminal-world.ts";

const stopped = "Stopped: nothing more is asked of the model, and what was said is kept";

test("[trial:ctrl-c-silence] Ctrl-C during an answer stops the model and prints how to continue", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["One", " two", " three"], gate: true });
  const sitting = world.sit({ command: [...testedCommand, "Count"], columns: 120 });
  await sitting.sees(/^One/m);

  const screen = await sitting.typeUntil(keys.ctrl("c"), "Go on with");

  expect(await sitting.exited).toBe(130);
  expect(screen).toMatch(new RegExp(String.raw`^One.*\n${stopped}\nGo on with: incipit -s \S+ "…"$`, "m"));
  const { stdout } = await world.run(["conversations", "history", "Count"]);
  expect(stdout).toContain("One");
}, 300_000);

test("[trial:ctrl-c-silence] Ctrl-C before the first text prints the same", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "never" });
  const sitting = world.sit({ command: [...testedCommand, "Count"], columns: 120 });
  await world.model.waitForRequests(1);

  await sitting.typeUntil(keys.ctrl("c"), stopped);

  expect(await sitting.exited).toBe(130);
}, 300_000);

test("[trial:ctrl-c-silence] Ctrl-C in line mode reports the stop and prompts again", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "never" });
  const sitting = world.sit({ args: ["--screen-reader"], columns: 120 });
  await sitting.sees("An empty line or Ctrl-D ends it.");
  sitting.enter("Count");
  await world.model.waitForRequests(1);

  await sitting.typeUntil(keys.ctrl("c"), new RegExp(String.raw`${stopped}\n>`));
  await sitting.enterUntil("Another one", "Reply 2");
}, 300_000);

test("[trial:ctrl-c-silence] the terminal explains Ctrl-C and reports the stop", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["One", " two", " three"], gate: true });
  const sitting = await world.open();
  await sitting.enterUntil("Count", /^One/m);

  await sitting.typeUntil(keys.ctrl("c"), /Stopping the turn; Ctrl-C again exits[\s\S]*Stopped/);
}, 300_000);

test("[trial:ctrl-c-silence] Ctrl-C during compaction stops it, reports so, and changes nothing", async () => {
  await using world = await newTerminalWorld();
  await world.run(["Hello there"]);
  world.model.enqueue({ kind: "never" });
  const sitting = world.sit({ command: [...testedCommand, "compact", "-c"], columns: 120 });
  await world.model.waitForRequests(2);

  const screen = await sitting.typeUntil(keys.ctrl("c"), /Stopped/);

  expect(await sitting.exited).toBe(130);
  expect(screen).toContain("Stopped: an unfinished summary changes nothing");
}, 300_000);
