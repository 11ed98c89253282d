import type { Call } from "../registry/command.ts";
import { findingLines, hasErrors, lintOf, summary } from "./findings.ts";
import type { PreviewOption } from "./preview-body.ts";
import { readTemplate } from "./template-input.ts";

export async function lintPrompt(call: Call<[template?: string], PreviewOption>): Promise<number> {
  const { args, output, host } = call;
  const [argument] = call.words;
  const client = await host.client();
  const input = argument === undefined ? undefined : await readTemplate(argument, "lint");
  const linted = await lintOf(client, args, input?.template);
  if (args.isJson) output.outLine(JSON.stringify(linted));
  else {
    for (const line of findingLines(linted, input?.label ?? "template")) output.outLine(line);
    output.errLine(`${input?.from ?? linted.source}: ${summary(linted)}`);
  }
  return hasErrors(linted) ? 1 : 0;
}
