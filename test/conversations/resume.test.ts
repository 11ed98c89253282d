import type { ConversationId } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { followed } from "../support/acknowledged.ts";
import type { HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

test('[never-lost] resume = "ask" keeps the queue across SIGKILL and runs it on request', async () => {
  await using world = await World.start({ config: 'resume = "ask"', model: { isStrict: true } });
  const { model } = world;
  const leave = async (host: HostProcess): Promise<ConversationId> => {
    model.enqueue({ kind: "never" });
    const before = model.requests.length;
    const { id } = await host.createConversation();
    for (const input of ["one", "two", "three"]) await host.send(id, input);
    await model.waitForRequests(before + 1);
    return id;
  };
  const killed = await world.host();
  const [first, second] = [await leave(killed), await leave(killed)];
  await killed.kill("SIGKILL");

  const { client } = await world.host();
  const { conversations } = await client.call(routes.listConversations, { query: { limit: 10 } });
  const { queue } = await client.call(routes.getQueue, { params: { id: first } });
  const { resumed } = await client.call(routes.resumeConversation, { params: { id: first } });
  let ends = 0;
  for await (const event of followed(client, first)) {
    ends += event.type === "turn-end" ? 1 : 0;
    if (ends === 3) break;
  }
  const answered = await world.run(["-s", second, "four"]);

  expect(conversations.map(({ status }) => status)).toEqual(["waiting", "waiting"]);
  expect(queue.map(({ input }) => input)).toEqual(["two", "three"]);
  expect(resumed).toBe(2);
  expect(answered).toMatchObject({
    exitCode: 0,
    stderr: "2 messages wait here from before, and will be answered before yours\nWaiting: number 3 of the queue\n",
  });
  expect(model.requests).toHaveLength(7);
}, 300_000);
