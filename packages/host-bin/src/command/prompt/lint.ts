import type { Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { findingLines, hasErrors, lintOf, summary } from "./findings.ts";
import { readTemplate } from "./template-input.ts";

export async function lintPrompt(client: Client, args: Arguments, output: Output): Promise<number> {
  const [, argument] = args.words;
  const input = argument === undefined ? undefined : await readTemplate(argument, "lint");
  const linted = await lintOf(client, args, input?.template);
  if (args.isJson) output.outLine(JSON.stringify(linted));
  else {
    for (const line of findingLines(linted, input?.label ?? "template")) output.outLine(line);
    output.errLine(`${input?.from ?? linted.source}: ${summary(linted)}`);
  }
  return hasErrors(linted) ? 1 : 0;
}
