import type { TurnEvent, TurnId } from "@incipit/schema";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { followed } from "../support/acknowledged.ts";
import { World } from "../support/world.ts";

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

test("[never-lost] a queued turn after SIGKILL has the tools and providers of folder extensions", async () => {
  await using world = await World.start();
  const { model, home } = world;
  const paths = [
    await writeExtension(home, "acme.tool", tool),
    await writeExtension(home, "acme.provider", provider),
  ];
  model.enqueue({ kind: "never" });
  const sent: TurnId[] = [];
  const killed = await world.host();
  const grant = { contributes: ["tools@1", "model-providers@1"] };
  for (const path of paths) await killed.json("/extensions", { body: { path, grant } });
  const { id } = await killed.createConversation();
  for (const body of [{ input: "one" }, { input: "two" }, { input: "three", model: "folder/one" }])
    sent.push(await killed.send(id, body));
  await model.waitForRequests(1);
  await killed.kill("SIGKILL");

  const host = await world.host();
  const ends: TurnEvent[] = [];
  for await (const event of followed(host.client, id)) {
    if (event.type === "turn-end" || event.type === "text-end") ends.push(event);
    if (event.type === "turn-end" && event.turnId === sent.at(-1)) break;
  }

  expect(world.bodies.map((body) => body.includes('"temperature"'))).toEqual([true, true]);
  expect(ends.filter(({ type }) => type === "turn-end")).toMatchObject([
    { turnId: sent[0], status: "interrupted" },
    { turnId: sent[1], status: "completed" },
    { turnId: sent[2], status: "completed" },
  ]);
  expect(ends.at(-2)).toMatchObject({ type: "text-end", text: "From the folder" });
}, 300_000);
