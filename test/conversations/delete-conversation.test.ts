import {
  conversationsResponseSchema,
  errorResponseSchema,
  messagesResponseSchema,
} from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { parseEvents } from "../support/host-process.ts";
import { World } from "../support/world.ts";

async function filesWith(world: World, text: string): Promise<readonly string[]> {
  const found = [];
  for (const name of await readdir(world.data, { recursive: true })) {
    const file = Bun.file(join(world.data, name));
    if ((await file.stat()).isFile() && Buffer.from(await file.arrayBuffer()).includes(text)) found.push(name);
  }
  return found;
}

test("DELETE /conversations/:id removes messages, prompt, requests and title from every file", async () => {
  await using world = await World.start();
  const [mine, theirs] = [world.path("mine"), world.path("theirs")];
  await Bun.write(join(mine, "AGENTS.md"), "The agent's secret-of-mine");
  await Bun.write(join(theirs, "AGENTS.md"), "The agent's secret-of-theirs");
  const host = await world.host();
  const ids: string[] = [];
  for (const [cwd, secret] of [
    [theirs, "secret-of-theirs"],
    [mine, "secret-of-mine"],
    [theirs, "secret-of-theirs"],
  ] as const) {
    const { id } = await host.createConversation({ cwd, title: `The ${secret}` });
    for (let count = 0; count < 5; count += 1)
      await host.turn(id, { input: `${secret} ${"x".repeat(count * 3_000)}` });
    ids.push(id);
  }
  const [first = "", mineId = "", last = ""] = ids;
  expect(await filesWith(world, "secret-of-mine")).not.toEqual([]);

  const deleted = await host.json(`/conversations/${mineId}`, { method: "DELETE" });

  expect(deleted).toEqual({ deleted: true });
  expect(await filesWith(world, "secret-of-mine")).toEqual([]);
  const again = await host.fetch(`/conversations/${mineId}`, { method: "DELETE" });
  expect(errorResponseSchema.parse(await again.json()).error.code).toBe("CONVERSATION_UNKNOWN");
  const { conversations } = conversationsResponseSchema.parse(await host.json("/conversations"));
  expect(conversations.map(({ id }) => String(id))).toEqual([last, first]);
  for (const id of [first, last]) {
    expect(await host.json(`/conversations/${id}/system-prompt`)).toMatchObject({
      systemPrompt: expect.stringContaining("secret-of-theirs"),
    });
    expect((await host.turn(id, { input: "on" })).at(-1)).toMatchObject({ status: "completed" });
  }
}, 300_000);

test("DELETE /conversations/:id stops a running turn and ends all of its streams with turn-end", async () => {
  await using world = await World.start();
  const host = await world.host();
  const { id } = await host.createConversation();
  world.model.enqueue({ kind: "never" });
  const turn = host.turn(id, { input: "one" });
  const follower = host.fetch(`/conversations/${id}/events?after=0`);
  await world.model.waitForRequests(1);
  await host.send(id, "two");
  const followed = (await follower).text();

  await host.json(`/conversations/${id}`, { method: "DELETE" });

  expect((await turn).at(-1)).toMatchObject({ type: "turn-end", status: "cancelled" });
  const ends = parseEvents(await followed).filter(({ type }) => type === "turn-end");
  expect(ends.map((end) => end.type === "turn-end" && end.status)).toEqual(["cancelled", "cancelled"]);
  for (const path of ["", "/messages", "/events?after=0", "/queue", "/steps", "/system-prompt"])
    expect((await host.fetch(`/conversations/${id}${path}`)).status).toBe(404);
  expect((await host.fetch(`/conversations/${id}/turns`, { body: { input: "three" } })).status).toBe(404);
}, 300_000);

test("DELETE /conversations/:id cut off by SIGKILL has not begun, or completes at the next start", async () => {
  await using world = await World.start();
  let host = await world.host();
  let cutOff = 0;
  for (const delayMs of [0, 2, 5, 10, 15, 20, 30, 50]) {
    const { id } = await host.createConversation();
    const secret = `secret-${delayMs}-of-mine`;
    for (let count = 0; count < 8; count += 1) await host.turn(id, { input: `${secret} ${"x".repeat(100_000)}` });
    const deleted = host.fetch(`/conversations/${id}`, { method: "DELETE" }).then(
      ({ status }) => status,
      () => undefined,
    );
    await Promise.race([Bun.sleep(delayMs), deleted]);
    await host.kill("SIGKILL");
    const status = await deleted;
    host = await world.host();

    const response = await host.fetch(`/conversations/${id}/messages`);
    if (response.status === 200) {
      cutOff += 1;
      expect(status).not.toBe(200);
      expect(messagesResponseSchema.parse(await response.json()).messages).toHaveLength(16);
      expect((await host.turn(id, { input: "on" })).at(-1)).toMatchObject({ status: "completed" });
    } else {
      if (status === undefined) cutOff += 1;
      expect(response.status).toBe(404);
      expect(await filesWith(world, secret)).toEqual([]);
    }
  }
  expect(cutOff).toBeGreaterThan(0);
}, 300_000);
