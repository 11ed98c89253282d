import { expect, test } from "bun:test";
import { World } from "../support/world.ts";

const reportedTokens = 25;

test("[never-half] a compaction cut off by SIGKILL changes nothing, and the next turn repeats it", async () => {
  await using world = await World.start({
    config: `compaction.share = 0.5\nproviders.local.context_window = ${2 * reportedTokens}`,
  });
  const { model } = world;
  const killed = await world.host();
  const { id } = await killed.createConversation();
  await killed.turn(id, { input: "one" });
  model.enqueue({ kind: "never" });
  await killed.send(id, "two");
  await model.waitForRequests(2);
  await killed.kill("SIGKILL");

  await world.host();
  model.enqueueText("SUMMARY");
  const { stderr, exitCode } = await world.run(["-s", id, "three"]);
  const said = world.bodies.map((body) =>
    ["one", "two", "three", "SUMMARY", "Sum up"].filter((text) => body.includes(text)),
  );

  expect(said).toEqual([["one"], ["one", "Sum up"], ["one", "Sum up"], ["two", "three", "SUMMARY"]]);
  expect(exitCode).toBe(0);
  expect(stderr).toStartWith("The last turn was cut off when the host ended.");
  expect(stderr).toEndWith("\nThe conversation has grown long: it is summed up first\n");
}, 300_000);

test("a conversation compacts automatically with the catalogue's context window, without configuration", async () => {
  await using world = await World.start({
    // The smallest available window: 8,192 tokens.
    config: (model) =>
      `model = "openai/gpt-4"\n[providers.openai]\nkind = "openai"\nbase_url = "${model.urlOf("openai-responses")}"\n`,
    model: { isStrict: true, wire: "openai-responses" },
    env: { OPENAI_API_KEY: "key-0123456789" },
  });
  const host = await world.host();
  const { id } = await host.createConversation();
  world.model.enqueue(
    { kind: "text", chunks: ["some"], usage: { inputTokens: 6_000, outputTokens: 500 } },
    { kind: "text", chunks: ["full"], usage: { inputTokens: 6_500, outputTokens: 500 } },
    { kind: "text", chunks: ["SUMMARY"] },
  );

  const turns = [];
  for (const input of ["one", "two", "three"]) turns.push(await host.turn(id, { input }));

  const compacted = turns.map((events) => events.filter(({ type }) => type === "compaction-end").length);
  expect(compacted).toEqual([0, 0, 1]);
  expect(world.lastBody).toContain("SUMMARY");
}, 300_000);
