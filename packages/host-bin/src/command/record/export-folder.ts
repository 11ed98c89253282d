import type { StepRecord } from "@incipit/schema";
import { makeFolders, syncFolder, writeSynced } from "@incipit/host/data-folder";
import { lstat, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { recordPage } from "./record-page.ts";
import { recordText } from "./record-text.ts";

/**
 * Writes atomically to a new folder that only its owner can read.
 * @throws {Error} when the path already exists.
 */
export async function exportFolder(record: StepRecord, path: string): Promise<string> {
  const folder = resolve(path);
  await checkPlace(folder);
  const temporary = join(dirname(folder), `.${basename(folder)}.${crypto.randomUUID()}.tmp`);
  try {
    makeFolders(temporary, { mode: 0o700 });
    for (const [name, text] of Object.entries(filesOf(record)))
      writeSynced(join(temporary, name), text, { mode: 0o600, flag: "wx" });
    syncFolder(temporary);
    await rename(temporary, folder); // rename replaces only an empty folder.
    syncFolder(dirname(folder));
    return folder;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function checkPlace(folder: string): Promise<void> {
  const stats = await lstat(folder).catch(() => undefined);
  if (stats === undefined) return;
  if (!stats.isDirectory())
    throw new Error(`Cannot write to "${folder}": it exists and is not a folder; name another one`);
  if ((await readdir(folder)).length > 0)
    throw new Error(`Cannot write to "${folder}": the folder is not empty; name another one`);
}

function filesOf(record: StepRecord): Readonly<Record<string, string>> {
  const { request, systemTexts, reply, step, durationMs, explain, audit } = record;
  const { usage, finishReason, error, startedAt, endedAt } = step;
  const head = request && [`${request.method} ${request.url}`, ...Object.entries(request.headers).map(headerLine)];
  return {
    "README.md": readmeOf(record),
    "index.html": recordPage(record),
    "record.json": json(record),
    "reply.json": json({ message: reply, usage, finishReason, error, startedAt, endedAt, durationMs }),
    "audit.json": json(audit),
    ...(request === null ? {} : { "request.json": request.body }),
    ...(head === null ? {} : { "request-head.txt": `${head.join("\n")}\n` }),
    ...(systemTexts === null ? {} : { "system-prompt.txt": systemTexts.join("\n\n") }),
    ...(explain === null ? {} : { "explain.json": json(explain) }),
  };
}

function headerLine([name, value]: readonly [string, string]): string {
  return `${name}: ${value}`;
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function readmeOf(record: StepRecord): string {
  const { request, requestProblem, explain } = record;
  const exact =
    request === null
      ? `not there: ${requestProblem?.message ?? "none was made"}`
      : request.isRedacted
        ? "the body that left, with [redacted:KIND] in place of secrets"
        : "the body that left, byte for byte";
  return `# One model call

Open index.html in a browser. Secrets are left out of everything here.

\`\`\`
${recordText(record)}\`\`\`

- request.json: ${exact}
- request-head.txt: its address and headers
- system-prompt.txt: the system text
- reply.json: what the model said, what it counted, how long it took
- explain.json: ${explain === null ? "not there: the conversation has another prompt by now" : "where each part of the system text came from"}
- audit.json: what of the request before it this one begins with, and why it does not
- record.json: all of it
`;
}
