import type { Client } from "@incipit/transport-contract";
import { resolve } from "node:path";
import type { Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { wholeExport, writeExport } from "./export-file.ts";

export interface ExportOptions {
  readonly id: string;
  readonly path: string;
  readonly output: Output;
}

export async function exportTo(client: Client, args: Arguments, options: ExportOptions): Promise<number> {
  const { id, path, output } = options;
  if (path === "-") {
    for await (const bytes of wholeExport(client, id)) await output.outWhenTaken(bytes);
    return 0;
  }
  const file = resolve(path);
  const sizeBytes = await writeExport(client, { id, file, isReplaced: args.isGranted });
  output.outLine(args.isJson ? JSON.stringify({ path: file, sizeBytes }) : `Wrote ${sizeBytes} bytes to ${file}`);
  return 0;
}
