import { syncFolder, writeFailure } from "@incipit/host/data-folder";
import { exportLineSchema } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";
import { lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";

export interface ExportFileOptions {
  readonly id: string;
  readonly file: string;
  readonly isReplaced: boolean;
}

/** @throws {Error} if the file cannot be written or exists and may not be replaced, or if the export is truncated. */
export async function writeExport(client: Client, { id, file, isReplaced }: ExportFileOptions): Promise<number> {
  await checkPlace(file, { isReplaced });
  return writeWhole(file, wholeExport(client, id));
}

export async function* wholeExport(client: Client, id: string): AsyncGenerator<Uint8Array> {
  const exported = await client.exportConversation(id);
  let tail: Uint8Array = new Uint8Array();
  try {
    for await (const bytes of exported) {
      tail = Buffer.concat([tail, bytes.subarray(-maxEndBytes)]).subarray(-maxEndBytes);
      yield bytes;
    }
  } catch (cause) {
    throw cutOff(id, cause);
  }
  const [line = ""] = new TextDecoder().decode(tail).trimEnd().split("\n").slice(-1);
  if (!isEnd(line)) throw cutOff(id);
}

const maxEndBytes = 128;

function isEnd(line: string): boolean {
  try {
    return exportLineSchema.parse(JSON.parse(line)).type === "end";
  } catch {
    return false;
  }
}

function cutOff(id: string, cause?: unknown): Error {
  const message = `Cannot export conversation "${id}": the host's response is incomplete; see the host's log, and try again`;
  return new Error(message, { cause });
}

async function checkPlace(file: string, { isReplaced }: { readonly isReplaced: boolean }): Promise<void> {
  const stats = await lstat(file).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isFile())
    throw new Error(`Cannot write "${file}": it exists and is not a regular file; name another one`);
  if (!isReplaced) throw new Error(`Cannot write "${file}": it already exists (--yes replaces it)`);
}

/** Writes the file so that only its owner may read it, because it has the whole conversation. */
async function writeWhole(file: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  const temporary = join(dirname(file), `.${basename(file)}.${crypto.randomUUID()}.tmp`);
  try {
    let sizeBytes = 0;
    {
      await using handle = await open(temporary, "wx", 0o600);
      for await (const chunk of chunks) {
        await handle.writeFile(chunk);
        sizeBytes += chunk.byteLength;
      }
      await handle.sync();
    }
    await rename(temporary, file);
    syncFolder(dirname(file));
    return sizeBytes;
  } catch (cause) {
    if (!(cause instanceof Error && "errno" in cause)) throw cause;
    throw new Error(`Cannot write "${file}": ${writeFailure(cause, "name another one")}`, { cause });
  } finally {
    await rm(temporary, { force: true });
  }
}
