import { templateConflictSchema, type TemplateInForce } from "@incipit/schema";
import { ApiClientError, routes } from "@incipit/transport-contract";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type { Call } from "../registry/command.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import type { Output } from "../output/output.ts";
import { changeOf } from "./change.ts";
import { findingLines, hasErrors, lintIfThere, type Linted } from "./findings.ts";
import type { PreviewOption } from "./preview.ts";
import { runEditor } from "./run-editor.ts";
import { decode } from "../arguments/decode-input.ts";

/**
 * Stores the text unless the template has changed elsewhere in the meantime. Unstored text stays in a file, whose path
 * is printed.
 */
export async function editTemplate({
  args,
  output,
  host,
}: Call<[], PreviewOption | "note" | "isGranted">): Promise<number> {
  const { outLine, errLine } = output;
  const client = await host.client();
  const before = await client.call(routes.getSystemPrompt);
  const path = join(await mkdtemp(join(tmpdir(), "incipit-prompt-")), "template.md");
  await writeFile(path, before.template, { mode: 0o600 });
  let isKept = true;
  try {
    await runEditor(path);
    const template = withoutAddedLineEnd(decode(await readFile(path), `"${path}"`), before);
    if (template === before.template) {
      isKept = false;
      errLine("Nothing was changed");
      return 0;
    }
    const linted = await lintIfThere(client, args, template);
    if (!args.isJson) for (const line of findingLines(linted, path)) errLine(line);
    if (!(await isWanted(linted, { args, output }))) {
      errLine("Nothing was saved: lint found errors (--yes saves it anyway)");
      return 1;
    }
    const headers = before.etag === null ? {} : { headers: { "if-match": before.etag } };
    const body = { template, ...changeOf(args) };
    const { version } = await client.call(routes.setSystemPrompt, { body, ...headers });
    isKept = false;
    const { findings, omitted } = linted;
    if (args.isJson) outLine(JSON.stringify({ template, version, findings, omitted }));
    errLine(
      `Saved${version === null ? "" : ` as version ${version}`}. Running conversations keep theirs until compaction.`,
    );
    return 0;
  } catch (error) {
    isKept &&= await isChanged(path, before);
    if (!(error instanceof ApiClientError) || error.code !== "TEMPLATE_CONFLICT") throw error;
    showConflict(error.details, output);
    return 1;
  } finally {
    if (isKept) errLine(`Your text is in ${path}; to save it: incipit prompt set ${path}`);
    else await rm(dirname(path), { recursive: true, force: true });
  }
}

/** Editors add a final line end. */
function withoutAddedLineEnd(edited: string, { template }: TemplateInForce): string {
  return template.endsWith("\n") ? edited : edited.replace(/\r?\n$/, "");
}

async function isWanted(
  linted: Linted,
  { args, output }: Pick<Call<[], "isGranted">, "args" | "output">,
): Promise<boolean> {
  if (args.isGranted || !hasErrors(linted)) return true;
  return isAgreed("Save it anyway? [y/N] ", output);
}

async function isChanged(path: string, { template }: TemplateInForce): Promise<boolean> {
  try {
    return !(await readFile(path)).equals(Buffer.from(template));
  } catch {
    return false;
  }
}

function showConflict(details: unknown, output: Output): void {
  const { err, errLine } = output;
  const conflict = templateConflictSchema.safeParse(details);
  errLine("The template was changed in the meantime; nothing was saved");
  if (!conflict.success) return;
  const { yours, theirs, version, author } = conflict.data;
  const by = author === null ? "" : ` by ${author}`;
  const what = version === null ? "no stored one" : `version ${version}`;
  errLine(`--- theirs: ${what}${by}`);
  err(`${theirs}\n--- yours\n${yours ?? ""}\n---\n`);
}
