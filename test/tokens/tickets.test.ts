import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { endOf } from "./stream-end.ts";
import { TokenWorld } from "./token-world.ts";

const ticketSchema = z.object({ ticket: z.string() });

interface Followed {
  readonly path: string;
  readonly ticket: string;
  readonly follow: () => Promise<Response>;
}

async function ticketOf(world: TokenWorld, token: string): Promise<Followed> {
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const made = await world.ask("POST", "/tickets", { token, body: { conversationId: conversation.id } });
  const { ticket } = ticketSchema.parse(await made.json());
  const path = `/conversations/${conversation.id}/events`;
  return { path, ticket, follow: () => fetch(`${world.host.url}${path}?ticket=${ticket}&after=0`) };
}

test("[attack:tickets-after-end] a ticket ends with its token, also in an open stream", async () => {
  await using world = await TokenWorld.start();
  const { id, secret } = await world.make(["read"]);
  const [opened, waits] = [await ticketOf(world, secret), await ticketOf(world, secret)];
  const stream = await opened.follow();
  expect(stream.status).toBe(200);

  await world.client.call(routes.revokeToken, { params: { id } });

  expect((await endOf(stream)).end).toBe("cut");
  expect([(await opened.follow()).status, (await waits.follow()).status]).toEqual([401, 401]);
});

test("a ticket survives a swap of the API, and ends with the host", async () => {
  await using world = await TokenWorld.start();
  const { secret } = await world.make(["read"]);
  const ticket = await ticketOf(world, secret);
  const stream = endOf(await ticket.follow());

  await world.client.call(routes.swapExtension, { params: { id: "transport-http" }, body: {} });
  expect((await stream).end).toBe("closed");
  const again = await ticket.follow();
  expect(again.status).toBe(200);
  await again.body?.cancel();
  await world.stopHost();
  await world.startHost();
  expect((await ticket.follow()).status).toBe(401);
});

test("[attack:tickets-in-log] no ticket is in logs, errors or files; the log names its token", async () => {
  await using world = await TokenWorld.start();
  const { id, secret } = await world.make(["read"], { name: "dashboard" });
  const { ticket, path, follow } = await ticketOf(world, secret);
  const stream = await follow();
  await stream.body?.cancel();
  const refused = await fetch(`${world.host.url}/conversations?ticket=${ticket}`);
  const late = await fetch(`${world.host.url}${path}?ticket=${ticket}&after=999`);

  const told = [
    await refused.text(),
    await late.text(),
    JSON.stringify(await world.snapshot()),
    ...world.logged,
  ].join();
  expect(told).not.toContain(ticket);
  expect(told).not.toContain(ticket.slice("incipit_ticket_".length));
  const used = world.logged.filter((line) => line.includes(`"path":"${path}"`));
  expect(used).toHaveLength(2);
  for (const line of used) expect(line).toContain(`"by":"dashboard","tokenId":"${id}"`);
});

test("tickets of a token do not displace those of another", async () => {
  await using world = await TokenWorld.start();
  const [one, other] = [await world.make(["read"]), await world.make(["read"])];
  const { follow } = await ticketOf(world, one.secret);
  const body = { conversationId: (await world.client.call(routes.listConversations)).conversations[0]?.id };
  for (let count = 0; count < 150; count += 1) {
    const made = await world.ask("POST", "/tickets", { token: other.secret, body });
    expect(made.status).toBe(201);
    await made.body?.cancel();
  }
  const stream = await follow();

  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});

test("[token-scopes] a ticket requires the scope of its stream", async () => {
  await using world = await TokenWorld.start();
  const { secret } = await world.make(["converse", "prompt", "records", "admin"]);
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const refusal = await world.ask("POST", "/tickets", { token: secret, body: { conversationId: conversation.id } });

  expect(refusal.status).toBe(403);
  const own = await ticketOf(world, world.host.token);
  const stream = await own.follow();
  expect(stream.status).toBe(200);
  await stream.body?.cancel();
});
