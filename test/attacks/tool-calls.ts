import type { ApprovalDecision } from "@incipit/schema";
import { routes, createClient } from "@incipit/transport-contract";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HostWorld } from "../support/host-world.ts";

export interface CalledTool {
  readonly name: string;
  readonly input: Readonly<Record<string, unknown>>;
}

export interface ToolCallsOptions {
  readonly command: readonly string[];
  readonly folder: string;
  readonly config?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly data?: string;
  readonly answer?: ApprovalDecision;
}

export async function toolCalls(
  calls: readonly CalledTool[],
  options: ToolCallsOptions,
): Promise<{ readonly outputs: string; readonly asked: readonly string[] }> {
  const { command, folder, env, answer: decision = "allow", cwd = join(options.folder, "work") } = options;
  const { config = "[tools]\nworkspace = true\n", data } = options;
  await using world = await HostWorld.create({ command, folder, config, isStrict: true, ...(env && { env }) });
  const { model } = world;
  await mkdir(cwd, { recursive: true });
  for (const [index, { name, input }] of calls.entries())
    model.enqueue({
      kind: "tool-calls",
      calls: [{ id: `call-${index}`, name, arguments: JSON.stringify(input) }],
    });
  model.enqueue({ kind: "text", chunks: ["Done."] });
  const host = await world.start(data === undefined ? {} : { data });
  const client = createClient({ url: host.url, token: host.token });
  const { conversation } = await client.call(routes.createConversation, { body: { cwd } });
  const params = { id: conversation.id };
  const asynchronous = { prefer: "respond-async" };
  await host.json(`/conversations/${params.id}/turns`, { body: { input: "go" }, headers: asynchronous });
  const asked: string[] = [];
  for await (const event of client.followEvents(params.id, { afterSeq: 0 })) {
    if (event.type === "turn-end") break;
    if (event.type !== "approval-request") continue;
    asked.push(event.name);
    const { approvalId } = event;
    await client.call(routes.answerApproval, { params: { ...params, approvalId }, body: { decision } });
  }
  return { outputs: model.requests.at(-1)?.body ?? "", asked };
}
