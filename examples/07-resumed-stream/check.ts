/** A page follows a conversation; its connection is cut during a reply, and it neither misses nor repeats an event. */
import { createHost, parseConfig } from "@incipit/host-bin";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { EventSource } from "eventsource";
import assert from "node:assert/strict";
import { join } from "node:path";
import { Transcript } from "./transcript.ts";

await using folder = await createTempFolder();
await using model = await startRecordingModelServer();
const settings = `model = "local/test-model"
listen.port = 0
providers.local = { kind = "openai-compatible", base_url = "${model.url}" }`;
await using host = await createHost({
  config: parseConfig(settings, "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});
const client = createClient(host);
const { conversation } = await client.call(routes.createConversation, { body: {} });
const { id } = conversation;

/** Last event id of each connection, in order; `null` for the first. */
const resumedAfter: (string | null)[] = [];
// The host's own page needs no custom `fetch`: its cookie is sent automatically.
const source = new EventSource(`${host.url}/conversations/${id}/events?after=0`, {
  fetch: (url, init) => {
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${host.token}`);
    resumedAfter.push(headers.get("last-event-id"));
    return fetch(url, { ...init, headers });
  },
});
let changed = Promise.withResolvers<void>();
const transcript = new Transcript(source, () => {
  changed.resolve();
  changed = Promise.withResolvers();
});
const until = async (isDone: () => boolean): Promise<void> => {
  while (!isDone()) await changed.promise;
};
const texts = (): readonly string[] => [...transcript.turns.values()];

model.enqueue({ kind: "text", chunks: ["One, ", "two, ", "three."], gate: true });
const turn = Array.fromAsync(client.sendTurn(id, { input: "Count" }));
model.release();
await until(() => texts().some((text) => text.startsWith("One, ")));

// Swapping the API disconnects followers, which reconnect with their last event id.
const swapped = client.call(routes.swapExtension, { params: { id: "transport-http" }, body: {} });
for (let count = 0; count < 10; count += 1) model.release();
await Promise.all([turn, swapped]);
await until(() => transcript.ended.size === 1);
for await (const event of client.sendTurn(id, { input: "Again" }))
  if (event.type === "turn-end") assert.equal(event.status, "completed");
await until(() => transcript.ended.size === 2);
source.close();

assert.deepEqual(texts(), ["One, two, three.", "Reply 2"]);
assert.deepEqual(
  transcript.numbers,
  [...new Set(transcript.numbers)].toSorted((a, b) => a - b),
);
assert.equal(resumedAfter[0], null);
assert.ok(resumedAfter.length > 1, "the connection was never cut");
assert.ok(Number(resumedAfter[1]) > 0, "it came back without the number of its last event");

process.stdout.write(
  `07-resumed-stream: ${resumedAfter.length} connections, ${transcript.numbers.length} events, none twice\n`,
);
