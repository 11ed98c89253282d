import { tokenScopeSchema } from "@incipit/schema";
import { errorResponseSchema, routes, type Route, type RouteName } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { TokenWorld } from "./token-world.ts";

const table = Object.entries<Route>(routes);

/** What changes something where it is sent, for routes that want more than nothing. */
const bodies = (world: TokenWorld): Readonly<Partial<Record<RouteName, unknown>>> => ({
  setSystemPrompt: { template: "Changed" },
  createTurn: { input: "Changed" },
  createChatCompletion: { prompt: "Changed" },
  updateConversation: { title: "Changed" },
  createToken: { scopes: ["read"], days: 1 },
  createTicket: { conversationId: world.conversationId },
  restoreFiles: { from: world.messageId, paths: ["/changed"] },
});
const queries = (world: TokenWorld): Readonly<Partial<Record<RouteName, string>>> => ({
  searchConversations: "?q=count",
  listFileChanges: `?from=${world.messageId}`,
});

const refusalSchema = z.object({
  error: z.looseObject({
    code: z.string().nullish(),
    details: z.looseObject({ error_code: z.string().optional() }).optional().catch(undefined),
  }),
});

/** What one request came to; a stream is left, not read. */
async function outcomeOf(
  response: Response,
): Promise<{ readonly status: number; readonly code: string | undefined }> {
  const { status } = response;
  if (response.ok) {
    await response.body?.cancel();
    return { status, code: undefined };
  }
  const { error } = refusalSchema.parse(await response.json());
  const code = error.code ?? error.details?.error_code; // Anthropic's errors have it there.
  return { status, code: code?.toUpperCase() };
}

async function askEach(
  world: TokenWorld,
  token: string,
): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof outcomeOf>>>> {
  const bodyByName = new Map<string, unknown>(Object.entries(bodies(world)));
  const queryByName = new Map<string, string>(Object.entries(queries(world)));
  const outcomes = new Map<string, Awaited<ReturnType<typeof outcomeOf>>>();
  // What ends things comes last: the others still find what they ask for.
  for (const [name, route] of table.toSorted(
    ([, a], [, b]) => Number(a.method === "DELETE") - Number(b.method === "DELETE"),
  )) {
    const hasBody = route.method !== "GET" && route.method !== "DELETE";
    const body = bodyByName.get(name) ?? {};
    const path = `${world.pathOf(route)}${queryByName.get(name) ?? ""}`;
    outcomes.set(
      name,
      await outcomeOf(await world.ask(route.method, path, { token, ...(hasBody ? { body } : {}) })),
    );
  }
  return outcomes;
}

/** Read routes that have no such thing to show in this world, or show it to the token alone that has made it. */
const emptyHere: ReadonlySet<string> = new Set<RouteName>([
  "getToolOutput",
  "listChannelMessages",
  "listChannelPeople",
  "getResponse",
  "listResponseInput",
  "getClientConversation",
  "listClientItems",
  "getClientItem",
]);

test("[attack:tokens-read-changes] a token that may read changes nothing, tried on every route", async () => {
  await using world = await TokenWorld.start();
  await world.fill();
  const { secret } = await world.make(["read"]);
  const before = await world.snapshot();

  const outcomes = await askEach(world, secret);

  expect(await world.snapshot()).toEqual(before);
  for (const [name, { access }] of table) {
    const { status, code } = outcomes.get(name) ?? { status: 0, code: "NOT_ASKED" };
    // A route that only shows something must have shown it, or nothing was tried: give `TokenWorld.fill` what it asks for.
    if (access === "read") expect([name, status < 300 || emptyHere.has(name)]).toEqual([name, true]);
    else if (access !== "open") expect([name, status, code]).toEqual([name, 403, "FORBIDDEN_SCOPE"]);
  }
  // It bites: the same requests with the host's own token change much.
  await askEach(world, world.host.token);
  expect(await world.snapshot()).not.toEqual(before);
}, 300_000);

test("[token-scopes] each scope opens the routes that name it and no others", async () => {
  await using world = await TokenWorld.start();
  const made = await Promise.all(
    tokenScopeSchema.options.map(async (scope) => [scope, (await world.make([scope])).secret] as const),
  );

  for (const [scope, token] of made) {
    for (const [name, { method, path, access, alsoNeeds }] of table) {
      const hasBody = method !== "GET" && method !== "DELETE";
      // To nothing of that name, so that what may be changed is not.
      const url = path.replaceAll(/:\w+/g, "nothing-of-that-name");
      const outcome = await outcomeOf(await world.ask(method, url, { token, ...(hasBody ? { body: {} } : {}) }));
      const isRefused = outcome.code === "FORBIDDEN_SCOPE";
      expect([scope, name, isRefused]).toEqual([
        scope,
        name,
        (access !== "open" && access !== scope) || alsoNeeds !== undefined,
      ]);
      expect([scope, name, outcome.status === 401 && access !== "open"]).toEqual([scope, name, false]);
    }
  }
}, 300_000);

test("[attack:tokens-replayed-record] a replay shows what was recorded, so a token that may only converse gets none", async () => {
  await using world = await TokenWorld.start();
  await world.fill();
  const path = world.pathOf(routes.replayStep);
  const replay = async (scopes: Parameters<TokenWorld["make"]>[0]): Promise<Response> => {
    const { secret: token } = await world.make(scopes);
    world.model.enqueue({ kind: "text", chunks: ["another answer"] });
    return world.ask("POST", path, { token, body: { model: "local/test" } });
  };
  const before = world.model.requests.length;

  for (const [scopes, needs] of [
    [["converse"], "records"],
    [["records"], "converse"],
  ] as const) {
    const refusal = await replay([...scopes]);
    expect([refusal.status, await refusal.json()]).toMatchObject([
      403,
      { error: { code: "FORBIDDEN_SCOPE", details: { needs } } },
    ]);
  }
  expect(world.model.requests).toHaveLength(before);
  // It bites: with both, the recorded answer is shown.
  expect(await (await replay(["converse", "records"])).json()).toMatchObject({
    replay: { original: { parts: [{ text: "one" }] } },
  });
});

test("[token-scopes] a token with all scopes may do what the host's own may, but sign browsers in and out", async () => {
  await using world = await TokenWorld.start();
  const { secret: token } = await world.make([...tokenScopeSchema.options]);

  for (const [name, { method, path, access }] of table) {
    const url = path.replaceAll(/:\w+/g, "nothing-of-that-name");
    const hasBody = method !== "GET" && method !== "DELETE";
    const { code } = await outcomeOf(await world.ask(method, url, { token, ...(hasBody ? { body: {} } : {}) }));
    expect([name, code === "FORBIDDEN_SCOPE"]).toEqual([name, access === "owner"]);
  }
  const own = await world.ask("POST", "/session/links", { token: world.host.token });
  expect(own.status).toBe(201);
}, 300_000);

test("[token-scopes] what is refused says which scope it needs, what the token has, and what to do", async () => {
  await using world = await TokenWorld.start();
  const { secret: token } = await world.make(["records", "read"], { name: "dashboard" });
  const refusal = await world.ask("POST", "/conversations", { token, body: {} });
  const links = await world.ask("POST", "/session/links", { token });
  const chat = await world.ask("POST", "/v1/chat/completions", { token, body: { prompt: "Hi" } });

  expect(refusal.status).toBe(403);
  expect(refusal.headers.get("www-authenticate")).toBe('Bearer error="insufficient_scope", scope="converse"');
  expect(errorResponseSchema.parse(await refusal.json()).error).toEqual({
    code: "FORBIDDEN_SCOPE",
    message:
      'POST /conversations needs a token with the scope "converse"; this one ("dashboard") has "read", "records"; make another one: incipit token new --scope read,converse,records --days 30',
    details: { needs: "converse", has: ["read", "records"] },
  });
  expect(errorResponseSchema.parse(await links.json()).error.message).toContain("the host's own token alone");
  expect(await chat.json()).toMatchObject({ error: { code: "forbidden_scope", type: "invalid_request_error" } });
});

test("[attack:tokens-grant-more] a token makes none that may do more, or lives longer, and no way to sign in", async () => {
  await using world = await TokenWorld.start();
  const { secret: token } = await world.make(["admin", "read"], { days: 10 });
  const make = async (by: string, body: unknown): Promise<unknown> =>
    (await world.ask("POST", "/tokens", { token: by, body })).json();

  expect(await make(token, { scopes: ["converse", "read"], days: 1 })).toMatchObject({
    error: { code: "FORBIDDEN_SCOPE", details: { needs: ["converse"], has: ["admin", "read"] } },
  });
  expect(await make(token, { scopes: ["read"], days: 11 })).toMatchObject({ error: { code: "FORBIDDEN_SCOPE" } });
  expect((await world.ask("POST", "/session/links", { token })).status).toBe(403);
  expect(await make(token, { scopes: ["read"], days: 9 })).toMatchObject({ token: { scopes: ["read"] } });
  // It bites: with the host's own token each of them works.
  for (const body of [
    { scopes: ["converse", "read"], days: 1 },
    { scopes: ["read"], days: 11 },
  ])
    expect(await make(world.host.token, body)).toMatchObject({ token: { state: "active" } });
});

test("tokens are refused that have no scope, one twice, an unknown one, no days, or a name of two lines", async () => {
  await using world = await TokenWorld.start();
  for (const body of [
    {},
    { scopes: [], days: 1 },
    { scopes: ["read", "read"], days: 1 },
    { scopes: ["write"], days: 1 },
    { scopes: ["owner"], days: 1 },
    { scopes: ["read"] },
    ...[0, -1, 1.5, 3_651, "1"].map((days) => ({ scopes: ["read"], days })),
    { scopes: ["read"], days: 1, name: "two\nlines" },
    { scopes: ["read"], days: 1, name: "" },
    { scopes: ["read"], days: 1, more: true },
  ]) {
    const response = await world.ask("POST", "/tokens", { token: world.host.token, body });
    expect([body, response.status]).toEqual([body, 400]);
  }
  expect((await world.client.call(routes.listTokens)).tokens).toEqual([]);
});
