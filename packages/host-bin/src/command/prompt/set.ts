import { routes } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { UsageError } from "../registry/usage-error.ts";
import { changeOf } from "./change.ts";
import { findingLines, lintIfThere } from "./findings.ts";
import type { PreviewOption } from "./preview.ts";
import { readTemplate } from "./template-input.ts";

/** Stores the template in spite of lint findings: any text is valid. */
export async function setTemplate({
  words: [argument],
  args,
  output: { outLine, errLine },
  host,
}: Call<[template?: string], PreviewOption | "note">): Promise<void> {
  const client = await host.client();
  const what = 'What should the template be? Write: incipit prompt set "TEXT", a file, or "-"';
  if (argument === undefined && process.stdin.isTTY) throw new UsageError(what);
  const { template, label, from } = await readTemplate(argument ?? "-", "set");
  // Scripts often have an empty stdin; without an argument it must not clear the template.
  if (argument === undefined && template === "") throw new UsageError(`Standard input is empty. ${what}`);
  const body = { template, ...changeOf(args) };
  const { version } = await client.call(routes.setSystemPrompt, { body });
  const as = version === null ? "" : ` as version ${version}`;
  errLine(`Saved ${from}${as}. Running conversations keep theirs until compaction.`);
  const linted = await lintIfThere(client, args, template);
  if (args.isJson) {
    const { findings, omitted } = linted;
    outLine(JSON.stringify({ template, version, findings, omitted }));
    return;
  }
  const grave = linted.findings.filter(({ severity }) => severity !== "info");
  for (const line of findingLines({ ...linted, findings: grave }, label)) errLine(line);
  const remarks = linted.findings.length - grave.length;
  if (remarks > 0) errLine(`(lint has ${remarks} remark${remarks === 1 ? "" : "s"}: incipit prompt lint)`);
}
