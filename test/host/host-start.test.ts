import type { TurnEvent, TurnId } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { createClient, turnAcceptedResponseSchema } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { followed } from "../support/acknowledged.ts";
import { HostProcess } from "../support/host-process.ts";

async function writeExtension(folder: string, id: string, activate: string): Promise<string> {
  const path = join(folder, id);
  const manifest = { id, version: "1.0.0", api: "^1", contributes: ["tools@1", "model-providers@1"] };
  await Bun.write(join(path, "package.json"), JSON.stringify({ name: id, type: "module", incipit: manifest }));
  const code = `import { defineExtension } from "@incipit/kernel";
import { modelProvidersPoint, toolsPoint } from "@incipit/service-contract";
export default defineExtension(${JSON.stringify(manifest)}, (host) => { ${activate} });\n`;
  await Bun.write(join(path, "src/index.ts"), code);
  return path;
}

const tool = `host.contribute(toolsPoint, {
  name: "temperature", description: "Temperature", inputSchema: { type: "object" }, approval: "allow",
  execute: async () => "21",
})`;

const provider = `host.contribute(modelProvidersPoint, {
  id: "folder", models: ["one"], problem: null,
  async *stream() {
    yield { type: "text-start", partId: "0" };
    yield { type: "text-delta", partId: "0", text: "From the folder" };
    yield { type: "text-end", partId: "0" };
    const usage = { inputTokens: null, outputTokens: null, cacheReadTokens: null, cacheWriteTokens: null };
    yield { type: "finish", usage, finishReason: "stop" };
  },
})`;

async function send(host: HostProcess, id: string, body: Readonly<Record<string, string>>): Promise<TurnId> {
  const accepted = await host.json(`/conversations/${id}/turns`, { body, headers: { prefer: "respond-async" } });
  return turnAcceptedResponseSchema.parse(accepted).turnId;
}

test("[never-lost] a queued turn after SIGKILL has the tools and providers of folder extensions", async () => {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const paths = [
    await writeExtension(folder.path, "acme.tool", tool),
    await writeExtension(folder.path, "acme.provider", provider),
  ];
  const options = { data: join(folder.path, "data"), config: join(folder.path, "incipit.toml"), cwd: folder.path };
  await Bun.write(
    options.config,
    `model = "local/test"\n[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  model.enqueue({ kind: "never" });
  const sent: TurnId[] = [];
  let id;
  {
    await using host = await HostProcess.start(options);
    const grant = { contributes: ["tools@1", "model-providers@1"] };
    for (const path of paths) await host.json("/extensions", { body: { path, grant } });
    ({ id } = await host.createConversation());
    for (const body of [{ input: "one" }, { input: "two" }, { input: "three", model: "folder/one" }])
      sent.push(await send(host, id, body));
    await model.waitForRequests(1);
    await host.kill("SIGKILL");
  }

  await using host = await HostProcess.start(options);
  const ends: TurnEvent[] = [];
  for await (const event of followed(createClient({ url: host.url, token: host.token }), id)) {
    if (event.type === "turn-end" || event.type === "text-end") ends.push(event);
    if (event.type === "turn-end" && event.turnId === sent.at(-1)) break;
  }

  expect(model.requests.map(({ body }) => body.includes('"temperature"'))).toEqual([true, true]);
  expect(ends.filter(({ type }) => type === "turn-end")).toMatchObject([
    { turnId: sent[0], status: "interrupted" },
    { turnId: sent[1], status: "completed" },
    { turnId: sent[2], status: "completed" },
  ]);
  expect(ends.at(-2)).toMatchObject({ type: "text-end", text: "From the folder" });
}, 300_000);
