import { explainSchema, promptDriftSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { join } from "node:path";
import { HostWorld } from "../support/host-world.ts";

test("incipit prints the prompt's sources as tables, its drift with the cause, and rebuilds it", async () => {
  const config = 'system_prompt = "Rules:\\n[if file:AGENTS.md][file:AGENTS.md][else]none[endif] [file:none]"';
  await using world = await HostWorld.create({ model: "offline/echo", config });
  const home = world.folder;
  await Bun.write(join(home, "AGENTS.md"), "be brief");
  const host = await world.start();
  const { id } = await host.createConversation();
  const run = (...words: readonly string[]): ReturnType<HostWorld["run"]> => world.run(...words);

  const early = await run("conversations", "explain", id);
  const noDrift = await run("conversations", "drift", id);
  const refused = await run("conversations", "rebuild", id);
  const ofNew = await run("prompt", "explain");
  await host.turn(id, { input: "Hello" });
  const kept = await run("conversations", "explain", id);
  const json = await run("conversations", "explain", id, "--json");
  const same = await run("conversations", "drift", id);
  await Bun.write(join(home, "AGENTS.md"), "be long");
  const drift = await run("conversations", "drift", id);
  const driftJson = await run("conversations", "drift", id, "--json");
  const rebuilt = await run("conversations", "rebuild", id, "--note", "new rules");
  const again = await run("conversations", "rebuild", id);
  await host.json("/system-prompt", { method: "PUT", body: { template: "Stored." } });
  const ofTemplate = await run("conversations", "drift", id);
  const wrong = await Promise.all([
    run("conversations", "show", id, "--note", "x"),
    run("prompt", "versions", "x"),
  ]);

  expect([early.exitCode, early.stderr]).toEqual([0, expect.stringContaining("no prompt yet")]);
  expect([noDrift.exitCode, noDrift.stderr]).toEqual([0, expect.stringContaining("no prompt yet")]);
  expect([refused.exitCode, refused.stderr]).toEqual([1, expect.stringContaining("its first turn builds it")]);
  for (const { exitCode, stdout } of [ofNew, kept]) {
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^ {2}\* +\d +global +system_prompt of the configuration +the first that is set$/m);
    expect(stdout).toMatch(/^ {2}\[file:AGENTS\.md\] +8 bytes, not trusted +\/.*\/AGENTS\.md +\d+ ms$/m);
    expect(stdout).toMatch(/^ {2}\[file:none\] +absent: not-found +\/.*\/none/m);
    expect(stdout).toMatch(/^ {2}7-15 +\[file:AGENTS\.md\] +global +in \[if file:AGENTS\.md\] +"be brief"$/m);
    expect(stdout).toContain("16 bytes, about 4 tokens, SHA-256 ");
  }
  expect(explainSchema.parse(JSON.parse(json.stdout)).ranges).toHaveLength(3);
  expect(same.stdout).toStartWith("Nothing has changed");
  expect(drift.stdout).toContain(
    "# variable file:AGENTS.md: was 8 bytes, is 7 bytes\n@@ -1,2 +1,2 @@\n Rules:\n-be brief",
  );
  expect(ofTemplate.stdout).toContain("# template: was system_prompt of the configuration, is stored template");
  expect(ofTemplate.stdout).toContain(", $0.00\n");
  expect(drift.stdout).toContain(`\n-> incipit conversations rebuild ${id}\n`);
  expect(promptDriftSchema.parse(JSON.parse(driftJson.stdout)).isSame).toBe(false);
  expect([rebuilt.exitCode, rebuilt.stdout]).toEqual([0, expect.stringContaining("Rebuilt")]);
  expect(again.stdout).toStartWith("Nothing has changed");
  expect(await host.json(`/conversations/${id}/system-prompt`)).toMatchObject({
    systemPrompt: "Rules:\nbe long ",
    reason: "rebuild",
    note: "new rules",
  });
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2]);
}, 300_000);
