import { expect, test } from "bun:test";
import { createTempFolder } from "@incipit/testkit";
import { join } from "node:path";
import { HostProcess, incipit } from "./host-process.ts";

const root = join(import.meta.dir, "..");

/** The commands of the README's shell blocks, without comments. */
async function readmeCommands(): Promise<readonly string[]> {
  const text = await Bun.file(join(root, "README.md")).text();
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)]
    .flatMap(([, block = ""]) => block.split("\n"))
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

test("README names the pinned Bun and scripts that exist", async () => {
  const { packageManager, scripts } = await Bun.file(join(root, "package.json")).json();

  const commands = await readmeCommands();

  expect(commands.length).toBeGreaterThan(4);
  for (const command of commands) {
    const [, version] = /^npx --yes (bun@\S+)/.exec(command) ?? [];
    if (version !== undefined) expect(version).toBe(packageManager);
    const [, script] = /bun(?:@\S+)? run (?:--silent )?(\w+)/.exec(command) ?? [];
    if (script !== undefined) expect(Object.keys(scripts)).toContain(script);
  }
});

test("README's first conversation runs as it is written", async () => {
  await using folder = await createTempFolder();
  const options = { cwd: folder.path, home: folder.path };
  const quoted = (await readmeCommands())
    .filter((command) => command.startsWith("bun run incipit "))
    .map((command) =>
      [...command.slice("bun run incipit ".length).matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
        ([, a, b, c]) => a ?? b ?? c ?? "",
      ),
    );
  expect(quoted.length).toBeGreaterThanOrEqual(3);

  for (const args of quoted) {
    const result = await incipit(args, options);
    expect({ args, ...result }).toMatchObject({ exitCode: 0 });
  }
}, 30_000);

test("README's requests over HTTP are answered", async () => {
  await using folder = await createTempFolder();
  const config = join(folder.path, "incipit.toml");
  await Bun.write(config, "");
  await using host = await HostProcess.start({ data: join(folder.path, "data"), config, cwd: folder.path });
  const paths = (await readmeCommands())
    .filter((command) => command.startsWith("curl "))
    .map((command) => new URL(command.split(" ").at(-1) ?? "").pathname);
  expect(paths.length).toBeGreaterThan(0);

  for (const path of paths) expect((await host.fetch(path)).status).toBe(200);
}, 30_000);
