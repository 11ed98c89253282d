import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { HostWorld } from "./testing/host-world.ts";

async function heldResponses(): Promise<number> {
  for (let count = 0; count < 5; count += 1) {
    await new Promise((resolve) => setImmediate(resolve));
    Bun.gc(true);
  }
  return heapStats().objectTypeCounts["Response"] ?? 0;
}

test("a finished turn retains neither its request nor its response", async () => {
  await using world = await HostWorld.start();
  const { client, model } = world;
  const id = await world.createConversation();
  const turns = async (): Promise<void> => {
    for (let count = 0; count < 40; count += 1) {
      model.enqueue({ kind: "text", chunks: ["Hello"] });
      const types: string[] = [];
      for await (const { type } of client.sendTurn(id, { input: "Hello" })) types.push(type);
      expect(types.at(-1)).toBe("turn-end");
    }
  };
  await turns();
  const before = await heldResponses();
  await turns();

  // Temporary references of other work disappear by the next check; leaks remain.
  let held = await heldResponses();
  for (let tries = 0; tries < 20 && held - before >= 20; tries += 1) held = await heldResponses();

  expect(held - before).toBeLessThan(20);
});
