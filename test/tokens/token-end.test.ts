import { errorResponseSchema, routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { endOf } from "./stream-end.ts";
import { TokenWorld } from "./token-world.ts";

async function messageOf(response: Response): Promise<string> {
  expect(response.status).toBe(401);
  expect(response.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  return errorResponseSchema.parse(await response.json()).error.message;
}

test("[attack:tokens-after-end] a revoked token is rejected with its own message, and its streams end", async () => {
  await using world = await TokenWorld.start();
  await world.fill();
  const { conversations } = await world.client.call(routes.listConversations);
  const path = `/conversations/${conversations[0]?.id}`;
  const { id, secret: token } = await world.make(["read", "converse", "records"], { name: "laptop" });
  const other = await world.make(["read"]);
  world.model.enqueue({ kind: "text", chunks: ["three", "four"], gate: true });
  const follower = endOf(await world.ask("GET", `${path}/events`, { token }));
  const followerOfOther = await world.ask("GET", `${path}/events`, { token: other.secret });
  const turn = endOf(await world.ask("POST", `${path}/turns`, { token, body: { input: "Count on" } }));
  await world.model.waitForRequests(3);
  world.model.enqueue({ kind: "text", chunks: ["five", "six"], gate: true });
  const chat = endOf(
    await world.ask("POST", "/v1/chat/completions", { token, body: { prompt: "Count", stream: true } }),
  );
  await world.model.waitForRequests(4);

  expect((await world.ask("GET", path, { token })).status).toBe(200);
  const revoked = await world.client.call(routes.revokeToken, { params: { id } });

  expect(revoked.token.state).toBe("revoked");
  expect(await messageOf(await world.ask("GET", path, { token }))).toBe(
    `This token was revoked on ${revoked.token.revokedAt}; make another with: incipit token new`,
  );
  expect((await follower).end).toBe("cut");
  expect((await turn).end).toBe("cut");
  const { text, end } = await chat;
  expect(end).toBe("closed");
  expect(text.trimEnd().split("\n\n").at(-1)).toContain('"code":"invalid_api_key"');
  // The turn continues, and other clients see its end.
  for (let count = 0; count < 12; count += 1) world.model.release();
  const reader = followerOfOther.body?.getReader();
  let seen = "";
  while (!seen.includes('"turn-end"')) seen += new TextDecoder().decode((await reader?.read())?.value);
  expect(seen).toContain('"status":"completed"');
  await reader?.cancel();
}, 300_000);

const fileSchema = z.object({ owner: z.string(), tokens: z.array(z.looseObject({ endsAt: z.string() })) });

test("[attack:tokens-after-end] an expired token is rejected, also in an open stream", async () => {
  await using world = await TokenWorld.start();
  await world.fill();
  const { conversations } = await world.client.call(routes.listConversations);
  const path = `/conversations/${conversations[0]?.id}`;
  const { secret: token } = await world.make(["read"]);
  await world.stopHost();
  const file = fileSchema.parse(await Bun.file(world.tokenFile).json());
  // Must be valid once the host is back, however long the start takes.
  const startsAt = performance.now();
  await world.startHost();
  const startMs = performance.now() - startsAt;
  await world.stopHost();
  const endsAt = new Date(Date.now() + 4_000 + 10 * startMs).toISOString();
  await Bun.write(
    world.tokenFile,
    JSON.stringify({ ...file, tokens: file.tokens.map((each) => ({ ...each, endsAt })) }),
  );
  await world.startHost();
  const follower = await world.ask("GET", `${path}/events`, { token });

  expect(follower.status).toBe(200);
  expect((await endOf(follower)).end).toBe("cut");
  expect(await messageOf(await world.ask("GET", path, { token }))).toBe(
    `This token ended on ${endsAt}; make another with: incipit token new`,
  );
}, 300_000);

test("[token-scopes] a token survives a restart of the host and a swap of its API", async () => {
  await using world = await TokenWorld.start();
  const { id, secret: token } = await world.make(["read"]);
  await world.stopHost();
  await world.startHost();

  expect((await world.ask("GET", "/models", { token })).status).toBe(200);
  await world.client.call(routes.swapExtension, { params: { id: "transport-http" }, body: {} });
  expect((await world.ask("GET", "/models", { token })).status).toBe(200);
  await world.client.call(routes.revokeToken, { params: { id } });
  expect((await world.ask("GET", "/models", { token })).status).toBe(401);
}, 300_000);

test("[attack:tokens-after-end] a stream on an older generation of the API ends with its token", async () => {
  await using world = await TokenWorld.start();
  const { conversation } = await world.client.call(routes.createConversation, { body: {} });
  const { id, secret: token } = await world.make(["converse"]);
  world.model.enqueue({ kind: "text", chunks: ["one"], gate: true });
  const path = `/conversations/${conversation.id}/turns`;
  const turn = await world.ask("POST", path, { token, body: { input: "Count" } });
  await world.model.waitForRequests(1);
  const swap = world.client.call(routes.swapExtension, { params: { id: "transport-http" }, body: {} });
  let generation = 1;
  while (generation === 1) {
    const { extensions } = await world.client.call(routes.listExtensions);
    generation = extensions.find((extension) => extension.id === "transport-http")?.generation ?? 0;
  }

  await world.client.call(routes.revokeToken, { params: { id } });

  expect((await endOf(turn)).end).toBe("cut");
  expect((await swap).outcome).toBe("swapped"); // It had waited for the stream.
  world.model.releaseAll();
}, 300_000);

test("[attack:tokens-in-log] the log identifies each request's token without its secret", async () => {
  await using world = await TokenWorld.start();
  const { id, secret: token } = await world.make(["read"], { name: "laptop" });
  await world.ask("GET", "/models?x=1", { token });
  await world.ask("POST", "/conversations", { token, body: { title: token } });
  await world.ask("GET", "/models", { token: world.host.token });
  await world.client.call(routes.revokeToken, { params: { id } });
  await world.ask("GET", "/models", { token });

  const log = world.logged.join("");
  const used = world.logged.filter((line) => line.includes("Requested with a token"));
  const facts = used.map((line) =>
    z.record(z.string(), z.unknown()).parse(JSON.parse(line.slice(line.indexOf("{")))),
  );

  expect(facts).toEqual([
    { method: "GET", path: "/models", status: 200, by: "laptop", tokenId: id },
    { method: "POST", path: "/conversations", status: 403, by: "laptop", tokenId: id },
    { method: "GET", path: "/models", status: 401, by: "laptop", tokenId: id },
  ]);
  expect(log).not.toContain(token);
  expect(log).not.toContain(token.slice("incipit_".length));
});

test("[token-scopes] a thousand requests read no file, and a revocation applies to the next one", async () => {
  await using world = await TokenWorld.start();
  const { id, secret: token } = await world.make(["read"]);
  await world.ask("GET", "/profiles", { token });
  await Bun.file(world.tokenFile).delete(); // A read would find no file.
  for (let round = 0; round < 20; round += 1) {
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => {
        const response = await world.ask("GET", "/profiles", { token });
        await response.body?.cancel();
        return response.status;
      }),
    );
    expect(new Set(statuses)).toEqual(new Set([200]));
  }
  await world.client.call(routes.revokeToken, { params: { id } });

  expect((await world.ask("GET", "/profiles", { token })).status).toBe(401);
}, 300_000);
