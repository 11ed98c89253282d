import { routes } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import { printExplain } from "../explain/explain-rows.ts";
import { previewBody, type PreviewOption } from "./preview-body.ts";

export async function explainNew({
  words: [template],
  args,
  output,
  host,
}: Call<[template?: string], PreviewOption>): Promise<number> {
  const body = await previewBody(template, args);
  const { systemPrompt, explain } = await (await host.client()).call(routes.previewSystemPrompt, { body });
  if (args.isJson) output.outLine(JSON.stringify(explain));
  else printExplain(explain, systemPrompt, output);
  return 0;
}
