import { expect, test } from "bun:test";
import * as z from "zod";
import { said } from "./said.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld, usualFacts } from "./terminal-world.ts";

const facts = `${usualFacts}, reasoning_efforts = ["low", "high"]`;

const bodySchema = z.object({
  reasoning_effort: z.string().optional(),
  messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
});

test("/retry sends the last message again, once in the history", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue(
    { kind: "text", chunks: ["A start."] },
    { kind: "error", status: 400, body: JSON.stringify({ error: { message: "Closed for today" } }) },
    { kind: "text", chunks: ["A bad answer."] },
    { kind: "text", chunks: ["A good answer."] },
  );
  const sitting = await world.open({ rows: 40 });
  await said(sitting, "/retry", "No message to resend");
  await said(sitting, "Begin", "A start.");
  await said(sitting, "Why are there tides?", "The turn failed");

  await sitting.enterUntil("/retry", "A bad answer.");
  const screen = await sitting.enterUntil("/retry", "A good answer.");

  const turns = world.model.requests.map(({ body }) =>
    bodySchema
      .parse(JSON.parse(body))
      .messages.filter(({ role }) => role !== "system")
      .map(({ content }) => content),
  );
  expect(turns.slice(1)).toEqual([
    ["Begin", "A start.", "Why are there tides?"],
    ["Begin", "A start.", "Why are there tides?"],
    ["Begin", "A start.", "Why are there tides?"],
  ]);
  expect(screen).toMatch(/You are now in the copy[\s\S]*> Why are there tides\?[\s\S]*A good answer\./);
}, 60_000);

test("/effort, Ctrl-T and --effort set the reasoning effort, and reject unsupported values with the list", async () => {
  await using world = await newTerminalWorld({ facts });
  const once = await world.run(["-q", "--effort", "high", "Hello"]);
  const refused = await world.run(["-q", "--effort", "medium", "Hello"]);
  const sitting = await world.open();

  await said(sitting, "/effort medium", /has no effort "medium"; choose low, high,\s+default/);
  await said(sitting, "/effort low", 'Effort "low" from the next call on');
  await sitting.sees("local/test (low) · work");
  await said(sitting, "First", "Reply 2");
  await sitting.typeUntil(keys.ctrl("t"), "local/test (high) · work");
  await said(sitting, "Second", "Reply 3");
  await sitting.typeUntil(keys.ctrl("t"), "local/test · work");
  await said(sitting, "Third", "Reply 4");

  const efforts = world.model.requests.map(({ body }) => bodySchema.parse(JSON.parse(body)).reasoning_effort);
  expect(efforts).toEqual(["high", "low", "high", undefined]);
  expect(once.exitCode).toBe(0);
  expect(refused).toMatchObject({ exitCode: 1 });
  expect(refused.stderr).toContain('"local/test" has no reasoning effort "medium"; it has "low", "high"');
}, 60_000);

test("Enter runs /model with an exact or uniquely completed argument", async () => {
  await using world = await newTerminalWorld();
  const sitting = await world.open();

  await sitting.typeUntil("/model echo", "offline/echo");
  await sitting.typeUntil(keys.enter, "offline/echo answers from now on");
  await sitting.typeUntil("/model local/test", /local\/test +[^·]*window/);
  await sitting.typeUntil(keys.enter, "local/test answers from now on");
}, 60_000);
