import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";

const embedding = `
import ${JSON.stringify(join(import.meta.dir, "launch.ts"))};
import { systemClock } from ${JSON.stringify(join(import.meta.dir, "drivers/clock.ts"))};
import { createSpawn } from ${JSON.stringify(join(import.meta.dir, "drivers/programs/spawn.ts"))};
import { Programs } from ${JSON.stringify(join(import.meta.dir, "drivers/programs/programs.ts"))};

const log = { debug() {}, info() {}, warn() {}, error() {} };
const programs = new Programs({ dataFolder: process.argv[2] ?? "", isConfined: true, log });
const spawn = createSpawn("acme.tools", true, { clock: systemClock, env: process.env, programs });
const { stdout } = await spawn.run("echo", ["it runs"], { cwd: "/", timeoutMs: 10_000, maxOutputBytes: 100 });
process.stdout.write(stdout);
`;

for (const kind of ["sources", "bundle", "one file"] as const)
  test(`a program that embeds a host and runs from its ${kind} can start programs`, async () => {
    await using temp = await createTempFolder();
    const source = join(temp.path, "embedding.ts");
    await Bun.write(source, embedding);
    const built = join(temp.path, "built/embedding");
    const ways = {
      sources: { build: undefined, command: [process.execPath, source] },
      bundle: { build: ["--target=bun", `--outfile=${built}.js`], command: [process.execPath, `${built}.js`] },
      "one file": { build: ["--compile", `--outfile=${built}`], command: [built] },
    };
    const { build, command } = ways[kind];
    if (build !== undefined) {
      const { exitCode, stderr } = Bun.spawnSync([process.execPath, "build", source, ...build], { stderr: "pipe" });
      expect([exitCode, exitCode === 0 ? "" : stderr.toString()]).toEqual([0, ""]);
    }

    const { stdout } = Bun.spawnSync([...command, temp.path], { cwd: temp.path, stderr: "inherit" });

    expect(stdout.toString()).toBe("it runs\n");
  }, 300_000);
