import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { confirm } from "./answer.ts";
import { expectScreen, said } from "./said.ts";
import { keys, type Sitting } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const config = 'tools.workspace = true\napprovals.allow = ["edit_file", "write_file", "shell"]';
const idSchema = z.object({ id: z.string() });
const original = "one\ntwo\nthree\n";

async function changed(world: TerminalWorld, columns = 80): Promise<Sitting> {
  await world.write("tides.md", original);
  await world.write("mine.md", "one\n");
  const calls = [
    { name: "edit_file", arguments: JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" }) },
    { name: "edit_file", arguments: JSON.stringify({ path: "mine.md", oldText: "one", newText: "two" }) },
    { name: "write_file", arguments: JSON.stringify({ path: "new.md", content: "New" }) },
    { name: "shell", arguments: JSON.stringify({ command: "true" }) },
  ].map((call, index) => ({ id: `call-${index}`, ...call }));
  world.model.enqueue({ kind: "tool-calls", calls });
  world.model.enqueueText("Changed.");
  const sitting = await world.open({ columns, rows: 60 });
  await said(sitting, "Count right", "Changed.");
  await world.write("mine.md", "two, and mine\n");
  return sitting;
}

for (const columns of [50, 80])
  test(`/undo lists changes and unchanged files, and restores files when confirmed, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    const sitting = await changed(world, columns);

    const asked = await sitting.enterUntil("/undo", "> Restore the files");
    const before = await world.read("tides.md");
    await sitting.typeUntil(keys.enter, "Restored: new.md, tides.md");
    await sitting.sees(/The original is\s+unchanged/);

    await expectScreen(asked.slice(asked.indexOf("Changed.")), { name: "undo", columns });
    const log = sitting.everything();
    expect(log.lastIndexOf("Restored: new.md")).toBeGreaterThan(log.lastIndexOf("You are now in the copy"));
    expect(before).toBe("one\nfour\nthree\n");
    expect(await world.read("tides.md")).toBe(original);
    expect(await world.has("new.md")).toBe(false);
    expect(await world.read("mine.md")).toBe("two, and mine\n");
  }, 60_000);

test("/undo can leave the files, and leaving the question changes nothing", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await changed(world);

  await sitting.enterUntil("/undo", "Cancel");
  await sitting.typeUntil(keys.escape, "Nothing was changed");
  sitting.enter("/undo");
  await confirm(sitting, "Restore the files", "Leave the files unchanged");
  await sitting.sees(/The original is\s+unchanged/);

  expect(sitting.everything()).toContain("The files were not changed. To restore them later: /redo, then /undo");
  expect(await world.read("tides.md")).toBe("one\nfour\nthree\n");
}, 60_000);

for (const columns of [50, 80])
  test(`/redo returns to the conversation before /undo and reapplies its files, at ${columns} columns`, async () => {
    await using world = await newTerminalWorld({ config });
    const sitting = await changed(world, columns);
    await said(sitting, "/redo", "nothing to redo");
    sitting.enter("/undo");
    await confirm(sitting, "Restore the files");
    await sitting.sees(/The original is\s+unchanged/);
    sitting.type(keys.ctrl("u"));

    await sitting.enterUntil("/redo", /reapply\s+the\s+file\s+changes\?\s+\(2\s+files\)/);
    const asked = await sitting.sees("> Reapply the changes to the files");
    await sitting.typeUntil(keys.enter, "Reapplied: new.md, tides.md");
    await sitting.sees("You are back in the original conversation");
    await said(sitting, "And the tests?", "Reply");

    await expectScreen(asked.slice(asked.lastIndexOf("  new.md")), { name: "redo", columns });
    expect(await world.read("tides.md")).toBe("one\nfour\nthree\n");
    expect(await world.read("new.md")).toBe("New");
    expect(world.lastBody).toContain("Count right");
  }, 60_000);

test("/redo in a copy without restored files changes none, despite restorations in other copies", async () => {
  await using world = await newTerminalWorld({ config });
  const sitting = await changed(world);
  const { id } = idSchema.parse(JSON.parse((await world.run(["list", "--json"])).stdout));
  const fork = idSchema.parse(JSON.parse((await world.run(["conversations", "fork", id, "--json"])).stdout));
  sitting.enter("/undo");
  await confirm(sitting, "Restore the files");
  await sitting.sees(/The original is\s+unchanged/);
  sitting.type(keys.ctrl("u"));
  await said(sitting, `/resume ${fork.id}`, /Opened ".*"/);

  await sitting.enterUntil("/redo", "You are back in the original conversation");

  expect(sitting.everything()).not.toContain("reapply the file changes?");
  expect(await world.read("tides.md")).toBe(original);
}, 60_000);

/** Claims to write some hundred files, which another process writes. */
const maker = `import { defineExtension } from "@incipit/kernel";
import { toolsPoint } from "@incipit/service-contract";
export default defineExtension(
  { id: "acme.maker", version: "1.0.0", api: "^1", contributes: ["tools@1"] },
  (host) => {
    host.contribute(toolsPoint, {
      name: "make",
      description: "Makes files",
      inputSchema: { type: "object" },
      async execute({ names }, { cwd, keepFile }) {
        for (const name of names)
          await keepFile({ path: cwd + "/" + name, before: null, after: new TextEncoder().encode(name) });
        return "Made";
      },
    });
  },
);
`;

test("/undo restores more files than one request may name", async () => {
  await using folder = await createTempFolder();
  const manifest = { id: "acme.maker", version: "1.0.0", api: "^1", contributes: ["tools@1"] };
  await Bun.write(join(folder.path, "package.json"), JSON.stringify({ type: "module", incipit: manifest }));
  await Bun.write(join(folder.path, "src/index.ts"), maker);
  await using world = await newTerminalWorld({
    config: `tools.workspace = true\napprovals.allow = ["make"]\nextensions.paths = ["${folder.path}"]`,
  });
  const names = Array.from({ length: 1_001 }, (_, index) => `made-${index}`);
  const calls = [names.slice(0, 600), names.slice(600)].map((some, index) => ({
    id: `call-${index}`,
    name: "make",
    arguments: JSON.stringify({ names: some }),
  }));
  world.model.enqueue({ kind: "tool-calls", calls }, { kind: "text", chunks: ["Changed."] });
  const sitting = await world.open({ columns: 100 });
  await said(sitting, "Count right", "Changed.");
  for (const name of names) await Bun.write(join(world.work, name), name);

  await sitting.enterUntil("/undo", "(1001 files)");
  await confirm(sitting, "Restore the files");
  await sitting.sees(/The original is\s+unchanged/);
  await sitting.sees("981 more");

  expect((await readdir(world.work)).filter((name) => name.startsWith("made-"))).toEqual([]);
}, 120_000);

test("/undo names files that cannot be restored because their content was too large", async () => {
  await using world = await newTerminalWorld({ config });
  await world.write("tides.md", original);
  const input = { path: "tides.md", content: `${"large ".repeat(180_000)}\n`, overwrite: true };
  world.model.enqueueCall("write_file", input);
  world.model.enqueueText("Changed.");
  const sitting = await world.open({ columns: 100 });
  await said(sitting, "Count right", "Changed.");

  sitting.enter("/undo");
  await confirm(sitting, "Restore the file");
  await sitting.sees(/The original is\s+unchanged/);

  expect(sitting.everything()).toMatch(/The content of tides\.md was not kept:\s+you\s+cannot\s+redo\s+this/);
  expect(await world.read("tides.md")).toBe(original);
}, 60_000);

test("/undo lists removed folders, and /redo creates them again", async () => {
  await using world = await newTerminalWorld({ config });
  const input = JSON.stringify({ path: "notes/deep/new.md", content: "New" });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "write_file", arguments: input }] },
    { kind: "text", chunks: ["Changed."] },
  );
  const sitting = await world.open({ columns: 100 });
  await said(sitting, "Count right", "Changed.");

  sitting.enter("/undo");
  await confirm(sitting, "Restore the file");
  await sitting.sees("Also removed empty folders: notes/deep, notes");
  await sitting.sees(/The original is\s+unchanged/);
  const after = await readdir(world.work);
  sitting.type(keys.ctrl("u"));
  await sitting.enterUntil("/redo", /Return\s+to\s+the\s+original,\s+and\s+reapply\s+the\s+file/);
  await confirm(sitting, "Reapply the changes to the file");
  await sitting.sees("Reapplied: notes/deep/new.md");

  expect(after).not.toContain("notes");
  expect(await world.read("notes/deep/new.md")).toBe("New");
}, 60_000);

test("/undo in screen reader mode lists the files, and restores them when their number is entered", async () => {
  await using world = await newTerminalWorld({ config });
  await world.write("tides.md", original);
  const input = JSON.stringify({ path: "tides.md", oldText: "two", newText: "four" });
  world.model.enqueue(
    { kind: "tool-calls", calls: [{ id: "call-1", name: "edit_file", arguments: input }] },
    { kind: "text", chunks: ["Changed."] },
  );
  const sitting = await world.openLines();
  await sitting.enterUntil("Count right", "Changed.");

  const asked = await sitting.enterUntil("/undo", "Number, or Enter to cancel");
  await sitting.enterUntil("1", "Restored: tides.md");
  await sitting.sees("Not sent:");

  expect(asked).toMatch(/tides\.md: will be restored[\s\S]*-four[\s\S]*\+two[\s\S]*1: Restore the file/);
  expect(await world.read("tides.md")).toBe(original);
}, 60_000);
