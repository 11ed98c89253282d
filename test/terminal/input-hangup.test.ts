import { expect, test } from "bun:test";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

test("closing the window during an answer: its in-process host stores the interrupted turn", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const sitting = await world.open();
  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  world.model.release();
  await sitting.sees("One");

  sitting.closeWindow();
  const exitCode = await sitting.exited;
  const next = world.sit({ args: ["-c"] });
  await next.sees("Count slowly");
  await next.enterUntil("Go on", "Reply 2");

  expect(exitCode).toBe(0);
  expect(next.everything()).toMatch(/> Count slowly\n\nOne/);
});

test("closing the window during an answer: the turn continues in another terminal's host", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue({ kind: "text", chunks: ["One ", "two ", "three"], gate: true });
  const other = await world.open();
  const sitting = await world.open();
  sitting.enter("Count slowly");
  await world.model.waitForRequests(1);
  world.model.release();
  await sitting.sees("One");

  sitting.closeWindow();
  await sitting.exited;
  world.model.releaseAll();
  await other.sees("local/test");
  const next = world.sit({ args: ["-c"] });
  const screen = await next.sees("One two three");

  expect(screen).not.toContain("cut off");
  next.type(keys.ctrl("d"));
  expect(await next.exited).toBe(0);
});
