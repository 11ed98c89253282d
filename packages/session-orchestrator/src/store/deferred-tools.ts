import { sha256Hex } from "@incipit/common";
import type { Storage, StorageWrite } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import type { DeferredTool } from "../lookup/tool-index.ts";
import { skipInvalid } from "./read-page.ts";
import { keys } from "./stored.ts";
import { toolDefinitionSchema } from "./tool-list.ts";
import * as z from "zod";

/** In UTF-16 units; limits the size of a page of records. */
const chunkLength = 131_072;
/** Per commit, so that other commits are not delayed. */
const maxChunksOfCommit = 8;

/**
 * A server may change its tools constantly. Evicts the list unused for the longest time; tool search then uses live
 * tools.
 */
export const maxLists = 64;
const maxLength = 268_435_456;

const headSchema = lazySchema(() => z.object({ length: z.int().positive(), usedAtMs: z.number() }));
const entrySchema = lazySchema(() => z.object({ server: z.string(), definition: toolDefinitionSchema }));

export function deferredText(server: string, definition: string): string {
  return `{"server":${JSON.stringify(server)},"definition":${definition}}`;
}

export async function storeDeferredTools(storage: Storage, text: string, nowMs: number): Promise<void> {
  const sha256 = sha256Hex(text);
  const head = keys.deferredList(sha256);
  const value = { length: text.length, usedAtMs: nowMs };
  if ((await storage.get(head, headSchema)) === undefined) {
    await makeRoom(storage, text.length);
    const chunks = Array.from({ length: Math.ceil(text.length / chunkLength) }, (_, index): StorageWrite => {
      const part = text.slice(index * chunkLength, (index + 1) * chunkLength);
      return { kind: "set", key: keys.deferredToolsChunk(sha256, index), value: part };
    });
    while (chunks.length > 0) await storage.atomic([], chunks.splice(0, maxChunksOfCommit));
  }
  await storage.set(head, value);
}

async function makeRoom(storage: Storage, length: number): Promise<void> {
  const lists = await storage.list({ prefix: keys.allDeferredLists, limit: 1_000, ...skipInvalid }, headSchema);
  const oldestFirst = lists.toSorted((a, b) => a.value.usedAtMs - b.value.usedAtMs);
  let count = lists.length + 1;
  let sum = lists.reduce((total, { value }) => total + value.length, length);
  for (const { key, value } of oldestFirst) {
    if (count <= maxLists && sum <= maxLength) return;
    await remove(storage, key.slice(keys.allDeferredLists.length));
    count -= 1;
    sum -= value.length;
  }
}

/** Deletes the head first: a list without a head is stored again. */
async function remove(storage: Storage, sha256: string): Promise<void> {
  await storage.delete(keys.deferredList(sha256));
  const chunks = await storage.list({ prefix: keys.deferredToolsChunks(sha256), limit: 1_000 }, z.unknown());
  await storage.atomic(
    [],
    chunks.map(({ key }) => ({ kind: "delete", key }) as const),
  );
}

/** Sorted by name; `undefined` also if the list does not match its hash. */
export async function readDeferredTools(
  storage: Storage,
  sha256: string,
): Promise<readonly DeferredTool[] | undefined> {
  const chunks = await storage.list({ prefix: keys.deferredToolsChunks(sha256), limit: 1_000 }, z.unknown());
  const texts = z.array(z.string()).safeParse(chunks.map(({ value }) => value)).data;
  const text = texts?.join("");
  return text === undefined || sha256Hex(text) !== sha256 ? undefined : parseDeferredTools(text);
}

export function parseDeferredTools(text: string): readonly DeferredTool[] {
  return z.array(entrySchema).parse(JSON.parse(text));
}
