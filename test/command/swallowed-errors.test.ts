import { expect, test } from "bun:test";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { keys } from "../terminal/sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "../terminal/terminal-world.ts";

const refusal = { kind: "error", status: 400, body: '{"error":{"message":"The reason of it"}}' } as const;

test("[trial:swallowed-errors] a failed turn explains why in every output mode", async () => {
  await using world = await newTerminalWorld();
  world.model.enqueue(refusal, refusal, refusal, refusal, refusal);

  const plain = await world.run(["Hello there"]);
  const quiet = await world.run(["-q", "Hello there"]);
  const json = await world.run(["--json", "Hello there"]);
  const lines = await world.openLines();
  await lines.enterUntil("Hello there", "The reason of it");
  lines.type(keys.ctrl("d"));
  await lines.exited;
  const terminal = await world.open();
  await terminal.enterUntil("Hello there", "The reason of it");

  for (const { exitCode, stderr } of [plain, quiet, json])
    expect([exitCode, stderr]).toEqual([1, expect.stringContaining("The reason of it")]);
  expect(JSON.parse(json.stdout.trim().split("\n").at(-1) ?? "")).toMatchObject({
    type: "turn-end",
    status: "failed",
    error: { message: expect.stringContaining("The reason of it") },
  });
}, 300_000);

const broken = {
  throws: 'throw new Error("It cannot start");',
  syntax: "const = ;",
} as const;

async function newBrokenWorld(): Promise<TerminalWorld> {
  const world = await newTerminalWorld({
    config: 'extensions.paths = ["../../broken/throws", "../../broken/syntax", "../../broken/nothing"]\n',
  });
  for (const [name, code] of Object.entries(broken)) {
    const folder = join(world.home, "broken", name);
    await mkdir(join(folder, "src"), { recursive: true });
    const incipit = { id: `acme.${name}`, version: "1.0.0", api: "^1" };
    await Bun.write(join(folder, "package.json"), JSON.stringify({ type: "module", incipit }));
    await Bun.write(
      join(folder, "src/index.ts"),
      `import { defineExtension } from "@incipit/kernel";\nexport default defineExtension(${JSON.stringify(incipit)}, async () => {\n${code}\n});\n`,
    );
  }
  return world;
}

test("[trial:swallowed-errors] a failed extension is reported with answers, in the list, the terminal and doctor", async () => {
  await using world = await newBrokenWorld();

  const answered = await world.run(["Hello there"]);
  const { stdout: list } = await world.run(["extensions"]);
  const doctor = await world.run(["doctor"]);
  const sitting = world.sit({ columns: 160, rows: 40 });
  const screen = await sitting.sees("What to do: incipit doctor");

  expect(answered).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("Reply 1") });
  for (const text of [answered.stderr, list, screen.replaceAll(/\s+/g, " ")]) {
    expect(text).toContain("It cannot start");
    expect(text).toMatch(/acme\.syntax|broken\/syntax/);
    expect(text).toMatch(/broken\/nothing|folder\.nothing/);
  }
  expect(doctor.exitCode).toBe(1);
  expect(doctor.stdout).toMatch(
    /WRONG +extensions: "acme\.syntax" did not start .*syntax": src\/index\.ts:3:7: Expected .*; src\/index\.ts:3:7: .*\n/,
  );
  expect(doctor.stdout).toMatch(/WRONG +extensions: "folder\.nothing" did not start .*\n +at .*broken\/nothing\n/);
}, 300_000);

test("[trial:swallowed-errors] every command reports a configuration mistake with file, line and key", async () => {
  await using world = await newTerminalWorld({ config: "modell = 1" });

  for (const words of [["Hello there"], ["list"], ["extensions"], ["prompt", "show"], ["serve"]])
    expect([words, await world.run(words)]).toEqual([
      words,
      { exitCode: 1, stdout: "", stderr: expect.stringMatching(/incipit\.toml:5: key "modell" is unknown/) },
    ]);
  const sitting = world.sit({ columns: 160 });
  await sitting.sees('key "modell" is unknown');
  expect(await sitting.exited).toBe(1);
}, 300_000);

test("[trial:swallowed-errors] a failed tool is reported with its reason even when the model omits it", async () => {
  await using world = await newTerminalWorld({ config: "tools = { workspace = true }" });
  for (let times = 0; times < 2; times += 1) {
    world.model.enqueueCall("read_file", { path: "not-there.md" });
    world.model.enqueueText("All is well.");
  }

  const { stderr } = await world.run(["Read it"]);
  const sitting = await world.open({ columns: 160 });
  const screen = await sitting.enterUntil("Read it", "All is well.");

  expect(stderr).toMatch(/\[read_file\] .*not-there\.md.* failed: /);
  expect(screen).toMatch(/read_file not-there\.md[\s\S]*not-there\.md/);
}, 300_000);
