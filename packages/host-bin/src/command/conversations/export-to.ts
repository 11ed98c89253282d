import { wholeExport, writeExport } from "./export-file.ts";
import { join, resolve } from "node:path";
import { selectedConversation } from "../arguments/named-conversation.ts";
import type { ConversationCall } from "../arguments/conversation-call.ts";
import { forEach } from "./for-each.ts";
import { stat } from "node:fs/promises";
import { UsageError } from "../registry/usage-error.ts";

export async function exportTo({
  words,
  args,
  output,
  host,
}: ConversationCall<(string | undefined)[], "isGranted">): Promise<number> {
  const client = await host.client();
  const { ids, path: pattern } = await exportedTo(words.filter((word) => word !== undefined));
  return forEach(ids, output, async (name) => {
    const id = await selectedConversation(client, name, args);
    if (pattern === "-") {
      for await (const bytes of wholeExport(client, id)) await output.outWhenTaken(bytes);
      return;
    }
    const path = resolve(pattern.replace("ID", id));
    const sizeBytes = await writeExport(client, { id, file: path, isReplaced: args.isGranted });
    output.outLine(args.isJson ? JSON.stringify({ path, sizeBytes }) : `Wrote ${sizeBytes} bytes to ${path}`);
  });
}

interface Exported {
  readonly ids: readonly string[];
  /** `ID` is replaced with each conversation's id. */
  readonly path: string;
}

async function exportedTo(names: readonly string[]): Promise<Exported> {
  const [first = "", ...others] = names;
  const last = others.at(-1);
  if (last === undefined) return { ids: [first], path: "-" };
  const isFolder = (await stat(last).catch(() => undefined))?.isDirectory() === true;
  if (isFolder) return { ids: names.slice(0, -1), path: join(last, "ID.jsonl") };
  if (names.length === 2) return { ids: [first], path: last };
  throw new UsageError(
    `Several conversations are written to a folder, one file each, and "${last}" is none; write: incipit conversations export ID ID … FOLDER`,
  );
}
