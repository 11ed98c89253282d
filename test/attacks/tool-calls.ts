import type { ApprovalDecision } from "@incipit/schema";
import { startRecordingModelServer } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";

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
  const { command, folder, answer: decision = "allow", cwd = join(folder, "work") } = options;
  await using model = await startRecordingModelServer({ isStrict: true });
  const config = join(folder, "host.toml");
  const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
  await Bun.write(config, `model = "local/test"\n${options.config ?? "[tools]\nworkspace = true\n"}${provider}`);
  await mkdir(cwd, { recursive: true });
  for (const [index, { name, input }] of calls.entries())
    model.enqueue({
      kind: "tool-calls",
      calls: [{ id: `call-${index}`, name, arguments: JSON.stringify(input) }],
    });
  model.enqueue({ kind: "text", chunks: ["Done."] });
  const { data = join(folder, "data"), env = {} } = options;
  await using host = await HostProcess.start({ data, config, cwd: folder, command, env });
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
