import type { StepRecord } from "@incipit/schema";
import { makeFolders, syncFolder, writeSynced } from "@incipit/host/data-folder";
import { lstat, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { partsText, recordText } from "./record-text.ts";

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

const style = `body{font:15px/1.5 system-ui,sans-serif;max-width:70em;margin:2em auto;padding:0 1em;color:#1c1c1c}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:#f5f5f3;padding:.8em;border-radius:4px}
h2{margin-top:2em}summary{cursor:pointer}@media(prefers-color-scheme:dark){body{background:#1b1b1b;color:#e6e6e6}pre{background:#272727}}`;

/** A self-contained page to open from disk: no scripts, no external resources. */
function recordPage(record: StepRecord): string {
  const { systemTexts, messages, reply, tools, request, step } = record;
  const said = (messages ?? []).map(({ role, parts }) => section(role, partsText(parts)));
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="content-security-policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escaped(`Step ${step.id}`)}</title><style>${style}</style></head><body>
<h1>What the model was told</h1>
<pre>${escaped(recordText(record))}</pre>
<h2>System text</h2>
${(systemTexts ?? ["not known"]).map((text) => `<pre>${escaped(text)}</pre>`).join("\n") || "<p>None was sent.</p>"}
<h2>Tools</h2>
<details><summary>${tools?.length ?? 0}</summary><pre>${escaped(JSON.stringify(tools, null, 2))}</pre></details>
<h2>Messages</h2>
${said.join("\n") || "<p>Not known.</p>"}
<h2>Reply</h2>
<pre>${escaped(reply === null ? "none is kept" : partsText(reply.parts))}</pre>
<h2>Request</h2>
<details><summary>as it left</summary><pre>${escaped(request?.body ?? "not kept")}</pre></details>
</body></html>
`;
}

function section(title: string, text: string): string {
  return `<h3>${escaped(title)}</h3><pre>${escaped(text)}</pre>`;
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
