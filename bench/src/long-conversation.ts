import type { JsonValue, NamespacedWrite, StoredEntry } from "@incipit/kernel";
import type { ConversationId } from "@incipit/schema";
import { openSqliteStorage } from "@incipit/storage-sqlite";
import type { RecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import * as z from "zod";
import { dataFolderOf, startHostProcess } from "./host-process.ts";
import { timeTurn } from "./time-turn.ts";

const namespace = "session-orchestrator/conversations";
const turnsAtOnce = 500;
const asked = "Read what changed since yesterday, and say in one paragraph whether the tests still hold. ";
const said = "They do: each of the three changes brought its own test, and none of the old ones went. ";
const closing = "]}";

const record = z.record(z.string(), z.json());
const wireSchema = z.looseObject({ prefixLength: z.int(), rest: z.string(), told: record });

function sha256(text: string): string {
  return new Bun.CryptoHasher("sha256").update(text).digest("hex");
}

function partOf(index: number, message: object): JsonValue {
  const text = JSON.stringify(message);
  return { part: `message:${index}`, sha256: sha256(text), sizeBytes: Buffer.byteLength(text) };
}

/** For a stopped host. Only the first turns run in one; running the others would take minutes. */
export async function storeLongConversation(
  folder: string,
  model: RecordingModelServer,
  turns: number,
): Promise<ConversationId> {
  const firstTurns = 3;
  let id: ConversationId;
  {
    await using host = await startHostProcess({ folder, modelUrl: model.url });
    ({ id } = (await host.client.call(routes.createConversation, { body: { title: "Long" } })).conversation);
    for (let turn = 0; turn < firstTurns; turn += 1) {
      model.enqueue({ kind: "text", chunks: [`${said}${turn}`] });
      await timeTurn(host.client, id, model, `${asked}${turn}`);
    }
  }
  await using storage = openSqliteStorage(join(dataFolderOf(folder), "incipit.db")).storage;
  const list = (kind: string): Promise<readonly StoredEntry[]> =>
    storage.list(namespace, { prefix: `${kind}:${id}:`, limit: 1_000 });
  const [steps, wires] = [await list("step"), await list("wire")];
  const step = record.parse(steps.at(-1)?.value);
  const wire = wireSchema.parse(wires.at(-1)?.value);
  let body = "";
  for (const { value } of wires) {
    const { prefixLength, rest } = wireSchema.parse(value);
    body = body.slice(0, prefixLength) + rest;
  }
  const hash = new Bun.CryptoHasher("sha256").update(body.slice(0, -closing.length));
  let prefixLength = body.length - closing.length;
  let base = z.string().parse(step["id"]);
  let index = 2 * firstTurns;
  let reply = `${said}${firstTurns - 1}`;
  const startMs = Date.now();
  let writes: NamespacedWrite[] = [];
  for (let turn = firstTurns; turn < turns; turn += 1) {
    const atMs = startMs + turn;
    const at = new Date(atMs).toISOString();
    const [stepId, turnId] = [Bun.randomUUIDv7("hex", atMs), Bun.randomUUIDv7("hex", atMs)];
    const input = `${asked}${turn}`;
    const before = { role: "assistant", parts: [{ type: "text", text: reply }], model: "local/m" };
    const user = { role: "user", parts: [{ type: "text", text: input }] };
    const added = `,${JSON.stringify({ role: "assistant", content: reply })},${JSON.stringify({ role: "user", content: input })}`;
    hash.update(added);
    const whole = hash.copy().update(closing).digest("hex");
    reply = `${said}${turn}`;
    const answer = { role: "assistant", parts: [{ type: "text", text: reply }] };
    const set = (key: string, value: JsonValue): number => writes.push({ kind: "set", namespace, key, value });
    const message = (place: number, value: Readonly<Record<string, JsonValue>>): number =>
      set(`message:${id}:${String(place).padStart(12, "0")}`, {
        id: Bun.randomUUIDv7("hex", atMs),
        ...value,
        turnId,
        epoch: 1,
        createdAt: at,
      });
    set(`wire:${id}:${stepId}`, {
      ...record.parse(wire),
      sha256: whole,
      told: { ...wire.told, messageCount: index + 1 },
      at: atMs,
      base,
      prefixLength,
      rest: `${added}${closing}`,
    });
    set(`step:${id}:${stepId}`, {
      ...step,
      id: stepId,
      turnId,
      startedAt: at,
      endedAt: at,
      requestSha256: whole,
      parts: [partOf(index - 1, before), partOf(index, user)],
    });
    message(index, user);
    message(index + 1, { ...answer, model: "local/m" });
    prefixLength += added.length;
    base = stepId;
    index += 2;
    if (turn % turnsAtOnce !== 0 && turn < turns - 1) continue;
    await storage.atomic([], writes);
    writes = [];
  }
  await storage.atomic([], [{ kind: "delete", namespace, key: `audit:${id}` }]);
  return id;
}
