import { routes, type Client } from "@incipit/transport-contract";
import type { Arguments } from "../arguments/arguments.ts";
import type { Output } from "../output/output.ts";
import { printExplain } from "../explain/explain-rows.ts";
import { previewBody } from "./preview-body.ts";

export async function explainNew(client: Client, args: Arguments, output: Output): Promise<number> {
  const body = await previewBody(args);
  const { systemPrompt, explain } = await client.call(routes.previewSystemPrompt, { body });
  if (args.isJson) output.outLine(JSON.stringify(explain));
  else printExplain(explain, systemPrompt, output);
  return 0;
}
