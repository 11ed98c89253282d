import { createTempFolder, startRecordingModelServer, toolQuirks } from "@incipit/testkit";
import { createClient, routes } from "@incipit/transport-contract";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { HostProcess } from "../support/host-process.ts";

const scope = new AsyncDisposableStack();
let world: Awaited<ReturnType<typeof start>>;

async function start(): Promise<{
  readonly root: string;
  readonly model: Awaited<ReturnType<typeof startRecordingModelServer>>;
  readonly host: HostProcess;
  readonly client: ReturnType<typeof createClient>;
}> {
  const { path: root } = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer({ isStrict: true }));
  const config = join(root, "incipit.toml");
  await Bun.write(
    config,
    `model = "local/test"\ntools.workspace = true\n[approvals]\nallow = ["edit_file", "write_file", "shell"]
[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`,
  );
  const host = scope.use(await HostProcess.start({ data: join(root, "data"), config, cwd: root }));
  return { root, model, host, client: createClient({ url: host.url, token: host.token }) };
}

beforeAll(async () => {
  world = await start();
}, 120_000);
afterAll(() => scope.disposeAsync());

for (const { id, does, files = {}, calls, sees } of toolQuirks) {
  test(`built-in tools, quirk ${id}: ${does}`, async () => {
    const { root, model, host, client } = world;
    const cwd = join(root, id);
    await mkdir(cwd);
    for (const [name, content] of Object.entries(files)) await Bun.write(join(cwd, name), content);
    for (const [index, { name, input }] of calls.entries()) {
      const text = JSON.stringify(input).replaceAll("CALL", `${id}-0`);
      model.enqueue({ kind: "tool-calls", calls: [{ id: `${id}-${index}`, name, arguments: text }] });
    }
    model.enqueue({ kind: "text", chunks: ["Done."] });
    const { conversation } = await client.call(routes.createConversation, { body: { cwd } });

    const events = await host.turn(conversation.id, { input: "go" });

    const end = events.findLast((event) => event.type === "tool-call-end");
    const result = end?.output ?? end?.error?.message ?? "";
    for (const part of sees.has ?? []) expect(result).toContain(part);
    for (const part of sees.lacks ?? []) expect(result).not.toContain(part);
    for (const [name, content] of Object.entries(sees.files ?? {}))
      expect(Buffer.from(await Bun.file(join(cwd, name)).bytes())).toEqual(Buffer.from(content));
  }, 120_000);
}

test("a stopped turn keeps its command's output for the next one", async () => {
  const { root, model, host, client } = world;
  const command = "echo first; echo second; sleep 1000";
  const call = { id: "stopped-0", name: "shell", arguments: JSON.stringify({ command }) };
  model.enqueue({ kind: "tool-calls", calls: [call] });
  const { conversation } = await client.call(routes.createConversation, { body: { cwd: root } });
  const { id } = conversation;
  await host.json(`/conversations/${id}/turns`, { body: { input: "go" }, headers: { prefer: "respond-async" } });
  for await (const event of client.followEvents(id, { afterSeq: 0 }))
    if (event.type === "tool-call-progress" && event.message === "second") break;

  await client.call(routes.stopConversation, { params: { id } });
  for await (const event of client.followEvents(id, { afterSeq: 0 })) if (event.type === "turn-end") break;
  model.enqueue({ kind: "text", chunks: ["Done."] });
  await host.turn(id, { input: "on" });

  expect(model.requests.at(-1)?.body).toContain("first\\nsecond\\n[stopped]");
}, 120_000);
