import {
  ApiClientError,
  routes,
  templateConflictSchema,
  type Client,
  type TemplateInForce,
} from "@incipit/transport-contract";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Arguments } from "../arguments.ts";
import { askAtTerminal, isAtTerminal } from "../ask-at-terminal.ts";
import { shownText, type Output } from "../output.ts";
import { changeOf } from "./change.ts";
import { findingLines, hasErrors, lintIfThere, type Linted } from "./findings.ts";
import { runEditor } from "./run-editor.ts";
import { decode } from "./template-input.ts";

/**
 * `prompt edit`: the template in force in an editor, stored when it was changed by nobody else meanwhile. What was written is
 * never lost: where it is not stored, its file stays, and is named.
 */
export async function editTemplate(client: Client, args: Arguments, output: Output): Promise<number> {
  const { out, err } = output;
  const before = await client.call(routes.getSystemPrompt);
  const path = join(await mkdtemp(join(tmpdir(), "incipit-prompt-")), "template.md");
  await writeFile(path, before.template, { mode: 0o600 });
  let isKept = true;
  try {
    await runEditor(path);
    const template = withoutAddedLineEnd(decode(await readFile(path), `"${path}"`), before);
    if (template === before.template) {
      isKept = false;
      err("Nothing was changed\n");
      return 0;
    }
    const linted = await lintIfThere(client, args, template);
    if (!args.isJson) for (const line of findingLines(linted, path, output)) err(`${line}\n`);
    if (!(await isWanted(linted, args))) {
      err("Nothing was stored, since lint found errors (--yes stores it all the same)\n");
      return 1;
    }
    const headers = before.etag === null ? {} : { headers: { "if-match": before.etag } };
    const body = { template, ...changeOf(args) };
    const { version } = await client.call(routes.setSystemPrompt, { body, ...headers });
    isKept = false;
    const { findings, omitted } = linted;
    if (args.isJson) out(`${JSON.stringify({ template, version, findings, omitted })}\n`);
    err(`Stored${version === null ? "" : ` as version ${version}`}. New conversations use it.\n`);
    return 0;
  } catch (error) {
    isKept &&= await isChanged(path, before);
    if (!(error instanceof ApiClientError) || error.code !== "TEMPLATE_CONFLICT") throw error;
    showConflict(error.details, output);
    return 1;
  } finally {
    if (isKept) err(`What you wrote is in ${path}; store it with: incipit prompt set ${path}\n`);
    else await rm(dirname(path), { recursive: true, force: true });
  }
}

/** Editors end the last line of a file; the template that had no line end there gets none for that. */
function withoutAddedLineEnd(edited: string, { template }: TemplateInForce): string {
  return template.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "");
}

async function isWanted(linted: Linted, { isGranted }: Arguments): Promise<boolean> {
  if (isGranted || !hasErrors(linted)) return true;
  if (!isAtTerminal()) return false;
  const ask = askAtTerminal(() => process.exit(130));
  const answer = await ask("Store it all the same? [y/N] ", { signal: new AbortController().signal });
  return /^y(es)?$/i.test(answer.trim());
}

async function isChanged(path: string, { template }: TemplateInForce): Promise<boolean> {
  try {
    return !(await readFile(path)).equals(Buffer.from(template));
  } catch {
    return false; // It is gone: there is nothing to keep.
  }
}

function showConflict(details: unknown, output: Output): void {
  const { err } = output;
  const conflict = templateConflictSchema.safeParse(details);
  err("The template was changed by somebody else meanwhile; nothing was stored\n");
  if (!conflict.success) return;
  const { yours, theirs, version, author } = conflict.data;
  const by = author === null ? "" : ` by ${author}`;
  const what = version === null ? "no stored one" : `version ${version}`;
  err(shownText(`--- theirs: ${what}${by}\n${theirs}\n--- yours\n${yours ?? ""}\n---\n`, output));
}
