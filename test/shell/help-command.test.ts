import { expect, test } from "bun:test";
import { testedCommand } from "../support/host-process.ts";
import { World } from "../support/world.ts";
import { expectScreen } from "./expected-screen.ts";

test("incipit --help fits COLUMNS, and 80 columns in a pipe", async () => {
  await using world = await World.start();

  for (const command of [[], ["all"], ["list"], ["schedules"], ["run"]])
    for (const columns of [50, 80]) {
      const env: Readonly<Record<string, string>> = columns === 80 ? {} : { COLUMNS: String(columns) };
      const { exitCode, stdout } = await world.run(
        command[0] === "all" ? ["help", "all"] : [...command, "--help"],
        { env },
      );
      expect(exitCode).toBe(0);
      expect(stdout.split("\n").filter((line) => line.length > columns)).toEqual([]);
      await expectScreen(`help-${[...command, columns].join("-")}`, stdout);
    }
}, 60_000);

test("incipit help of an unknown command reports it and exits with 2", async () => {
  await using world = await World.start();

  const [wrong, right] = await Promise.all([world.run(["help", "lst"]), world.run(["help", "list"])]);

  expect(wrong).toMatchObject({ exitCode: 2, stdout: expect.stringContaining('There is no command "lst"') });
  expect(right.exitCode).toBe(0);
});

test("incipit COMMAND --help fits 50 columns for every command", async () => {
  await using world = await World.start();
  const { stdout } = await world.run(["help", "all"], { env: { COLUMNS: "200" } });
  const names = new Set(
    [...stdout.matchAll(/^ {2}incipit ([a-z|]+)/gm)].flatMap(([, name = ""]) => name.split("|")),
  );
  const program = testedCommand.map((word) => `'${word}'`).join(" ");
  const script = `for name in ${[...names].join(" ")}; do echo "$ incipit $name --help"; ${program} $name --help; done`;

  const command = ["sh", "-c", script];
  const { screen, exitCode } = await world.atTerminal([], [], { command, columns: 50, term: "xterm" });

  const text = screen.replaceAll("\r\n", "\n");
  expect([names.size > 30, exitCode]).toEqual([true, 0]);
  expect(text.split("\n").filter((line) => Bun.stringWidth(line) > 50)).toEqual([]);
  await expectScreen("help-each-50", text);
}, 60_000);
