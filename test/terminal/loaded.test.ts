import { expect, test } from "bun:test";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, sourceCommand } from "../support/host-process.ts";
import { keys } from "./sitting.ts";
import { newTerminalWorld } from "./terminal-world.ts";

const filesSchema = z.array(z.string());

async function loadedFor(answer: string): Promise<readonly string[]> {
  await using world = await newTerminalWorld();
  const [list, report] = [join(world.home, "loaded.json"), join(world.home, "report.ts")];
  await Bun.write(
    report,
    `process.on("exit", () => require("node:fs").writeFileSync(${JSON.stringify(list)}, JSON.stringify(Object.keys(require.cache))));`,
  );
  await using host = await HostProcess.start({
    data: join(world.home, ".local/share/incipit"),
    config: join(world.home, ".config/incipit/incipit.toml"),
    cwd: world.work,
    command: sourceCommand,
  });
  world.model.enqueueText(answer);
  const [bun = "", ...rest] = sourceCommand;
  const sitting = world.sit({ command: [bun, "--preload", report, ...rest] });
  await sitting.sees(`at ${host.url}`);
  await sitting.sees("local/test");
  await sitting.enterUntil("Hello", "It is low.");
  sitting.type(keys.ctrl("d"));
  expect(await sitting.exited).toBe(0);
  const loaded = filesSchema.parse(await Bun.file(list).json());
  expect(loaded.some((file) => file.includes("packages/terminal/src/app"))).toBe(true);
  return loaded.map((file) => file.slice(file.lastIndexOf("node_modules/") + 1));
}

const isOfLanguages = (file: string): boolean => /lowlight|highlight\.js/.test(file);

test("the terminal on a separate host: loads no host code, and no languages without code", async () => {
  const loaded = await loadedFor("It is low.");

  expect(
    loaded.filter((file) => /core-extensions|host-bin\/src\/create-host|core-schema|\/extensions\//.test(file)),
  ).toEqual([]);
  expect(loaded.filter(isOfLanguages)).toEqual([]);
});

test("the terminal on a separate host: loads languages for code", async () => {
  const loaded = await loadedFor("```ts\nconst tide = 1;\n```\n\nIt is low.");

  expect(loaded.filter(isOfLanguages)).not.toBeEmpty();
});
