import { conversationToolsResponseSchema } from "@incipit/schema";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit } from "../support/host-process.ts";
import { prefixOf } from "../support/request-body.ts";

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
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer({ isStrict: true });
  const notes = join(folder.path, "notes");
  const config = join(folder.path, "incipit.toml");
  const configure = async (head: string, paths: readonly string[]): Promise<void> => {
    const provider = `[providers.local]\nkind = "openai-compatible"\nbase_url = "${model.url}"\n`;
    await Bun.write(
      config,
      `${head}\nmodel = "local/test"\nextensions.paths = ${JSON.stringify(paths)}\n${provider}`,
    );
  };
  const options = { data: join(folder.path, "data"), config, cwd: folder.path };
  await writeExtension(notes, '{ type: "object", properties: { text: { type: "string" } } }');
  await configure("tools.workspace = true", [notes]);
  let id = "";
  {
    await using host = await HostProcess.start(options);
    ({ id } = await host.createConversation());
    await host.turn(id, { input: "one" });
    await host.kill("SIGKILL");
  }
  await writeExtension(notes, '{ properties: { text: { type: "string" } }, type: "object" }');
  await configure("", [notes]);
  {
    await using host = await HostProcess.start(options);
    model.enqueue({ kind: "tool-calls", calls: [{ id: "call-1", name: "note", arguments: "{}" }] });
    const events = await host.turn(id, { input: "two" });
    expect(events.find(({ type }) => type === "tool-call-end")).toMatchObject({ output: "noted" });
    await host.kill("SIGKILL");
  }
  await rm(notes, { recursive: true });
  await configure("", []);
  {
    await using host = await HostProcess.start(options);
    model.enqueue({ kind: "tool-calls", calls: [{ id: "call-2", name: "note", arguments: "{}" }] });
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

  const bodies = model.requests.map(({ body }) => body);

  expect(bodies.map(toolNames)).toEqual([
    ...Array.from({ length: 6 }, () => [
      "edit_file",
      "find_files",
      "list_folder",
      "note",
      "read_file",
      "search",
      "shell",
      "write_file",
    ]),
    [],
  ]);
  for (const [index, body] of bodies.slice(1, 5).entries()) expect(body).toStartWith(prefixOf(bodies[index] ?? ""));
}, 300_000);

test("incipit reports unavailable tools and still calls the model", async () => {
  await using folder = await createTempFolder();
  const source = { id: "acme.source", version: "1.0.0", api: "^1", contributes: ["tool-sources@1"] };
  const path = join(folder.path, "source");
  const config = join(folder.path, "incipit.toml");
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
  await Bun.write(config, `extensions.paths = ["${path}"]\n`);

  const result = await incipit(["Hello", "--data", join(folder.path, "data"), "--config", config], {
    cwd: folder.path,
    home: folder.path,
  });

  expect(result.exitCode).toBe(0);
  expect(result.stdout).toEndWith("You said: Hello\n");
  expect(result.stderr).toStartWith('The tools of tool source "acme" are missing: it is \\u001b[31mbroken\n');
}, 300_000);
