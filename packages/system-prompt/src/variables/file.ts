import { resolve } from "node:path";
import { decodeText, encodingLabel } from "@incipit/schema";
import type { Outcome } from "../types.ts";
import { defineVariables } from "./define-variables.ts";
import type { Asked, VariableContext } from "./variable-type.ts";

/** Decoded from a recognized encoding, without a byte order mark, with LF line ends. */
export const fileVariables = defineVariables({
  type: "file",
  source: "file",
  sharedLimit: "maxTotalFileBytes",
  isReadInTurn: true,
  open: (prompt) => prompt,
}).named({ "<path>": { changes: null, isAlwaysThere: false, read: readFileVariable } });

async function readFileVariable(
  { fs, context: { cwd }, limits }: VariableContext,
  { name: path, remainingBytes, signal }: Asked,
): Promise<Outcome> {
  const maxBytes = Math.min(limits.maxFileBytes, remainingBytes);
  const read = await fs.readFile(path, { cwd, maxBytes, timeoutMs: limits.fileTimeoutMs, signal });
  // The source of a missing file is the resolved path.
  if (read.kind === "absent") {
    const { reason, detail } = read;
    const source = resolve(cwd, path);
    return { kind: "absent", reason, source, ...(detail === undefined ? {} : { detail }) };
  }
  const source = read.path;
  const decoded = decodeText(read.bytes);
  if (decoded === undefined) return { kind: "absent", reason: "not-text", source };
  const { text, encoding } = decoded;
  const value = text.replaceAll("\r\n", "\n");
  const detail = encoding === "utf-8" ? {} : { detail: `read as ${encodingLabel(encoding)}` };
  return { kind: "value", value, source, ...detail, origin: { kind: "file", path: source, bytes: read.bytes } };
}
