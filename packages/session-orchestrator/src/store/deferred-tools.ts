import type { Storage, StorageWrite } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import * as z from "zod";
import type { DeferredTool } from "../lookup/deferred-tool.ts";
import { sha256Of } from "./sha256.ts";
import { keys } from "./stored.ts";
import { toolDefinitionSchema } from "./tool-list.ts";

/** UTF-16 units of one stored value: whoever reads records in pages must not get too much at once. */
const chunkLength = 131_072;
/** Chunks of one commit, which must not hold up others for long. */
const maxChunksOfCommit = 8;

const headSchema = lazySchema(() => z.object({ chunkCount: z.int().positive() }));
const entrySchema = lazySchema(() => z.object({ server: z.string(), definition: toolDefinitionSchema }));

/** A tool as it is stored, in a list of such. @param definition JSON. */
export function deferredText(server: string, definition: string): string {
  return `{"server":${JSON.stringify(server)},"definition":${definition}}`;
}

/** Stores a list under its hash, which conversations share; it is there whole when this resolves. */
export async function storeDeferredTools(storage: Storage, text: string): Promise<void> {
  const sha256 = sha256Of(text);
  const head = keys.deferredTools(sha256);
  if ((await storage.get(head, headSchema)) !== undefined) return;
  const chunkCount = Math.ceil(text.length / chunkLength);
  const chunks = Array.from({ length: chunkCount }, (_, index): StorageWrite => {
    const value = text.slice(index * chunkLength, (index + 1) * chunkLength);
    return { kind: "set", key: keys.deferredToolsChunk(sha256, index), value };
  });
  while (chunks.length > 0) await storage.atomic([], chunks.splice(0, maxChunksOfCommit));
  await storage.set(head, { chunkCount });
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
