import { defineExtension, type Storage } from "@incipit/kernel";
import { startExtension, type StartedExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { keys, numberText } from "./keys.ts";
import { pruneMessages, pruneSeen } from "./prune.ts";
import { seenWrites } from "./seen.ts";
import { storedNothingSchema, type StoredMessage } from "./stored.ts";

const dayMs = 24 * 3_600_000;

async function withStorage(): Promise<{ readonly started: StartedExtension; readonly storage: Storage }> {
  const storage = Promise.withResolvers<Storage>();
  const started = await startExtension(
    defineExtension({ id: "test.prune", version: "1.0.0", api: "^1", capabilities: { storage: true } }, (host) =>
      storage.resolve(host.storage("chats")),
    ),
  );
  return { started, storage: await storage.promise };
}

function message(index: number, more: Partial<StoredMessage>): StoredMessage {
  return {
    id: numberText(index),
    chatId: "ada",
    content: { kind: "text", text: `${index}`, buttons: [], replyTo: null, hasRoom: false, approvalId: null },
    state: "sent",
    why: null,
    createdMs: 0,
    endedMs: 1,
    attempts: 1,
    notBeforeMs: 0,
    waitsSinceMs: 0,
    retriedAs: null,
    ...more,
  };
}

test("pruneMessages keeps the newest 2,000 and all unsettled messages", async () => {
  const { started, storage } = await withStorage();
  await using _ = started;
  const messages = Array.from({ length: 2_500 }, (_, index) =>
    message(index, index === 10 ? { state: "waiting", endedMs: null } : index === 20 ? { state: "unknown" } : {}),
  );
  for (let start = 0; start < messages.length; start += 500)
    await storage.atomic(
      [],
      messages.slice(start, start + 500).map((value) => ({ kind: "set", key: keys.message("c", value.id), value })),
    );
  await storage.set(keys.unknown("c", numberText(20)), {});
  await storage.set(keys.message("d", numberText(1)), message(1, {}));

  await pruneMessages(storage, "c");
  const oldest = await storage.list({ prefix: keys.messages("c"), limit: 3 }, storedNothingSchema);

  expect(oldest.map(({ key }) => keys.last(key))).toEqual([numberText(10), numberText(500), numberText(501)]);
  expect(await storage.list({ prefix: keys.allUnknown("c") }, storedNothingSchema)).toEqual([]);
  expect(await storage.list({ prefix: keys.messages("d") }, storedNothingSchema)).toHaveLength(1);
});

test("pruneSeen removes marks older than two days only", async () => {
  const { started, storage } = await withStorage();
  await using _ = started;
  for (const [update, atMs] of [
    ["a/1", 0],
    ["b", dayMs],
  ] as const)
    await storage.atomic([], seenWrites("c", update, atMs));

  await pruneSeen(storage, "c", 2 * dayMs + 1);

  expect(await storage.get(keys.seen("c", "a/1"), storedNothingSchema)).toBeUndefined();
  expect(await storage.get(keys.seen("c", "b"), storedNothingSchema)).toEqual({});
  expect(await storage.list({ prefix: keys.seenByTime("c") }, storedNothingSchema)).toHaveLength(1);
});
