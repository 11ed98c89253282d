import { shaText, tokenText, trustText } from "@incipit/cli-text";
import { routes } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import type { PreviewSystemPromptRequest } from "@incipit/schema";
import type { OptionsOf } from "../registry/options.ts";
import { workingFolder } from "../arguments/working-folder.ts";
import { readTemplate } from "./template-input.ts";
import { printExplain } from "../explain/explain-rows.ts";

export async function previewPrompt(call: Call<[template?: string], PreviewOption>): Promise<void> {
  const { args, output, host } = call;
  const [template] = call.words;
  const { outLine, outExact, errLine } = output;
  const body = await previewBody(template, args);
  const { systemPrompt, explain } = await (await host.client()).call(routes.previewSystemPrompt, { body });
  if (args.isJson) outLine(JSON.stringify({ systemPrompt, explain }));
  else outExact(`${systemPrompt}\n`);
  if (args.isJson) return;
  for (const { type, name, kind, trust, source } of explain.variables)
    if (kind === "value" && trust !== null && trust !== "trusted")
      errLine(`[${type}:${name}] is told as the working folder says it, and ${trustText[trust]}: ${source}`);
  for (const { type, name, reason, detail } of explain.variables)
    if (reason !== null) errLine(`[${type}:${name}] is blank: ${reason}${detail === null ? "" : ` (${detail})`}`);
  errLine(
    shaText(
      explain.sha256,
      (hash) => `(${explain.sizeBytes} bytes, ${tokenText(explain.tokens)}, SHA-256 ${hash})`,
      output.isScreen ? output.errWidth : Infinity,
    ),
  );
}

export type PreviewOption = "cwd" | "model" | "profile";

async function previewBody(
  argument: string | undefined,
  args: OptionsOf<PreviewOption>,
): Promise<PreviewSystemPromptRequest> {
  const input = argument === undefined ? undefined : await readTemplate(argument, "preview");
  return {
    cwd: workingFolder(args),
    template: input?.template,
    model: args.model,
    profile: args.profile,
  };
}

export async function explainNew(call: Call<[template?: string], PreviewOption>): Promise<void> {
  const { args, output, host } = call;
  const [template] = call.words;
  const body = await previewBody(template, args);
  const { systemPrompt, explain } = await (await host.client()).call(routes.previewSystemPrompt, { body });
  if (args.isJson) output.outLine(JSON.stringify(explain));
  else printExplain(explain, systemPrompt, output);
}
