import type { Extension, Host, Kernel } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { httpEndpointHandle } from "@incipit/service-contract";
import transportHttp from "@incipit/transport-http";
import { numberProblems } from "@incipit/testkit";
import { conversationResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { brokenVersion, collect, HostWorld, until } from "./testing/host-world.ts";

const id = "transport-http";
const chunks = ["one ", "two ", "three"];

async function slowPost(world: HostWorld): Promise<{ finish(): Promise<{ status: string; body: string }> }> {
  const { hostname, port } = new URL(world.host.url);
  const body = JSON.stringify({ title: "sent slowly" });
  const answered = Promise.withResolvers<string>();
  let received = "";
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data: (_, bytes) => {
        received += bytes.toString();
      },
      close: () => answered.resolve(received),
      error: (_, error) => answered.reject(error),
    },
  });
  socket.write(
    [
      "POST /conversations HTTP/1.1",
      `host: ${hostname}:${port}`,
      `authorization: Bearer ${world.host.token}`,
      "content-type: application/json",
      `content-length: ${body.length}`,
      "connection: close",
      "",
      body.slice(0, 5),
    ].join("\r\n"),
  );
  return {
    async finish() {
      socket.write(body.slice(5));
      const text = await answered.promise;
      const [head = "", ...rest] = text.split("\r\n\r\n");
      return { status: head.split("\r\n")[0] ?? "", body: rest.join("") };
    },
  };
}

function sendRequests({ host }: HostWorld): { end(): Promise<number> } {
  let isOver = false;
  const knocking = (async () => {
    let count = 0;
    for (; !isOver || count === 0; count += 1) {
      const headers = { authorization: `Bearer ${host.token}`, connection: "close" };
      const response = await fetch(`${host.url}/conversations`, { headers, keepalive: false });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
      await response.text();
    }
    return count;
  })();
  knocking.catch(() => undefined);
  return {
    end() {
      isOver = true;
      return knocking;
    },
  };
}

function urlOf(kernel: Kernel): string | undefined {
  return kernel.service(httpEndpointHandle)?.url;
}

async function openStreams(
  world: HostWorld,
  underWay = (): number => world.health(id).callsInFlight,
): Promise<{
  readonly conversation: ConversationId;
  readonly turn: ReturnType<typeof collect>;
  readonly follower: ReturnType<typeof collect>;
  readonly post: Awaited<ReturnType<typeof slowPost>>;
}> {
  const { client, model } = world;
  model.enqueue({ kind: "text", chunks, gate: true });
  const conversation = await world.createConversation();
  const follower = collect(client.followEvents(conversation, { afterSeq: 0 }));
  const turn = collect(client.sendTurn(conversation, { input: "first" }));
  model.release();
  await turn.has("text-delta");
  await follower.has("text-delta");
  const post = await slowPost(world);
  await until(() => underWay() === 3);
  return { conversation, turn, follower, post };
}

test("[swap-loses-nothing] a swap of transport-http completes turns and slow requests, and never refuses one", async () => {
  await using world = await HostWorld.start();
  const { host, client, model } = world;
  const url = urlOf(host.kernel);
  const { conversation, turn, follower, post } = await openStreams(world);
  const knocking = sendRequests(world);

  const swap = host.kernel.swap(id);
  const followed = await follower.ended;
  const meanwhile = world.health(id);
  const comeBack = collect(client.followEvents(conversation, { afterSeq: followed.at(-1)?.seq ?? 0 }));
  const posted = await post.finish();
  for (let count = 0; count < 10; count += 1) model.release();
  const events = await turn.ended;
  await comeBack.has("turn-end");
  const report = await swap;
  const count = await knocking.end();

  expect(report).toMatchObject({ outcome: "swapped", cut: 0 });
  expect(report.drained).toBeGreaterThanOrEqual(3);
  expect(meanwhile).toMatchObject({ generation: 2, draining: { generation: 1 } });
  expect(urlOf(host.kernel)).toBe(url);
  expect(count).toBeGreaterThan(0);
  expect(posted.status).toBe("HTTP/1.1 201 Created");
  expect(conversationResponseSchema.parse(JSON.parse(posted.body)).conversation.title).toBe("sent slowly");
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(followed.some(({ type }) => type === "turn-end")).toBe(false);
  expect([...followed, ...comeBack.events]).toEqual([...events]);
  expect(numberProblems(events)).toEqual([]);
});

test("[swap-loses-nothing] a failed swap of transport-http affects nothing", async () => {
  await using world = await HostWorld.start();
  const { host, model } = world;
  const url = urlOf(host.kernel);
  const { turn, follower, post } = await openStreams(world);
  const knocking = sendRequests(world);

  const report = await host.kernel.swap(id, { extension: brokenVersion(transportHttp) });
  const posted = await post.finish();
  for (let count = 0; count < 10; count += 1) model.release();
  const events = await turn.ended;
  await follower.has("turn-end");
  await knocking.end();

  expect(report).toMatchObject({ outcome: "kept-old", cut: 0 });
  expect(urlOf(host.kernel)).toBe(url);
  expect(posted.status).toBe("HTTP/1.1 201 Created");
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(follower.events).toEqual(events);
});

test("[swap-loses-nothing] a new transport-http that fails after listening still completes its requests", async () => {
  await using world = await HostWorld.start();
  const { host, client, model } = world;
  const listens = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  let asked = 0;
  const late: Extension = {
    manifest: { ...transportHttp.manifest, version: "9.9.9" },
    async activate(own) {
      const http: Host["listen"]["http"] = (options) =>
        own.listen.http({
          ...options,
          fetch: (request) => {
            asked += 1;
            return options.fetch(request);
          },
        });
      await transportHttp.activate({ ...own, listen: { http } });
      listens.resolve();
      await gate.promise;
      throw new Error("This version does not start");
    },
  };
  const swap = host.kernel.swap(id, { extension: late });
  await listens.promise;
  const isConversationCreated = 1;
  const { conversation, turn, follower, post } = await openStreams(world, () => asked - isConversationCreated);

  gate.resolve();
  const report = await swap;
  const posted = await post.finish();
  for (let count = 0; count < 10; count += 1) model.release();
  const events = await turn.ended;
  const all = collect(client.followEvents(conversation, { afterSeq: 0 }));
  await all.has("turn-end");

  expect(report.outcome).toBe("kept-old");
  expect(posted.status).toBe("HTTP/1.1 201 Created");
  expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
  expect(all.events).toEqual(events);
  expect(follower.events).toEqual(events.slice(0, follower.events.length));
});
