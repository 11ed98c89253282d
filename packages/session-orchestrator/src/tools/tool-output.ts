import { cutToBytes } from "@incipit/common";
import type { Storage, StorageWrite } from "@incipit/kernel";
import type { ToolOutput } from "@incipit/schema";
import { storedOutputPath, ServiceError } from "@incipit/service-contract";
import * as z from "zod";
import { keys, storedToolOutputSchema } from "../store/stored.ts";

export const maxShownBytes = 262_144;
const maxStoredBytes = 67_108_864;
/** In UTF-16 units; limits the size of a page of records. */
const chunkLength = 131_072;
/** Per commit, so that other commits are not delayed. */
const maxChunksOfCommit = 8;

export interface OutputOwner {
  readonly storage: Storage;
  readonly conversationId: string;
  readonly toolCallId: string;
}

/**
 * The complete output is stored before it resolves. `owner.reader` reads stored outputs by a path of
 * `storedOutputPath`.
 */
export async function truncateOutput(
  output: string,
  { reader, ...owner }: OutputOwner & { readonly reader?: string | undefined },
): Promise<string> {
  const text = output.toWellFormed(); // Some vendors reject lone surrogates.
  const sizeBytes = Buffer.byteLength(text);
  if (sizeBytes <= maxShownBytes) return text;
  const [head, tail] = [cutToBytes(text, maxShownBytes / 2), ending(text, maxShownBytes / 2)];
  const shownBytes = Buffer.byteLength(head) + Buffer.byteLength(tail);
  const kept = sizeBytes <= maxStoredBytes ? text : cutToBytes(text, maxStoredBytes);
  const name = await keep(kept, sizeBytes, owner);
  const what = kept === text ? "the whole" : `the first ${Buffer.byteLength(kept)}`;
  const path = `/conversations/${owner.conversationId}/tool-outputs/${encodeURIComponent(name)}`;
  const read = reader === undefined ? "" : `${reader} with path ${JSON.stringify(storedOutputPath(name))}, or `;
  return [
    head,
    `[left out here: ${sizeBytes - shownBytes} bytes]`,
    tail,
    `[cut: ${shownBytes} of ${sizeBytes} bytes; ${what}: ${read}GET ${path}]`,
  ].join("\n");
}

/** @throws {ServiceError} `TOOL_OUTPUT_UNKNOWN`; `STORED_DATA_DAMAGED` when parts are missing. */
export async function readToolOutput(
  storage: Storage,
  conversationId: string,
  toolCallId: string,
): Promise<ToolOutput> {
  const name = toolCallId.toWellFormed();
  const found = await findToolOutput(storage, conversationId, name);
  if (found === undefined) {
    const message = `No output of a call "${name}" is kept apart: one of at most ${maxShownBytes} bytes is whole in its message`;
    throw new ServiceError("TOOL_OUTPUT_UNKNOWN", message, { next: { action: "list-messages", conversationId } });
  }
  return found;
}

export async function findToolOutput(
  storage: Storage,
  conversationId: string,
  name: string,
): Promise<ToolOutput | undefined> {
  const head = await storage.get(keys.toolOutput(conversationId, name), storedToolOutputSchema);
  if (head === undefined) return undefined;
  const prefix = keys.toolOutputChunks(conversationId, name);
  const chunks = await storage.list({ prefix, limit: 1_000 }, z.string());
  if (chunks.length !== head.chunkCount) {
    const message = `The output of the call "${name}" is damaged: ${chunks.length} of its ${head.chunkCount} parts are there`;
    throw new ServiceError("STORED_DATA_DAMAGED", message);
  }
  return { output: chunks.map(({ value }) => value).join(""), sizeBytes: head.sizeBytes };
}

/** The call id, with a suffix if an earlier epoch used it. */
async function keep(
  text: string,
  sizeBytes: number,
  { storage, conversationId, toolCallId }: OutputOwner,
): Promise<string> {
  const chunkCount = Math.ceil(text.length / chunkLength);
  const value = { sizeBytes, chunkCount };
  let name = toolCallId;
  const claim = async (): Promise<boolean> => {
    const key = keys.toolOutput(conversationId, name);
    return (await storage.atomic([{ key, version: null }], [{ kind: "set", key, value }])).kind === "committed";
  };
  for (let count = 2; !(await claim()); count += 1) name = `${toolCallId}-${count}`;
  const chunks = Array.from({ length: chunkCount }, (_, index): StorageWrite => {
    const key = keys.toolOutputChunk(conversationId, name, index);
    return { kind: "set", key, value: text.slice(index * chunkLength, (index + 1) * chunkLength) };
  });
  while (chunks.length > 0) await storage.atomic([], chunks.splice(0, maxChunksOfCommit));
  return name;
}

function ending(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(-maxBytes));
  let start = Math.max(0, bytes.length - maxBytes);
  while (((bytes[start] ?? 0) & 0xc0) === 0x80) start += 1;
  return bytes.toString("utf8", start);
}
