import { toolQuirks } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { HostProcess } from "../support/host-process.ts";
import { World } from "../support/world.ts";

let world: World;
let host: HostProcess;

beforeAll(async () => {
  const config = 'tools.workspace = true\napprovals.allow = ["edit_file", "write_file", "shell"]';
  world = await World.start({ config, model: { isStrict: true } });
  host = await world.host();
}, 120_000);
afterAll(() => world[Symbol.asyncDispose]());

for (const { id, does, files = {}, calls, sees } of toolQuirks) {
  test(`built-in tools, quirk ${id}: ${does}`, async () => {
    const { model } = world;
    const cwd = world.path(id);
    await mkdir(cwd);
    for (const [name, content] of Object.entries(files)) await Bun.write(join(cwd, name), content);
    for (const [index, { name, input }] of calls.entries()) {
      const text = JSON.stringify(input).replaceAll("CALL", `${id}-0`);
      model.enqueue({ kind: "tool-calls", calls: [{ id: `${id}-${index}`, name, arguments: text }] });
    }
    model.enqueueText("Done.");
    const conversation = await host.createConversation({ cwd });

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
  const { model } = world;
  const { client } = host;
  model.enqueueCall("shell", { command: "echo first; echo second; sleep 1000" });
  const { id } = await host.createConversation();
  await host.send(id, "go");
  for await (const event of client.followEvents(id, { afterSeq: 0 }))
    if (event.type === "tool-call-progress" && event.message === "second") break;

  await client.call(routes.stopConversation, { params: { id } });
  for await (const event of client.followEvents(id, { afterSeq: 0 })) if (event.type === "turn-end") break;
  model.enqueueText("Done.");
  await host.turn(id, { input: "on" });

  expect(world.lastBody).toContain("first\\nsecond\\n[stopped]");
}, 120_000);
