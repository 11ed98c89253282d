import { routes } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { printExplain } from "../explain/explain-rows.ts";
import { previewBody, type PreviewOption } from "./preview-body.ts";

export async function explainNew(call: Call<[template?: string], PreviewOption>): Promise<number> {
  const { args, output, host } = call;
  const [template] = call.words;
  const body = await previewBody(template, args);
  const { systemPrompt, explain } = await (await host.client()).call(routes.previewSystemPrompt, { body });
  if (args.isJson) output.outLine(JSON.stringify(explain));
  else printExplain(explain, systemPrompt, output);
  return 0;
}
