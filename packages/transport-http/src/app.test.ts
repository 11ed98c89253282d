import { defineExtension, type ServiceReference } from "@incipit/kernel";
import { apiErrorCodeSchema, DEFAULT_TEMPLATE, staticVariables } from "@incipit/schema";
import { ServiceError, storageReportHandle } from "@incipit/service-contract";
import { FakeClock } from "@incipit/testkit";
import {
  anthropicErrorResponseSchema,
  openAiErrorOf,
  openAiErrorResponseSchema,
  routes,
  type Route,
} from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { createApp } from "./app.ts";
import { serviceReferences, type Services } from "./context/services.ts";
import { HeldConversations } from "./client-conversations/held-conversations.ts";
import { BackgroundResponses } from "./responses/background-responses.ts";
import { PageSessions } from "./request/page-sessions.ts";
import { errorAnswer } from "./answer/error-answer.ts";
import { errorOf, startApi, token } from "./testing/start-api.ts";
import { FakeConversations, turnId, unknownId } from "./testing/fake-conversations.ts";

const table = Object.entries<Route>(routes);
const paths = table.map(([, { method, path }]) => ({ method, path: path.replaceAll(/:\w+/g, unknownId) }));
const port = 4_140;

function absent<Service>(): ServiceReference<Service> {
  return {
    current: undefined,
    get: () => {
      throw new Error("Nobody provides it");
    },
    onChange: () => () => {},
  };
}

function appAlone({
  systemPrompt,
  ...settings
}: {
  readonly systemPrompt?: string;
  readonly allowedHosts?: string[];
  readonly allowedOrigins?: string[];
} = {}): ReturnType<typeof createApp> {
  const ignore = (): void => {};
  const services: Services = {
    id: "transport-http",
    settings: {
      token,
      version: "1.2.3",
      allowedHosts: [],
      allowedOrigins: [],
      ...settings,
    },
    defaults: {
      model: "offline/echo",
      cwd: "/",
      promptRefresh: "compaction",
      profiles: [],
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    },
    port: () => port,
    signals: [],
    waitUntil: () => {},
    clock: new FakeClock(),
    log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
    ...serviceReferences({
      getService: absent,
      contributions: () => ({ current: [], onChange: () => () => {} }),
    }),
  };
  return createApp(services, {
    sessions: new PageSessions({ token, port: () => port, clock: services.clock }),
    background: new BackgroundResponses(services, absent()),
    conversations: new HeldConversations(services, absent()),
  });
}

const authorized = { authorization: `Bearer ${token}`, host: `127.0.0.1:${port}` };

async function refusalOf(path: string, response: Response | Promise<Response>): Promise<readonly [number, string]> {
  const received = await response;
  if (!path.startsWith("/v1/")) {
    const { status, code } = await errorOf(received);
    return [status, code];
  }
  if (path.startsWith("/v1/messages")) {
    const { error } = anthropicErrorResponseSchema.parse(await received.json());
    return [received.status, error.details.error_code.toUpperCase()];
  }
  const { error } = openAiErrorResponseSchema.parse(await received.json());
  const code = apiErrorCodeSchema.options.find((known) => openAiErrorOf(known, "").error.code === error.code);
  return [received.status, code ?? `${error.code} is no code of the API`];
}

test("createApp serves exactly the routes of the table", () => {
  const served = appAlone()
    .routes.filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(/\{\.\+\}$/, "")}`);

  expect(served.toSorted()).toEqual(table.map(([, { method, path }]) => `${method} ${path}`).toSorted());
});

test("createApp rejects a foreign Host or Origin on every route, with or without a token", async () => {
  const app = appAlone({ allowedHosts: ["Incipit.example", "other.example:8443"] });
  const ask = (path: string, method: string, headers: Readonly<Record<string, string>>): Promise<Response> =>
    Promise.resolve(app.request(path, { method, headers }));

  for (const { method, path } of [...paths, { method: "GET", path: "/nothing" }]) {
    for (const host of [
      "evil.example",
      `evil.example:${port}`,
      "127.0.0.1:4141",
      "localhost",
      "",
      "other.example",
    ]) {
      const headers = { ...authorized, host };
      expect(await refusalOf(path, ask(path, method, headers))).toEqual([403, "FORBIDDEN_HOST"]);
    }
    for (const origin of ["http://evil.example", "http://127.0.0.1:4141", `http://localhost:${port}`, "null", ""]) {
      const headers = { ...authorized, origin };
      expect(await refusalOf(path, ask(path, method, headers))).toEqual([403, "FORBIDDEN_ORIGIN"]);
    }
  }
  for (const host of [
    `localhost:${port}`,
    `LOCALHOST:${port}`,
    `[::1]:${port}`,
    "incipit.example:1",
    "other.example:8443",
  ]) {
    for (const origin of [`http://${host}`, `https://${host}`])
      expect((await ask("/health", "GET", { host, origin })).status).toBe(200);
  }
});

test("createApp requires the token on every route except health, OpenAPI and sign-in", async () => {
  const app = appAlone();
  const { host } = authorized;

  for (const { method, path } of [...paths, { method: "GET", path: "/nothing" }]) {
    if (["/health", "/openapi.json"].includes(path) || (path === "/session" && method === "POST")) continue;
    for (const authorization of [undefined, "", "Bearer", "Bearer ", `Basic ${token}`, `Bearer ${token}x`, token]) {
      const headers = { host, ...(authorization === undefined ? {} : { authorization }) };
      const refusal = await app.request(path, { method, headers });
      expect(refusal.headers.get("www-authenticate")).toBe("Bearer");
      expect(await refusalOf(path, refusal)).toEqual([401, "UNAUTHORIZED"]);
    }
  }
  expect((await app.request("/health", { headers: { host } })).status).toBe(200);
  expect((await app.request("/openapi.json", { headers: { host } })).status).toBe(200);
  expect((await app.request("/models", { headers: { host, authorization: `bearer ${token}` } })).status).toBe(200);
});

test("createApp answers allowed origins, also with errors, and without credentials", async () => {
  const app = appAlone({ allowedOrigins: ["https://app.example"] });
  const origin = "https://app.example";
  const { host } = authorized;
  const preflight = await app.request("/conversations", {
    method: "OPTIONS",
    headers: {
      host,
      origin,
      "access-control-request-method": "POST",
      "access-control-request-private-network": "true",
    },
  });
  const refused = await app.request("/conversations", { headers: { host, origin } });
  const stranger = await app.request("/conversations", {
    headers: { ...authorized, origin: "https://evil.example" },
  });

  expect(preflight.status).toBe(204);
  expect(preflight.headers.get("access-control-allow-headers")).toContain("idempotency-key");
  expect(preflight.headers.get("access-control-allow-private-network")).toBe("true");
  expect(refused.status).toBe(401);
  expect(refused.headers.get("access-control-expose-headers")).toContain("etag");
  for (const { headers } of [preflight, refused]) {
    expect(headers.get("access-control-allow-origin")).toBe(origin);
    expect(headers.get("access-control-allow-credentials")).toBeNull();
    expect(headers.get("vary")).toBe("origin");
  }
  expect(await errorOf(stranger)).toMatchObject({ status: 403, code: "FORBIDDEN_ORIGIN" });
  expect(stranger.headers.get("access-control-allow-origin")).toBeNull();
});

test("createApp distinguishes an unknown route from a wrong method", async () => {
  const app = appAlone();

  const wrongMethod = await app.request("/system-prompt", { method: "PATCH", headers: authorized });

  expect(wrongMethod.headers.get("allow")).toBe("GET, PUT, DELETE");
  expect(await errorOf(wrongMethod)).toMatchObject({ status: 405, code: "METHOD_NOT_ALLOWED" });
  for (const path of ["/nothing", "/health/", "/conversations/", "//", "/%zz"]) {
    const answer = app.request(path, { headers: authorized });
    expect(await errorOf(await answer)).toMatchObject({ status: 404, code: "ROUTE_UNKNOWN" });
  }
});

test("createApp without a prompt builder returns the default template, and rejects changes", async () => {
  const get = async (app: ReturnType<typeof createApp>, path: string): Promise<unknown> =>
    (await app.request(path, { headers: authorized })).json();
  const put = { method: "PUT", headers: authorized, body: '{"template":"x"}' };

  const unkept = { version: null, etag: null };
  expect(await get(appAlone(), "/system-prompt")).toEqual({
    template: DEFAULT_TEMPLATE,
    source: "default",
    ...unkept,
  });
  expect(await get(appAlone({ systemPrompt: "" }), "/system-prompt")).toMatchObject({
    template: "",
    source: "config",
  });
  expect(await get(appAlone(), "/system-prompt/variables")).toEqual({ variables: staticVariables });
  for (const [path, init] of [
    ["/system-prompt", put],
    ["/system-prompt", { method: "DELETE", headers: authorized }],
    ["/system-prompt/versions", { headers: authorized }],
    ["/system-prompt/versions/1", { headers: authorized }],
    ["/system-prompt/versions/1/diff", { headers: authorized }],
    ["/system-prompt/versions/1/restore", { method: "POST", headers: authorized }],
    ["/system-prompt/preview", { method: "POST", headers: authorized, body: "{}" }],
  ] as const) {
    const refusal = await errorOf(await appAlone().request(path, init));
    expect(refusal).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
    expect(refusal.message).toContain("prompt builder");
  }
});

test("createApp without conversations returns 503 and names the missing service", async () => {
  for (const path of ["/conversations", `/conversations/${turnId}`, `/conversations/${turnId}/events`]) {
    const refusal = await errorOf(await appAlone().request(path, { headers: authorized }));
    expect(refusal).toMatchObject({ status: 503, code: "SERVICE_UNAVAILABLE" });
    expect(refusal.message).toContain("session orchestrator");
  }
});

test("the API rejects a body over 8 MiB in its own format, with or without content-length", async () => {
  await using api = await startApi({ conversations: new FakeConversations() });
  let sent = 0;
  const chunked = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (sent === 40) return controller.close();
      sent += 1;
      controller.enqueue(new Uint8Array(1_048_576).fill(0x20));
    },
  });

  for (const body of [chunked, new Uint8Array(9 * 1_048_576), new Uint8Array(20 * 1_048_576)]) {
    const refusal = await errorOf(api.fetch("/conversations", { method: "POST", body }));
    expect(refusal).toMatchObject({ status: 413, code: "BODY_TOO_LARGE" });
  }
});

test("the API hides unexpected errors, and logs them with the route but without the token", async () => {
  const conversations = new FakeConversations();
  conversations.compactWith = async () => {
    throw new Error("secret inside");
  };
  await using api = await startApi({ conversations });
  const path = `/conversations/${conversations.id}/compact`;

  const refusal = await errorOf(api.fetch(`${path}?x=1`, { method: "POST" }));

  expect(refusal).toMatchObject({ status: 500, code: "INTERNAL" });
  expect(JSON.stringify(refusal)).not.toContain("secret inside");
  expect(api.logged).toMatchObject([{ message: "A request failed", fields: { method: "POST", path } }]);
  expect(JSON.stringify(api.logged)).toContain("secret inside");
  expect(JSON.stringify(api.logged)).not.toContain(token);
});

test("the API returns a service's error with its status, and rejects unknown codes", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const compact = async (error: unknown): Promise<unknown> => {
    conversations.compactWith = async () => {
      throw error;
    };
    return errorOf(api.fetch(`/conversations/${conversations.id}/compact`, { method: "POST" }));
  };

  expect(await compact(new ServiceError("CONVERSATION_BUSY", "Wait", { details: { turnId } }))).toMatchObject({
    status: 409,
    code: "CONVERSATION_BUSY",
    message: "Wait",
    details: { turnId },
  });
  const foreign = Object.assign(new ServiceError("INTERNAL", "From another version"), { code: "NEVER_HEARD_OF" });
  expect(await compact(foreign)).toMatchObject({ status: 500, code: "INTERNAL" });
});

test("the API times out after 240 s and aborts the work", async () => {
  const conversations = new FakeConversations();
  const asked = Promise.withResolvers<AbortSignal | undefined>();
  conversations.compactWith = (signal) => {
    asked.resolve(signal);
    return new Promise(() => {});
  };
  await using api = await startApi({ conversations });

  const refusal = errorOf(api.fetch(`/conversations/${conversations.id}/compact`, { method: "POST" }));
  const signal = await asked.promise;
  await api.clock.advance(240_000);

  expect(await refusal).toMatchObject({ status: 504, code: "TIMEOUT" });
  expect(signal?.aborted).toBe(true);
});

test("[attack:machine-health-names] health discloses no names without a token", async () => {
  await using api = await startApi();
  const storage = defineExtension(
    { id: "acme.storage", version: "1.0.0", api: "^1", provides: ["storage-report@1"] },
    (host) =>
      host.provideService(storageReportHandle, {
        damage: async () => undefined,
        writeFailure: async () => undefined,
        setAside: async () => [{ path: "/home/ann/x.damaged", reason: "not a database" }],
      }),
  );
  await api.kernel.add([{ extension: storage }]);

  const told: unknown = await (await fetch(`${api.url}/health`)).json();
  const wrong = await (await fetch(`${api.url}/health`, { headers: { authorization: "Bearer x" } })).text();
  const control = await (await api.fetch("/health")).text();

  expect(told).toEqual({
    status: "degraded",
    version: "1.2.3",
    problems: ["The host reports problems; send the token to see them"],
  });
  expect(wrong).not.toContain("/home/ann");
  expect(control).toContain("/home/ann/x.damaged"); // Control.
});

test("the API reports degraded health with its causes: extensions, a failed write, data set aside", async () => {
  await using api = await startApi();
  expect(await (await fetch(`${api.url}/health`)).json()).toEqual({ status: "ok", version: "1.2.3", problems: [] });
  const manifest = { version: "1.0.0", api: "^1" };
  const broken = defineExtension({ id: "acme.broken", ...manifest }, () => {
    throw new Error("no luck");
  });
  const waiting = defineExtension(
    { id: "acme.waiting", ...manifest, dependsOn: { required: ["acme.missing@1"] } },
    () => {},
  );
  const storage = defineExtension({ id: "acme.storage", ...manifest, provides: ["storage-report@1"] }, (host) =>
    host.provideService(storageReportHandle, {
      damage: async () => "an unreadable page",
      writeFailure: async () => ({ reason: "the disk is full", at: "2026-01-02T03:04:05.678Z" }),
      setAside: async () => [{ path: "/data/x.damaged", reason: "not a database" }],
    }),
  );
  await api.kernel.add([broken, waiting, storage].map((extension) => ({ extension })));

  const health: unknown = await (await api.fetch("/health")).json();

  expect(health).toMatchObject({ status: "degraded" });
  for (const fact of [
    "acme.broken",
    "no luck",
    "acme.waiting",
    "acme.missing@1",
    "/data/x.damaged",
    "not a database",
    "an unreadable page",
    "the disk is full",
    "2026-01-02T03:04:05.678Z",
  ])
    expect(JSON.stringify(health)).toContain(fact);
});

test("the API loads and unloads extensions, rejects unknown ids, and does not unload itself", async () => {
  await using api = await startApi({ conversations: new FakeConversations() });
  const params = { id: "acme.conversations" };

  expect((await api.client.call(routes.unloadExtension, { params })).extension.phase).toBe("stopped");
  expect(await errorOf(api.fetch("/conversations"))).toMatchObject({ status: 503 });
  expect((await api.client.call(routes.loadExtension, { params })).extension.phase).toBe("active");
  expect((await api.fetch("/conversations")).status).toBe(200);
  expect(await errorOf(api.fetch("/extensions/nobody/load", { method: "POST" }))).toMatchObject({ status: 404 });
  expect(await errorOf(api.fetch("/extensions/transport-http/unload", { method: "POST" }))).toMatchObject({
    status: 409,
    code: "EXTENSION_REFUSED",
  });
});

test("[attack:bounds-nul-ids] the API rejects ids with a NUL in every path", async () => {
  await using api = await startApi({ conversations: new FakeConversations() });
  const withIds = table.filter(([, { path }]) => path.includes(":"));

  for (const [, { method, path }] of withIds) {
    const last = path.lastIndexOf(":");
    const ask = (id: string): Promise<Response> =>
      api.fetch(`${path.slice(0, last).replaceAll(/:\w+/g, unknownId)}${path.slice(last).replace(/:\w+/, id)}`, {
        method,
        ...(method === "GET" ? {} : { body: "{}" }),
      });
    for (const id of ["%00", "a%00b"]) {
      const [status] = await refusalOf(path, ask(id));
      expect([method, path, [400, 404, 503].includes(status)]).toEqual([method, path, true]);
    }
    const control = await ask(unknownId);
    expect(await control.text()).not.toContain("NUL");
  }
  const refusal = await errorOf(api.fetch(`/conversations/${unknownId}/steps/a%00b/request`));
  expect(refusal).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
  expect(refusal.message).toContain('"a\\u0000b" in the path contains a NUL');
});

test("the API passes page size and cursor, and rejects an invalid size", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const cursor = "01a1fcd7-5c9a-7556-afda-76769002c75c";

  const { nextCursor } = await api.client.call(routes.listConversations, { query: { cursor, limit: 7 } });

  expect(nextCursor).toBe("next");
  await api.client.call(routes.listConversations, { query: { status: "asking", model: "a/b", archived: "all" } });
  expect(conversations.calls).toEqual([
    ["list", { archived: "false", cursor, limit: 7 }],
    ["list", { archived: "all", status: "asking", model: "a/b", limit: 100 }],
  ]);
  for (const query of ["status=failed", "model=", "model=a%0Ab"])
    expect(await errorOf(api.fetch(`/conversations?${query}`))).toMatchObject({
      status: 400,
      code: "INVALID_REQUEST",
    });
  for (const limit of ["0", "1001", "1.5", "x", "-1"]) {
    const refusal = await errorOf(api.fetch(`/conversations?limit=${limit}`));
    expect(refusal).toMatchObject({ status: 400, code: "INVALID_REQUEST" });
    expect(refusal.message).toContain('"limit"');
  }
});

test("the API lists profiles with problems of their models, and extensions with denied requests", async () => {
  const refused = defineExtension({ id: "acme.refused", version: "1.0.0", api: "^1" }, async (host) => {
    await host.spawn.run("sh", [], { cwd: "/", timeoutMs: 1, maxOutputBytes: 1 }).catch(() => undefined);
  });
  const profiles = [
    { name: "plain", systemPrompt: "plain" },
    { name: "other", model: "nobody/x" },
  ];
  await using api = await startApi({ defaults: { profiles }, extensions: [refused] });

  const listed = await api.client.call(routes.listProfiles);
  const { extensions } = await api.client.call(routes.listExtensions);

  expect(listed.profiles).toEqual([
    {
      name: "plain",
      description: null,
      model: null,
      hasSystemPrompt: true,
      problem: 'unknown provider "offline"',
      source: { tier: "configuration", path: null, line: null },
      shadowed: [],
      warnings: [],
    },
    expect.objectContaining({
      name: "other",
      model: "nobody/x",
      hasSystemPrompt: false,
      problem: 'unknown provider "nobody"',
    }),
  ]);
  const found = extensions.find(({ id }) => id === "acme.refused");
  expect(found?.refusals.count).toBe(1);
  expect(found?.refusals.latest).toMatchObject([
    { message: expect.stringContaining("Cannot spawn"), at: new Date(api.clock.now()).toISOString() },
  ]);
});

test("the API rejects invalid template versions, approval ids and turn ids", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const { id } = conversations;
  const ask = (path: string, method = "GET"): ReturnType<typeof errorOf> =>
    errorOf(api.fetch(path, method === "POST" ? { method, body: '{"decision":"deny"}' } : { method }));

  expect(await ask(`/conversations/${id}/approvals/x`, "POST")).toMatchObject({
    status: 404,
    code: "APPROVAL_UNKNOWN",
  });
  expect(await ask(`/conversations/${id}/queue/x`, "DELETE")).toMatchObject({ code: "TURN_NOT_QUEUED" });
});

test("[attack:bounds-repeated-input] errors quote a bounded amount of client input", async () => {
  const conversations = new FakeConversations();
  await using api = await startApi({ conversations });
  const long = "q".repeat(1_000_000);
  const post = async (path: string, body: object): Promise<string> =>
    (await api.fetch(path, { method: "POST", body: JSON.stringify(body) })).text();

  const answers = [
    await post("/conversations", { [long]: 1 }),
    await post("/conversations", { model: long }),
    await post("/v1/chat/completions", { prompt: "Hi", [long]: 1 }),
    await post("/v1/chat/completions", { prompt: "Hi", model: long }),
    await post("/system-prompt/preview", { profile: long }),
    await (await api.fetch(`/${long.slice(0, 10_000)}`)).text(),
    await (await api.fetch(`/conversations/${long.slice(0, 10_000)}`)).text(),
  ];
  const thrown = errorAnswer("MODEL_UNKNOWN", `Cannot use "${long}": write PROVIDER/MODEL`, { field: [long] });
  const error: unknown = await thrown.json();

  for (const answer of answers) expect(answer.length).toBeLessThan(10_000);
  expect(JSON.stringify(error).length).toBeLessThan(10_000);
  expect(JSON.stringify(error)).toContain('Cannot use \\"qqq');
  expect(JSON.stringify(error)).toContain("characters omitted) …qqq");
  expect(JSON.stringify(error)).toContain(': write PROVIDER/MODEL"');
  expect(await post("/conversations", { [long.slice(0, 100)]: 1 })).toContain(`\\"${long.slice(0, 100)}\\"`);
});
