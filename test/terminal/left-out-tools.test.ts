import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { said } from "./said.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const manifest = { id: "acme.query", version: "1.0.0", api: "^1", contributes: ["tools@1"] };

async function writeExtension(folder: string): Promise<void> {
  await Bun.write(join(folder, "package.json"), JSON.stringify({ type: "module", incipit: manifest }));
  await Bun.write(
    join(folder, "src/index.ts"),
    `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";

export default defineExtension(${JSON.stringify(manifest)}, (host) => {
  const inputSchema = { type: "object", properties: { $filter: { type: "string" } } };
  host.contribute(toolsPoint, { name: "query", description: "Queries", approval: "allow", inputSchema, execute: async () => "none" });
});
`,
  );
}

test("the terminal, /explain and /tools name a tool that a new model's provider rejects", async () => {
  await using folder = await createTempFolder();
  await writeExtension(folder.path);
  await using world = await newTerminalWorld({ config: `extensions.paths = [${JSON.stringify(folder.path)}]` });
  const sitting = await world.open({ columns: 160, rows: 60 });
  const first = await said(sitting, "Hello there", "Reply 1");
  const before = await said(sitting, "/explain", "SHA-256");
  await said(sitting, "/model local/claude-opus-5", "local/claude-opus-5");

  const switched = await said(sitting, "Hello again", "Reply 2");
  const explained = await said(sitting, "/explain", /! The tool "query"/);
  const tools = await said(sitting, "/tools", /! The tool "query"/);

  const named = /The tool "query" is omitted for this model: .*\$filter/;
  expect([first, before].join("\n")).not.toMatch(named);
  for (const text of [switched, explained, tools]) expect(text).toMatch(named);
}, 60_000);
