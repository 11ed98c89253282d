/** Sends a browser's requests for this folder's page to a host, and checks which are rejected. */
import { createClient } from "@incipit/client";
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder } from "@incipit/testkit";
import assert from "node:assert/strict";
import { join } from "node:path";

const origin = "http://localhost:5173";
await using folder = await createTempFolder();
await using host = await createHost({
  config: parseConfig(`listen.port = 0\nlisten.allowed_origins = ["${origin}"]\n`, "incipit.toml"),
  dataFolder: folder.path,
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});

/** Like a page of that origin. */
const from =
  (page: string) =>
  (url: string, init: RequestInit): Promise<Response> =>
    fetch(url, { ...init, headers: { ...Object.fromEntries(new Headers(init.headers)), origin: page } });

const preflight = await from(origin)(`${host.url}/conversations`, {
  method: "OPTIONS",
  headers: { "access-control-request-method": "POST", "access-control-request-headers": "authorization" },
});
assert.equal(preflight.status, 204);
assert.equal(preflight.headers.get("access-control-allow-origin"), origin);
assert.equal(preflight.headers.get("access-control-allow-credentials"), null);

// A limited token for the page: it may read and converse, and expires.
const { url } = host;
const { secret: token } = await createClient(host).call("POST /tokens", {
  body: { scopes: ["read", "converse"], days: 1 },
});
const client = createClient({ url, token, fetch: from(origin) });
const { conversation } = await client.call("POST /conversations", { body: {} });
let reply = "";
for await (const event of client.sendTurn(conversation.id, { input: "What were you told?" }))
  if (event.type === "text-end") reply += event.text;
assert.ok(reply.includes("You said: What were you told?"), reply);

await assert.rejects(client.call("GET /tokens"), { code: "FORBIDDEN_SCOPE" });

// A ticket opens the event stream without a token, for a browser's EventSource.
const { ticket } = await client.call("POST /tickets", { body: { conversationId: conversation.id } });
const events = await from(origin)(`${url}/conversations/${conversation.id}/events?after=0&ticket=${ticket}`, {});
assert.equal(events.status, 200);
assert.equal(events.headers.get("access-control-allow-origin"), origin);
await events.body?.cancel();

// Other origins are rejected.
const stranger = createClient({ url, token, fetch: from("https://evil.example") });
await assert.rejects(stranger.call("GET /conversations"), { code: "FORBIDDEN_ORIGIN" });

// The pages compile for a browser.
const pages = ["index.html", "event-source.html"].map((name) => join(import.meta.dir, name));
const { outputs } = await Bun.build({ entrypoints: pages, target: "browser" });
assert.equal(outputs.filter(({ path }) => path.endsWith(".html")).length, 2);

process.stdout.write(`16-frontend: ${reply.split("\n", 1)[0]}\n`);
