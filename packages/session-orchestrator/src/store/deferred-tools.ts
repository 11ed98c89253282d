import type { Storage, StorageWrite } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import type { DeferredTool } from "../lookup/deferred-tool.ts";
import { skipInvalid } from "./skip-invalid.ts";
import { sha256Of } from "./sha256.ts";
import { keys } from "./stored.ts";
import { toolDefinitionSchema } from "./tool-list.ts";

/** UTF-16 units of one stored value: whoever reads records in pages must not get too much at once. */
const chunkLength = 131_072;
/** Chunks of one commit, which must not hold up others for long. */
const maxChunksOfCommit = 8;

/**
 * What is kept of all lists together, in number and in UTF-16 units: a server may describe its tools otherwise each time. The
 * one that no epoch has begun with for the longest time goes first; where it is still asked for, a search finds what there is.
 */
export const maxLists = 64;
const maxLength = 268_435_456;

const headSchema = lazySchema(() => z.object({ length: z.int().positive(), usedAtMs: z.number() }));
const entrySchema = lazySchema(() => z.object({ server: z.string(), definition: toolDefinitionSchema }));

/** A tool as it is stored, in a list of such. @param definition JSON. */
export function deferredText(server: string, definition: string): string {
  return `{"server":${JSON.stringify(server)},"definition":${definition}}`;
}

/** Stores a list under its hash, which conversations share; it is there whole when this resolves. */
export async function storeDeferredTools(storage: Storage, text: string, nowMs: number): Promise<void> {
  const sha256 = sha256Of(text);
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

/** The head first: what has none is stored anew. */
async function remove(storage: Storage, sha256: string): Promise<void> {
  await storage.delete(keys.deferredList(sha256));
  const chunks = await storage.list({ prefix: keys.deferredToolsChunks(sha256), limit: 1_000 }, z.unknown());
  await storage.atomic(
    [],
    chunks.map(({ key }) => ({ kind: "delete", key }) as const),
  );
}

/** By name; `undefined`: they are not there, or are not what their hash says. */
export async function readDeferredTools(
  storage: Storage,
  sha256: string,
): Promise<readonly DeferredTool[] | undefined> {
  const chunks = await storage.list({ prefix: keys.deferredToolsChunks(sha256), limit: 1_000 }, z.unknown());
  const texts = z.array(z.string()).safeParse(chunks.map(({ value }) => value)).data;
  const text = texts?.join("");
  return text === undefined || sha256Of(text) !== sha256 ? undefined : parseDeferredTools(text);
}

/** A list as `deferredText` has written its parts. */
export function parseDeferredTools(text: string): readonly DeferredTool[] {
  return z.array(entrySchema).parse(JSON.parse(text));
}
