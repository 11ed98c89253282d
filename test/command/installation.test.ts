import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { HostProcess, incipit } from "../support/host-process.ts";

const { version } = await Bun.file(join(import.meta.dir, "../../packages/host-bin/package.json")).json();

test("incipit update lists newer versions and how to install the latest", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  const paths: string[] = [];
  using registry = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      paths.push(new URL(request.url).pathname);
      return Response.json({
        "dist-tags": { latest: "98.1.0" },
        versions: { [version]: {}, "98.0.0": {}, "98.1.0": {}, "99.0.0-beta.1": {} },
        time: { "98.1.0": "2026-12-24T18:00:00.000Z" },
      });
    },
  });
  // A folder's npm configuration is untrusted and ignored.
  await Bun.write(join(path, "work/.npmrc"), "registry=http://127.0.0.1:9/");
  await Bun.write(join(path, ".npmrc"), `registry=http://127.0.0.1:${registry.port}/npm`);

  const { exitCode, stdout } = await incipit(["update"], { cwd: join(path, "work"), home: path });

  expect(exitCode).toBe(0);
  const lines = stdout.trimEnd().split("\n");
  expect(lines[0]).toStartWith(`incipit 98.1.0 is there; this is ${version}, from `);
  expect(lines.slice(1, 3)).toEqual(["  98.1.0  of 2026-12-24", "  98.0.0"]);
  expect(lines[3]).toStartWith("To get it: ");
  expect(lines[4]).toStartWith("Nothing has been changed.");
  expect(paths).toEqual(["/npm/incipit"]);
});

test("incipit update reports a missing network, even with an invalid configuration", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  await Bun.write(join(path, ".config/incipit/incipit.toml"), "no = such key");
  const env = { npm_config_registry: "http://127.0.0.1:9/" };

  const { exitCode, stdout, stderr } = await incipit(["update"], { cwd: path, home: path, env });

  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: "" });
  expect(stderr).toStartWith('Cannot ask the registry "http://127.0.0.1:9/" for the newest version: ');
  expect(stderr).toEndWith("; nothing has been changed [REGISTRY_FAILED]\n");
});

const piecesSchema = z.object({
  pieces: z.array(
    z.object({ name: z.string(), path: z.string(), sizeBytes: z.int().optional(), remove: z.string() }),
  ),
});

test("incipit uninstall removes nothing, and its commands remove all but the program", async () => {
  await using folder = await createTempFolder();
  const home = join(folder.path, "Ada's home");
  const config = join(home, ".config/incipit/incipit.toml");
  const service = join(home, ".config/systemd/user/incipit.service");
  await Bun.write(config, "no = such key");
  await Bun.write(join(home, ".config/other/keep"), "");
  await Bun.write(service, "[Service]");
  const options = { cwd: home, home };
  const data = join(home, ".local/share/incipit");
  await Bun.write(join(data, "incipit.db"), "x".repeat(123_000));

  const shown = await incipit(["uninstall"], options);
  const { stdout } = await incipit(["uninstall", "--json"], options);

  expect(shown).toMatchObject({ exitCode: 0, stderr: "" });
  expect(shown.stdout).toContain("there is no other copy (123 KB)");
  const { pieces } = piecesSchema.parse(JSON.parse(stdout));
  expect(pieces.map(({ name }) => name)).toEqual(["service", "data", "configuration", "program"]);
  for (const { path, remove } of pieces) {
    expect(existsSync(path)).toBe(true);
    expect(shown.stdout).toContain(`  ${path}\n  ${remove}\n`);
  }
  const systemctl = join(folder.path, "bin/systemctl");
  await Bun.write(systemctl, "#!/bin/sh\nexit 0\n");
  await chmod(systemctl, 0o755);
  const env = { PATH: `${join(folder.path, "bin")}:${process.env["PATH"]}` };
  for (const { path, remove } of pieces.slice(0, 3)) {
    expect(Bun.spawnSync(["sh", "-c", remove], { cwd: home, env }).exitCode).toBe(0);
    expect(existsSync(path)).toBe(false);
  }
  expect(existsSync(join(home, ".config/other/keep"))).toBe(true);
});

test("incipit uninstall names a running host, and prints no command that removes other files", async () => {
  await using folder = await createTempFolder();
  const { path } = folder;
  const config = join(path, "mine/incipit.toml");
  await Bun.write(config, "");
  const data = join(path, "data");
  await using host = await HostProcess.start({ data, config, cwd: path });
  const places = ["--data", data, "--config", config];

  const { stdout } = await incipit(["uninstall", ...places], { cwd: path, home: path });
  expect(stdout).toContain(`end it first, with: kill ${host.pid}\n`);
  expect(stdout).toContain(`  ${config}\n  rm ${config}\n`);

  // It contains the user's home, or nothing that identifies it as Incipit's.
  await Bun.write(join(path, "host.lock"), "");
  for (const [given, home] of [
    [path, join(path, "home")],
    [join(path, "mine"), path],
  ] as const) {
    const careful = await incipit(["uninstall", "--data", given], { cwd: path, home });
    expect(careful.stdout).toContain(`  ${given}\n  other things may be there, too`);
  }
});
