import { expect, test } from "bun:test";
import { createCommandWorld } from "./command-world.ts";
import { expectScreen } from "./expected-screen.ts";

test("incipit --help fits the width that COLUMNS has, and 80 columns in a pipe", async () => {
  await using world = await createCommandWorld();

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
