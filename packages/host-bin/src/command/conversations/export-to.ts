import { exportLineSchema } from "@incipit/schema";
import type { Client } from "@incipit/transport-contract";
import { lstat, open, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import type { Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";

export interface ExportOptions {
  readonly id: string;
  /** `-`: standard output. */
  readonly path: string;
  readonly output: Output;
}

/** Writes all that is kept of a conversation as JSON Lines. A file is there whole, or not at all. */
export async function exportTo(client: Client, args: Arguments, options: ExportOptions): Promise<number> {
  const { id, path, output } = options;
  if (path === "-") {
    for await (const bytes of wholeExport(client, id)) await output.outWhenTaken(bytes);
    return 0;
  }
  const file = resolve(path);
  await checkPlace(file, { isReplaced: args.isGranted });
  const sizeBytes = await writeWhole(file, wholeExport(client, id));
  output.outLine(args.isJson ? JSON.stringify({ path: file, sizeBytes }) : `Wrote ${sizeBytes} bytes to ${file}`);
  return 0;
}

/** @throws {Error} when its last line did not come. */
async function* wholeExport(client: Client, id: string): AsyncGenerator<Uint8Array> {
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

/** More than the last line has. */
const maxEndBytes = 128;

function isEnd(line: string): boolean {
  try {
    return exportLineSchema.parse(JSON.parse(line)).type === "end";
  } catch {
    return false; // The end of another line.
  }
}

function cutOff(id: string, cause?: unknown): Error {
  const message = `Cannot export conversation "${id}": what the host sent was cut off before its end; look at the host's log, and try again`;
  return new Error(message, { cause });
}

/** @throws {Error} where something is that may not be replaced. */
async function checkPlace(file: string, { isReplaced }: { readonly isReplaced: boolean }): Promise<void> {
  const stats = await lstat(file).catch(() => undefined); // Why nothing can be there, writing says.
  if (stats === undefined) return;
  if (!stats.isFile())
    throw new Error(`Cannot write "${file}": it exists and is not a regular file; name another one`);
  if (!isReplaced) throw new Error(`Cannot write "${file}": it is there already (--yes replaces it)`);
}

/** Gives how many bytes there were. Only its owner can read it: all that was said is in it. */
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
    return sizeBytes;
  } finally {
    await rm(temporary, { force: true });
  }
}
