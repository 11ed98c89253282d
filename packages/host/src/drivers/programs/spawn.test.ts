import type { Spawn } from "@incipit/kernel";
import { createTempFolder, FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { getEventListeners, once } from "node:events";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { Programs } from "./programs.ts";
import { createSpawn } from "./spawn.ts";

const spawn = createSpawn("acme.runner", ["sh", "no-such-program"], {
  clock: systemClock,
  env: process.env,
});
const options = { cwd: "/", maxOutputBytes: 1_000, timeoutMs: 120_000 };

test("run returns output and exit code", async () => {
  const result = await spawn.run("sh", ["-c", "echo out; echo err >&2; exit 3"], options);

  expect(result).toMatchObject({ kind: "exited", exitCode: 3 });
  expect(result.kind === "exited" && [result.stdout, result.stderr].map(String)).toEqual(["out\n", "err\n"]);
});

test("run distinguishes a missing program from a missing folder", async () => {
  expect(await spawn.run("no-such-program", [], options)).toMatchObject({
    kind: "failed",
    reason: "not-installed",
  });
  expect(await spawn.run("sh", [], { ...options, cwd: "/no/such/folder" })).toMatchObject({
    kind: "failed",
    reason: "cwd-not-found",
  });
});

test("run refuses a program outside the grant and lists the grant", async () => {
  const refused = await spawn.run("git", [], options).catch((error: unknown) => error);

  expect(refused).toMatchObject({ code: "CAPABILITY_DENIED", message: expect.stringContaining('"sh"') });
});

test("run passes only named variables of the environment to a child", async () => {
  const result = await spawn.run("sh", ["-c", "env"], { ...options, env: { EXTRA: "1" } });

  const names =
    result.kind === "exited"
      ? String(result.stdout)
          .split("\n")
          .map((line) => line.split("=")[0])
      : [];
  expect(names).toContain("EXTRA");
  expect(
    names.filter(
      (name) =>
        !["PATH", "HOME", "LANG", "TMPDIR", "EXTRA", "PWD", "SHLVL", "_", "OLDPWD", ""].includes(name ?? ""),
    ),
  ).toEqual([]);
});

test("run passes four host variables and the variables of the call to a child", async () => {
  const env = {
    PATH: "/usr/bin:relative::/bin",
    HOME: "/home/me",
    LANG: "C.UTF-8",
    TMPDIR: "/tmp",
    OPENAI_API_KEY: "sk-1",
    LD_LIBRARY_PATH: "/lib",
  };
  const runner = createSpawn("acme.runner", ["env"], { clock: systemClock, env });

  const result = await runner.run("env", [], { ...options, env: { EXTRA: "1", LANG: "de" } });

  const given = result.kind === "exited" ? String(result.stdout).trim().split("\n").toSorted() : result;
  expect(given).toEqual(["EXTRA=1", "HOME=/home/me", "LANG=de", "PATH=/usr/bin:/bin", "TMPDIR=/tmp"]);
});

test("run requires separate grants for a program's name and its path", async () => {
  const sh = Bun.which("sh") ?? "";
  const byName = createSpawn("acme.runner", ["sh"], { clock: systemClock, env: process.env });
  const byPath = createSpawn("acme.runner", [sh], { clock: systemClock, env: process.env });

  for (const program of [sh, "./sh", "../bin/sh", `/${sh}`, "SH", "sh ", ""])
    expect(await byName.run(program, [], options).catch((error: unknown) => error)).toMatchObject({
      code: "CAPABILITY_DENIED",
      extension: "acme.runner",
      message: `Cannot spawn "${program}" for "acme.runner": granted are "sh"`,
    });
  for (const program of ["sh", `/${sh}`, `/usr/..${sh}`])
    expect(await byPath.run(program, [], options).catch((error: unknown) => error)).toMatchObject({
      code: "CAPABILITY_DENIED",
    });
  expect(await byPath.run(sh, ["-c", "exit 3"], options)).toMatchObject({ kind: "exited", exitCode: 3 });
});

test("run kills a hanging program and its descendants at the deadline", async () => {
  await using folder = await createTempFolder();
  const pidFile = join(folder.path, "pid");
  const clock = new FakeClock();
  const runner = createSpawn("acme.runner", ["sh"], { clock, env: process.env });
  const script = `sleep 1000 & echo $! > ${pidFile}.part; mv ${pidFile}.part ${pidFile}; wait`;

  const running = runner.run("sh", ["-c", script], { ...options, timeoutMs: 300 });
  while (!(await Bun.file(pidFile).exists())) await Bun.sleep(5);
  await clock.advance(300);
  const result = await running;

  expect(result).toMatchObject({ kind: "failed", reason: "timeout" });
  const grandchild = Number(await Bun.file(pidFile).text());
  while (await isRunning(grandchild)) await Bun.sleep(5);
});

test("run kills leftovers of a program", async () => {
  await using folder = await createTempFolder();
  const pidFile = join(folder.path, "pid");

  const result = await spawn.run("sh", ["-c", `sleep 1000 & echo $! > ${pidFile}; echo done`], options);

  expect(result).toMatchObject({ kind: "exited", exitCode: 0 });
  const left = Number(await Bun.file(pidFile).text());
  while (await isRunning(left)) await Bun.sleep(5);
});

test("run searches the absolute folders of PATH, never the working folder", async () => {
  await using folder = await createTempFolder();
  const planted = join(folder.path, "tool");
  await Bun.write(planted, "#!/bin/sh\necho planted\n");
  await chmod(planted, 0o755);
  const runner = (PATH: string): Spawn => createSpawn("acme.runner", true, { clock: systemClock, env: { PATH } });
  const here = { ...options, cwd: folder.path };

  for (const PATH of [".", "", ":.:./", "relative"])
    expect(await runner(PATH).run("tool", [], here)).toMatchObject({ reason: "not-installed" });
  expect(await runner("/bin").run("./tool", [], here)).toMatchObject({ reason: "not-installed" });
  expect(await runner(folder.path).run("tool", [], here)).toMatchObject({ kind: "exited", exitCode: 0 });
});

async function isRunning(pid: number): Promise<boolean> {
  const stat = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => "");
  return stat !== "" && !/\) Z /.test(stat);
}

test("run with a drop limit counts the dropped bytes and lets the program finish", async () => {
  const script = "printf %2000s a; printf %500s b >&2; exit 3";

  const result = await spawn.run("sh", ["-c", script], { ...options, overflow: "drop" });

  expect(result).toMatchObject({ kind: "exited", exitCode: 3, droppedBytes: 1_500 });
  expect(result.kind === "exited" && result.stdout.length + result.stderr.length).toBe(1_000);
  const small = await spawn.run("sh", ["-c", "echo a"], { ...options, overflow: "drop" });
  expect(small).not.toHaveProperty("droppedBytes");
});

test("run returns the output so far after a timeout", async () => {
  const clock = new FakeClock();
  const runner = createSpawn("acme.runner", ["sh"], { clock, env: process.env });
  const printed = Promise.withResolvers<void>();

  const running = runner.run("sh", ["-c", "echo begun; sleep 1000"], {
    cwd: "/",
    timeoutMs: 300,
    get maxOutputBytes(): number {
      printed.resolve();
      return 1_000;
    },
  });
  await printed.promise;
  await clock.advance(300);
  const result = await running;

  expect(result).toMatchObject({ kind: "failed", reason: "timeout" });
  expect(result.kind === "failed" && new TextDecoder().decode(result.stdout)).toBe("begun\n");
});

test("run returns the output so far of a program killed by a signal", async () => {
  const result = await spawn.run("sh", ["-c", "echo important; kill -9 $$"], options);

  expect(result).toMatchObject({ kind: "failed", reason: "failed", detail: "ended by SIGKILL" });
  expect(String(result.stdout)).toBe("important\n");
});

test("run kills a program that exceeds the output limit or is aborted", async () => {
  expect(await spawn.run("sh", ["-c", "while :; do echo xxxxxxxxxxxxxxxx; done"], options)).toMatchObject({
    kind: "failed",
    reason: "too-large",
  });
  expect(
    await spawn.run("sh", ["-c", "sleep 1000"], { ...options, signal: AbortSignal.timeout(50) }),
  ).toMatchObject({ kind: "failed", reason: "aborted" });
});

test("run aborted before the start kills the program, and leaves no listener on the signal", async () => {
  const stopped = new AbortController();
  let reads = 0;
  const aboutToStart = {
    ...options,
    signal: stopped.signal,
    get cwd(): string {
      reads += 1;
      if (reads === 2) stopped.abort();
      return "/";
    },
  };
  const { signal } = new AbortController();

  expect(await spawn.run("sh", ["-c", "sleep 1000"], aboutToStart)).toMatchObject({ reason: "aborted" });
  expect(await spawn.run("sh", ["-c", "exit 0"], { ...options, signal })).toMatchObject({ kind: "exited" });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

class LatePrograms extends Programs {
  override async start(...given: Parameters<Programs["start"]>): ReturnType<Programs["start"]> {
    const started = await super.start(...given);
    const closed = once(started.child, "close").then(() => this.endLeftovers());
    return { ...started, problem: closed.then(() => started.problem) };
  }
}

test("run reports a start failure even if the exit event comes first", async () => {
  await using folder = await createTempFolder();
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const programs = new LatePrograms({ dataFolder: folder.path, isConfined: true, log });
  const runner = createSpawn("acme.runner", true, { clock: systemClock, env: process.env, programs });
  const nothing = join(folder.path, "nothing");

  expect(await runner.run(nothing, [], options)).toEqual({
    kind: "failed",
    reason: "not-installed",
    detail: nothing,
  });
});
