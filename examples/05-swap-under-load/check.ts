/** Swaps a model extension to another version and back while conversations run, and checks that nothing is lost. */
import { createHost, parseConfig } from "@incipit/host-bin";
import type { ConversationId } from "@incipit/schema";
import { createTempFolder } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import assert from "node:assert/strict";
import { cp } from "node:fs/promises";
import { join } from "node:path";
import packageJson from "./package.json";
import { words } from "./src/words.ts";

const id = "acme.counter";
const conversationCount = 20;
const swapCount = 30;
const otherWords = ["eins", "zwei", "drei", "vier", "fünf", "sechs", "sieben", "acht"];

await using folder = await createTempFolder();

/** Writes another version of this folder, like an edit of its author. */
async function writeVersion(version: string, file: string, source: string): Promise<string> {
  const path = join(folder.path, version);
  await cp(join(import.meta.dir, "src"), join(path, "src"), { recursive: true });
  const { incipit, ...rest } = packageJson;
  await Bun.write(
    join(path, "package.json"),
    JSON.stringify({ ...rest, version, incipit: { ...incipit, version } }),
  );
  const index = join(path, "src/index.ts");
  await Bun.write(index, (await Bun.file(index).text()).replace("1.0.0", version));
  await Bun.write(join(path, "src", file), source);
  return path;
}

const first = import.meta.dir;
const second = await writeVersion("2.0.0", "words.ts", `export const words = ${JSON.stringify(otherWords)};`);
const startless = 'export function createCounter() { throw new Error("This version does not start"); }';
const broken = await writeVersion("3.0.0", "counter.ts", startless);

await using host = await createHost({
  config: parseConfig("listen.port = 0", "check.ts"),
  dataFolder: join(folder.path, "data"),
  cwd: folder.path,
  env: {},
  writeLog: () => {},
});
const client = createClient(host);
const grant = { contributes: ["model-providers@1"] };
await client.call(routes.addExtension, { body: { path: first, grant } });

const replies = new Map([words, otherWords].map((list) => [list.map((word) => `${word} `).join(""), 0]));
let turnCount = 0;
let isOver = false;
/** Replies that span a swap of their version. */
let drained = 0;

/** Runs turn after turn: each comes from a single version, and its events follow without a gap. */
async function converse(conversation: ConversationId): Promise<readonly string[]> {
  const inputs: string[] = [];
  let seq = 0;
  while (!isOver) {
    const input = `Turn ${inputs.length}: count`;
    inputs.push(input);
    let reply = "";
    let status: string | undefined;
    for await (const event of client.sendTurn(conversation, { input })) {
      assert.equal("fromSeq" in event ? event.fromSeq : event.seq, seq + 1); // A merged delta stands for several.
      ({ seq } = event);
      if (event.type === "text-delta") reply += event.text;
      if (event.type === "turn-end") ({ status } = event);
    }
    assert.equal(status, "completed");
    const count = replies.get(reply);
    assert.ok(count !== undefined, `"${reply}" is the reply of neither version`);
    replies.set(reply, count + 1);
    turnCount += 1;
  }
  return inputs;
}

/** Swaps back and forth; every third version fails to start, and the previous one continues. */
async function swapAll(): Promise<void> {
  for (let count = 1; count <= swapCount; count += 1) {
    const path = count % 3 === 0 ? broken : count % 2 === 0 ? first : second;
    const report = await client.call(routes.swapExtension, { params: { id }, body: { path, grant } });
    assert.equal(report.outcome, path === broken ? "kept-old" : "swapped");
    assert.equal(report.cut, 0);
    drained += report.drained;
    const target = turnCount + 5; // Other turns begin and end in between.
    while (turnCount < target) await new Promise<void>((resolve) => setImmediate(resolve));
  }
  isOver = true;
}

const conversations = await Promise.all(
  Array.from({ length: conversationCount }, async () => {
    const { conversation } = await client.call(routes.createConversation, { body: { model: "counter/words" } });
    return conversation.id;
  }),
);
const [, ...inputs] = await Promise.all([
  swapAll(),
  ...conversations.map((conversation) => converse(conversation)),
]);

for (const [index, conversation] of conversations.entries()) {
  const stored: string[] = [];
  for (let cursor: string | undefined; ;) {
    const query = { limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const page = await client.call(routes.listMessages, { params: { id: conversation }, query });
    for (const { role, parts } of page.messages)
      if (role === "user") stored.push(...parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
    cursor = page.nextCursor;
    if (cursor === undefined) break;
  }
  assert.deepEqual(stored, inputs[index]);

  const { steps } = await client.call(routes.listSteps, { params: { id: conversation }, query: { limit: 100 } });
  let prefix = "";
  for (const step of steps) {
    const { body } = await client.call(routes.getStepRequest, { params: { id: conversation, stepId: step.id } });
    assert.ok(body.startsWith(prefix), "a request is not a prefix of the next one");
    prefix = body.slice(0, -"]}".length);
  }
}
assert.ok(drained > 0, "no swap came in the middle of a reply");
for (const [reply, count] of replies) assert.ok(count > 0, `no reply was "${reply}"`);

process.stdout.write(
  `05-swap-under-load: ${swapCount} swaps, ${turnCount} turns, ${drained} replies in mid-swap, nothing lost\n`,
);
