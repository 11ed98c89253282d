import { tokenScopeSchema } from "@incipit/schema";
import { errorResponseSchema, routes, type Route, type RouteName } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import * as z from "zod";
import { TokenWorld } from "./token-world.ts";

const table = Object.entries<Route>(routes);

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
  // Destructive routes come last, so that the others find their resources.
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

/** Read routes without a resource in this world, or with one visible only to its token. */
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

test("[attack:tokens-read-changes] a read-only token changes nothing on any route", async () => {
  await using world = await TokenWorld.start();
  await world.fill();
  const { secret } = await world.make(["read"]);
  const before = await world.snapshot();

  const outcomes = await askEach(world, secret);

  expect(await world.snapshot()).toEqual(before);
  for (const [name, { access }] of table) {
    const { status, code } = outcomes.get(name) ?? { status: 0, code: "NOT_ASKED" };
    // A read route must have returned something to be tested: extend `TokenWorld.fill`.
    if (access === "read") expect([name, status < 300 || emptyHere.has(name)]).toEqual([name, true]);
    else if (access !== "open") expect([name, status, code]).toEqual([name, 403, "FORBIDDEN_SCOPE"]);
  }
  await askEach(world, world.host.token);
  expect(await world.snapshot()).not.toEqual(before);
}, 300_000);

test("[token-scopes] each scope opens exactly the routes that name it", async () => {
  await using world = await TokenWorld.start();
  const made = await Promise.all(
    tokenScopeSchema.options.map(async (scope) => [scope, (await world.make([scope])).secret] as const),
  );

  for (const [scope, token] of made) {
    for (const [name, { method, path, access, alsoNeeds }] of table) {
      const hasBody = method !== "GET" && method !== "DELETE";
      // To an unknown resource, so that nothing is changed.
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

test("[attack:tokens-replayed-record] a replay requires the scope of records besides converse", async () => {
  await using world = await TokenWorld.start();
  await world.fill();
  const path = world.pathOf(routes.replayStep);
  const replay = async (scopes: Parameters<TokenWorld["make"]>[0]): Promise<Response> => {
    const { secret: token } = await world.make(scopes);
    world.model.enqueueText("another answer");
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
  expect(await (await replay(["converse", "records"])).json()).toMatchObject({
    replay: { original: { parts: [{ text: "one" }] } },
  });
});

test("[token-scopes] a token with all scopes equals the host's own, except for browser sign-in", async () => {
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

test("[token-scopes] a rejection names the required scope, the token's scopes, and a fix", async () => {
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

test("[attack:tokens-grant-more] a token cannot create a broader or longer-lived one, or a sign-in", async () => {
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
  for (const body of [
    { scopes: ["converse", "read"], days: 1 },
    { scopes: ["read"], days: 11 },
  ])
    expect(await make(world.host.token, body)).toMatchObject({ token: { state: "active" } });
});

test("a token with no, duplicate or unknown scopes, no days or invalid name is rejected", async () => {
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
