import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import * as z from "zod";
import { testedCommand } from "../support/host-process.ts";
import { World } from "../support/world.ts";

const folder = join(import.meta.dir, "../../deploy");

interface Instruction {
  readonly name: string;
  readonly value: string;
}

async function instructions(): Promise<readonly Instruction[]> {
  const text = await Bun.file(join(folder, "Dockerfile")).text();
  return text
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => ({ name: line.slice(0, line.indexOf(" ")), value: line.slice(line.indexOf(" ") + 1) }));
}

const wordsSchema = z.array(z.string());

test("the Dockerfile runs a host as non-root with one volume and a health check", async () => {
  const all = await instructions();
  const valuesOf = (name: string): readonly string[] =>
    all.filter((one) => one.name === name).map(({ value }) => value);
  const wordsOf = (text = ""): readonly string[] => wordsSchema.parse(JSON.parse(text.slice(text.indexOf("["))));
  expect(valuesOf("USER")).toEqual(["node"]);
  expect(valuesOf("VOLUME")).toEqual(['["/home/node"]']);
  const last = all.findIndex(({ name }) => name === "USER");
  expect(all.slice(last).map(({ name }) => name)).not.toContain("RUN");
  expect([...wordsOf(valuesOf("ENTRYPOINT")[0]), ...wordsOf(valuesOf("CMD")[0])]).toEqual(["incipit", "serve"]);
  const env = Object.fromEntries(
    (valuesOf("ENV")[0] ?? "")
      .split(" ")
      .map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]),
  );
  await using world = await World.start({ env });
  const host = await world.host();
  const [program = "", ...args] = wordsOf(valuesOf("HEALTHCHECK")[0]);
  const { port } = new URL(host.url);
  expect(args.join(" ")).toContain(`:${valuesOf("EXPOSE")[0]}/`);
  const check = async (): Promise<number> =>
    Bun.spawn([program, ...args.map((word) => word.replace(":4140/", `:${port}/`))], { stderr: "ignore" }).exited;

  expect(await check()).toBe(0);
  expect((await host.fetch("/models", { headers: { host: `localhost:${port}` } })).status).toBe(200);
  expect((await host.fetch("/models", { headers: { host: "stranger.example" } })).status).toBe(403);
  await host.kill("SIGTERM");
  expect(await check()).toBe(1);
}, 300_000);

async function pathWithCommand(at: string): Promise<string> {
  const file = join(at, "bin/incipit");
  const words = testedCommand.map((word) => `'${word}'`).join(" ");
  await Bun.write(file, `#!/bin/sh\nexec ${words} "$@" --help\n`);
  await chmod(file, 0o755);
  return `${join(at, "bin")}:${process.env["PATH"]}`;
}

test.skipIf(Bun.which("systemd-analyze") === null)(
  "systemd accepts the unit for a user and for the system",
  async () => {
    await using run = await createTempFolder();
    for (const scope of ["--user", "--system"]) {
      const verify = Bun.spawnSync(["systemd-analyze", scope, "verify", join(folder, "incipit.service")], {
        env: { ...process.env, XDG_RUNTIME_DIR: run.path },
      });
      expect({ scope, exitCode: verify.exitCode, said: verify.stderr.toString() }).toEqual({
        scope,
        exitCode: 0,
        said: "",
      });
    }
  },
);

test("the systemd unit runs incipit serve with a stop timeout above the host's", async () => {
  const text = await Bun.file(join(folder, "incipit.service")).text();
  const values = new Map(
    [...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, key = "", value = ""]) => [key, value] as const),
  );
  await using temp = await createTempFolder();

  const started = Bun.spawnSync((values.get("ExecStart") ?? "").split(" "), {
    env: { PATH: await pathWithCommand(temp.path), HOME: temp.path },
  });

  expect(started.stdout.toString()).toContain("incipit serve");
  expect(Number(values.get("TimeoutStopSec"))).toBeGreaterThan(5);
  expect(values.get("NoNewPrivileges")).toBe("true");
});

const plistSchema = z.object({
  Label: z.literal("incipit"),
  ProgramArguments: z.tuple([z.literal("/bin/zsh"), z.literal("-lc"), z.string()]),
  KeepAlive: z.object({ SuccessfulExit: z.literal(false) }),
  Umask: z.literal(0o077),
});

test("the launchd property list is valid and runs incipit serve with a log", async () => {
  await using temp = await createTempFolder();
  const read = "import json, plistlib, sys; print(json.dumps(plistlib.load(sys.stdin.buffer)))";
  const parsed = Bun.spawnSync(["python3", "-c", read], { stdin: Bun.file(join(folder, "incipit.plist")) });
  const plist = plistSchema.parse(JSON.parse(parsed.stdout.toString()));

  const { exitCode } = Bun.spawnSync(["sh", "-c", plist.ProgramArguments[2]], {
    env: { PATH: await pathWithCommand(temp.path), HOME: temp.path },
  });

  expect(exitCode).toBe(0);
  expect(await Bun.file(join(temp.path, "Library/Logs/incipit.log")).text()).toContain("incipit serve");
});
