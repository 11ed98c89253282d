import { conversationToolsResponseSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { prefixOf } from "../support/request-body.ts";
import { World } from "../support/world.ts";

const manifest = { id: "acme.notes", version: "1.0.0", api: "^1", contributes: ["tools@1"] };

async function writeExtension(folder: string, schema: string): Promise<void> {
  await Bun.write(join(folder, "package.json"), JSON.stringify({ type: "module", incipit: manifest }));
  await Bun.write(
    join(folder, "src/index.ts"),
    `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";

export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  const execute = async () => "noted";
  host.contribute(toolsPoint, { name: "note", description: "Notes", approval: "allow", inputSchema: ${schema}, execute });
});
`,
  );
}

const bodySchema = z.object({
  tools: z.array(z.object({ function: z.object({ name: z.string() }) })).default([]),
});

function toolNames(body: string): readonly string[] {
  return bodySchema.parse(JSON.parse(body)).tools.map((entry) => entry.function.name);
}

test("[byte-prefix] an epoch's tools survive SIGKILL and changed extensions until the next epoch", async () => {
  await using world = await World.start({ model: { isStrict: true } });
  const { model } = world;
  const notes = join(world.home, "notes");
  const configure = (head: string, paths: readonly string[]): Promise<void> =>
    world.configure(`${head}\nextensions.paths = ${JSON.stringify(paths)}`);
  await writeExtension(notes, '{ type: "object", properties: { text: { type: "string" } } }');
  await configure("tools.workspace = true", [notes]);
  let id = "";
  {
    await using host = await world.host();
    ({ id } = await host.createConversation());
    await host.turn(id, { input: "one" });
    await host.kill("SIGKILL");
  }
  await writeExtension(notes, '{ properties: { text: { type: "string" } }, type: "object" }');
  await configure("", [notes]);
  {
    await using host = await world.host();
    model.enqueueCall("note");
    const events = await host.turn(id, { input: "two" });
    expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "noted" });
    await host.kill("SIGKILL");
  }
  await rm(notes, { recursive: true });
  await configure("", []);
  {
    await using host = await world.host();
    model.enqueueCall("note");
    const events = await host.turn(id, { input: "three" });
    expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({
      error: { code: "TOOL_UNAVAILABLE" },
    });
    const shown = conversationToolsResponseSchema.parse(await host.json(`/conversations/${id}/tools`));
    expect(shown.next).toMatchObject({ added: [], changed: [] });
    expect(shown.next.removed).toContain("note");
    await host.json(`/conversations/${id}/compact`, { method: "POST" });
    await host.turn(id, { input: "four" });
  }

  const { bodies } = world;

  const names = ["edit_file", "find_files", "list_folder", "note", "read_file", "search", "shell", "write_file"];
  expect(bodies.map(toolNames)).toEqual([...Array.from({ length: 6 }, () => names), []]);
  for (const [index, body] of bodies.slice(1, 5).entries()) expect(body).toStartWith(prefixOf(bodies[index] ?? ""));
}, 300_000);

test("incipit reports unavailable tools and still calls the model", async () => {
  await using world = await World.start({ config: 'extensions.paths = ["../../source"]' });
  const source = { id: "acme.source", version: "1.0.0", api: "^1", contributes: ["tool-sources@1"] };
  const path = join(world.home, "source");
  await Bun.write(join(path, "package.json"), JSON.stringify({ type: "module", incipit: source }));
  await Bun.write(
    join(path, "src/index.ts"),
    `import { defineExtension } from "@incipit/kernel";
import { toolSourcesPoint } from "@incipit/service-contract";

export default defineExtension(${JSON.stringify(source)}, (host) => {
  host.contribute(toolSourcesPoint, { id: "acme", tools: async () => { throw new Error("it is \\u001b[31mbroken"); } });
});
`,
  );

  const result = await world.run(["Hello"]);

  expect(result.exitCode).toBe(0);
  expect(result.stdout).toBe("Reply 1\n");
  expect(result.stderr).toStartWith('The tools of tool source "acme" are missing: it is \\u001b[31mbroken\n');
}, 300_000);
