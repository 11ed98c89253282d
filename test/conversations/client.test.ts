import { createClient, type Connection } from "@incipit/client";
import { expect, test } from "bun:test";
import type { HostProcess } from "../support/host-process.ts";
import { ownPort } from "../support/own-port.ts";
import { World } from "../support/world.ts";

test("[client-resumes] a turn survives SIGKILL and restart with one message and each event once", async () => {
  await using world = await World.start();
  const { model } = world;
  const port = await ownPort();
  const host = await world.host({ port });
  const { url, token } = host;
  const restart = async (): Promise<void> => {
    await host.kill("SIGKILL");
    await world.host({ port });
  };
  const connections: Connection[] = [];
  const client = createClient({ url, token, onConnection: (connection) => connections.push(connection) });
  const { conversation } = await client.call("POST /conversations", { body: {} });
  model.enqueue({ kind: "text", chunks: ["one ", "two"], gate: true });

  const seqs: number[] = [];
  let restarted: Promise<void> | undefined;
  let status: string | undefined;
  for await (const event of client.sendTurn(conversation.id, { input: "Count" })) {
    seqs.push(event.seq);
    if (event.type === "step-start") model.release();
    if (event.type === "text-delta") restarted ??= restart();
    if (event.type === "turn-end") status = event.status;
  }
  await restarted;
  const { messages } = await client.call("GET /conversations/:id/messages", { params: { id: conversation.id } });

  expect(status).toBe("interrupted");
  expect(seqs).toEqual(seqs.map((_, index) => index + 1));
  expect(messages.filter(({ role }) => role === "user")).toHaveLength(1);
  expect(connections[0]).toMatchObject({ isOpen: false, error: { code: "UNREACHABLE" } });
  expect(connections.at(-1)).toEqual({ isOpen: true });
}, 300_000);

test("[client-resumes] a message sent while the host is down arrives after its start", async () => {
  await using world = await World.start();
  const port = await ownPort();
  const first = await world.host({ port });
  const { url, token } = first;
  const { id } = await first.createConversation();
  await first.kill("SIGKILL");
  const starting = Promise.withResolvers<HostProcess>();
  let isStarting = false;
  const client = createClient({
    url,
    token,
    onConnection: () => {
      if (!isStarting) starting.resolve(world.host({ port }));
      isStarting = true;
    },
  });

  let reply = "";
  for await (const event of client.sendTurn(id, { input: "Are you there?" }))
    if (event.type === "text-delta") reply += event.text;
  const host = await starting.promise;

  expect(reply).toBe("Reply 1");
  expect(await host.json(`/conversations/${id}/messages`)).toMatchObject({ messages: [{ role: "user" }, {}] });
}, 300_000);
