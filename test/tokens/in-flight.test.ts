import { routes } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { connect, type Socket } from "node:net";
import * as z from "zod";
import { TokenWorld } from "./token-world.ts";

interface BegunRequest extends Disposable {
  readonly sendRest: () => void;
  readonly answer: Promise<string>;
}

async function begin(
  world: TokenWorld,
  { token, method, path, body }: { token: string; method: string; path: string; body: string },
): Promise<BegunRequest> {
  const { hostname, port, host } = new URL(world.host.url);
  const socket: Socket = connect(Number(port), hostname);
  const answer = new Promise<string>((resolve) => {
    let text = "";
    socket.on("data", (part: Buffer) => {
      text += part.toString();
      const [head, rest] = text.split("\r\n\r\n", 2);
      const length = /content-length: (\d+)/i.exec(head ?? "")?.[1];
      if (length !== undefined && (rest?.length ?? 0) >= Number(length)) resolve(text);
    });
    socket.on("error", () => resolve(text));
    socket.on("close", () => resolve(text));
  });
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.write(head + body.slice(0, 1), () => resolve()));
  return {
    sendRest: () => void socket.write(body.slice(1)),
    answer,
    [Symbol.dispose]: () => socket.destroy(),
  };
}

test("[attack:tokens-under-way] a request whose body arrives after its token's end has no effect", async () => {
  await using world = await TokenWorld.start();
  await world.fill();
  const { id, secret: token } = await world.make(["admin", "converse", "prompt", "read"]);
  const asked = [
    { method: "POST", path: "/tokens", body: JSON.stringify({ scopes: ["read"], days: 1 }) },
    { method: "POST", path: "/conversations", body: JSON.stringify({ title: "Begun before" }) },
    { method: "PUT", path: "/system-prompt", body: JSON.stringify({ template: "Changed" }) },
    {
      method: "POST",
      path: `/conversations/${world.conversationId}/turns`,
      body: JSON.stringify({ input: "Count on" }),
    },
    { method: "POST", path: "/conversations/import", body: "{}\n{}\n" },
  ];
  const begun = await Promise.all(asked.map((request) => begin(world, { token, ...request })));
  // Each was admitted: this response comes later.
  expect((await world.ask("GET", "/profiles", { token })).status).toBe(200);
  await world.client.call(routes.revokeToken, { params: { id } });
  const before = await world.snapshot();

  for (const { sendRest } of begun) sendRest();
  const answers = await Promise.all(begun.map(({ answer }) => answer));

  for (const answer of answers) expect(answer).toStartWith("HTTP/1.1 401 ");
  expect(await world.snapshot()).toEqual(before);
  for (const each of begun) each[Symbol.dispose]();
  const [first] = asked;
  if (first === undefined) return;
  using control = await begin(world, { token: world.host.token, ...first });
  control.sendRest();
  expect(await control.answer).toStartWith("HTTP/1.1 201 ");
}, 300_000);

test("[attack:tokens-under-way] a pending response is withheld once its token has ended, and its call aborted", async () => {
  await using world = await TokenWorld.start();
  const { id, secret: token } = await world.make(["converse"]);
  world.model.enqueue({ kind: "text", chunks: ["what nobody ", "may see"], gate: true });
  const chat = world.ask("POST", "/v1/chat/completions", { token, body: { prompt: "Count" } });
  await world.model.waitForRequests(1);

  await world.client.call(routes.revokeToken, { params: { id } });

  const refused = await chat;
  expect(refused.status).toBe(401);
  expect(refused.headers.get("www-authenticate")).toBe('Bearer error="invalid_token"');
  expect(await refused.text()).toContain("expired or was revoked");
  world.model.enqueueText("one");
  const control = await world.ask("POST", "/v1/chat/completions", {
    token: world.host.token,
    body: { prompt: "Count" },
  });
  expect(await control.text()).toContain("one");
}, 300_000);

test("a token that revokes itself or its parent gets a confirmation", async () => {
  await using world = await TokenWorld.start();
  const { id, secret: token } = await world.make(["admin"]);
  const made = await world.ask("POST", "/tokens", { token, body: { scopes: ["admin"], days: 1 } });
  const { secret } = z.object({ secret: z.string() }).parse(await made.json());

  const revoked = await world.ask("DELETE", `/tokens/${id}`, { token: secret });

  expect([revoked.status, await revoked.json()]).toMatchObject([200, { token: { id, state: "revoked" } }]);
  expect((await world.ask("GET", "/tokens", { token: secret })).status).toBe(401);
});
