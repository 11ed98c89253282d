import {
  auditedConversationSchema,
  auditedStepSchema,
  auditSummarySchema,
  type ConversationId,
} from "@incipit/schema";
import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { World } from "../support/world.ts";

const guide = join(import.meta.dir, "../../docs/guide/cache-breaks.md");
const idPattern = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

async function newestId(world: World): Promise<string> {
  return (await world.run(["conversations"])).stdout.slice(0, 36);
}

function comparable(text: string): string {
  return text
    .replaceAll(idPattern, "ID")
    .replaceAll(/\d{4}-\d\d-\d\d /g, "DATE ")
    .replaceAll(/\d\d:\d\d:\d\d/g, "TIME")
    .replaceAll(/byte \d+|\d+(?= of "system")/g, "byte N")
    .replaceAll(/(?<!100) ?\b\d\d? +%/g, " N %")
    .replaceAll(/[▒░]{10,}/g, "BAR")
    .replaceAll(/ +/g, " ");
}

test("the guide's page about cache breaks shows the actual output", async () => {
  const text = await Bun.file(guide).text();
  const [, config = ""] = /```toml\n([\s\S]*?)```/.exec(text) ?? [];
  const blocks = [...text.matchAll(/```console\n([\s\S]*?)```/g)].map(([, block = ""]) => block);
  expect([config.includes("system:time"), blocks.length]).toEqual([true, 2]);

  await using world = await World.start({ config: () => config });
  await world.run(["Where does the river rise?"]);
  const id = await newestId(world);
  await world.run(["-s", id, "And where does it end?"]);
  for (const [index, block] of blocks.entries()) {
    if (index === 1) await world.configure(() => config.replace('prompt_refresh = "turn"\n', ""));
    for (const part of block.split(/^\$ incipit /m).slice(1)) {
      const [command = "", ...lines] = part.split("\n");
      const args = [...command.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? "");
      const { exitCode, stdout } = await world.run(args.map((word) => word.replace(idPattern, id)));
      expect(exitCode).toBe(0);
      const printed = comparable(stdout).split("\n");
      const missing = lines.map(comparable).filter((line) => line !== "" && !printed.includes(line));
      expect({ command, missing, printed: missing.length === 0 ? [] : printed }).toEqual({
        command,
        missing: [],
        printed: [],
      });
    }
  }
}, 300_000);

test("incipit audit --json prints steps with totals, and conversations with totals", async () => {
  await using world = await World.start();
  await world.run(["One"]);
  const id = await newestId(world);
  await world.run(["-s", id, "Two"]);
  await world.run(["Another"]);

  const lines = (text: string): unknown[] =>
    text
      .trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line));
  const ofOne = lines((await world.run(["audit", "-s", id, "--json"])).stdout);
  const ofAll = lines((await world.run(["audit", "--json"])).stdout);

  const steps = z.array(auditedStepSchema).parse(ofOne.slice(0, -1));
  expect(steps.map(({ verdict, share }) => [verdict, share])).toEqual([
    ["first", null],
    ["held", 1],
  ]);
  expect(z.object({ summary: auditSummarySchema }).parse(ofOne.at(-1)).summary).toMatchObject({
    steps: 2,
    held: 1,
  });
  expect(
    z
      .array(auditedConversationSchema)
      .parse(ofAll.slice(0, -1))
      .map(({ title }) => title),
  ).toEqual(["Another", "One"]);
  expect(z.object({ totals: auditSummarySchema }).parse(ofAll.at(-1)).totals).toMatchObject({ steps: 3, held: 1 });
}, 300_000);

test("incipit audit shows tokens, cached share and cost of a break, and rejects unknown arguments", async () => {
  await using world = await World.start({
    config: `system_prompt = "${"Be brief. ".repeat(800)}"`,
    model: { usage: "simulated", cache: { minTokens: 1, unitTokens: 1 } },
  });
  await world.run(["One"]);
  const id = await newestId(world);
  await world.run(["-s", id, "Two"]);
  await world.run(["-s", id, "Three", "--model", "local/other"]);

  const shown = await world.run(["audit", id]);
  const broken = await world.run(["audit", "broken", "--reason", "model-changed", "--since", "2020-01-01"]);
  const none = await world.run(["audit", "broken", "--reason", "tools-changed"]);
  const wrong = await Promise.all(
    [
      ["nonsense"],
      [id, "more"],
      ["--reason", "model-chnged"],
      ["--since", "tomorrow-ish"],
      [id, "--reason", "compaction"],
    ].map((args) => world.run(["audit", ...args])),
  );

  const [, second = "", third = ""] = shown.stdout.split("\n").filter((line) => /^[ !·] +\d+ /.test(line));
  expect(second).toMatch(/^ .* 2,\d{3} {2}kept 100 % {2}█{26,}/);
  expect(third).toMatch(/^! .* kept 0 % +░+$/);
  expect(shown.stdout).toContain('another model (model-changed)\n         "local/other" has its own cache');
  expect(broken.stdout).toMatch(
    new RegExp(`^! ${id} +3 +\\d+ % +1 {2}One\\n {4}another model \\(model-changed\\)$`, "m"),
  );
  expect(broken.stderr).toContain("incipit audit ID");
  expect(none).toMatchObject({ exitCode: 0, stdout: "" });
  expect(wrong.map(({ exitCode }) => exitCode)).toEqual([2, 2, 2, 2, 2]);
  expect(wrong[2]?.stderr).toContain('did you mean "model-changed"');
}, 300_000);

test("incipit audit explains each cause once, wraps lines, and abbreviates intact runs", async () => {
  const text = 'system_prompt = "It is [system:time]."';
  await using world = await World.start();
  const talk = async (settings: string, turns: number, given?: ConversationId): Promise<ConversationId> => {
    await world.configure(settings);
    await using host = await world.host();
    const id = given ?? (await host.createConversation()).id;
    for (let turn = 0; turn < turns; turn += 1)
      await host.turn(id, { input: `A question that is longer than the room for a title has it ${turn}` });
    return id;
  };

  const id = await talk(`${text}\nprompt_refresh = "turn"`, 3);
  await talk(text, 14, id);
  await world.run(["conversations", "rebuild", id]);
  await talk(text, 1, id);
  const one = await world.run(["audit", id]); // Sequential, since each runs the host in-process.
  const all = await world.run(["audit"]);
  const json = await world.run(["audit", id, "--json"]);

  const lines = [...one.stdout.split("\n"), ...all.stdout.split("\n")];
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
  expect(one.stdout.match(/^! /gm)).toHaveLength(2);
  expect(one.stdout.match(/-> set prompt_refresh/g)).toHaveLength(1);
  expect(one.stdout.match(/^ {2} {0,3}\d+ /gm)).toHaveLength(1 + 3 + 3);
  expect(one.stdout).toMatch(/^· {3}18 /m);
  expect(all.stdout).toContain("    the prompt was rebuilt (prompt-rebuilt) × 3; 1 on request\n");
  expect(one.stdout).toMatch(/^ {5}… {2}8 more with an intact prefix/m);
  expect(all.stdout).toContain("…\n");
  expect(json.stdout.trimEnd().split("\n")).toHaveLength(18 + 1);
}, 300_000);
