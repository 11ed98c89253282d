import type { Log, Spawn, SpawnResult } from "@incipit/kernel";
import { createTempFolder } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { spawn as spawnChild } from "node:child_process";
import { realpathSync } from "node:fs";
import { chmod, mkdir, open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { systemClock } from "../clock.ts";
import { createSpawn } from "./spawn.ts";
import { Programs } from "./programs.ts";

const silent: Log = { debug() {}, info() {}, warn() {}, error() {} };

interface World extends AsyncDisposable {
  readonly root: string;
  readonly work: string;
  readonly data: string;
  readonly kept: Spawn;
  readonly free: Spawn;
}

async function createWorld({ isConfined = true } = {}): Promise<World> {
  const folder = await createTempFolder();
  const root = realpathSync(folder.path);
  const [work, data] = [join(root, "work"), join(root, "home/data")];
  await mkdir(work);
  await mkdir(data, { recursive: true });
  await Bun.write(join(data, "token"), "secret");
  const options = { clock: systemClock, env: { ...process.env, HOST_KEY: "sk-of-the-host" } };
  const programs = new Programs({ dataFolder: data, isConfined, log: silent });
  return {
    root,
    work,
    data,
    kept: createSpawn("acme.tools", true, { ...options, programs }),
    free: createSpawn("acme.tools", true, options),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

function outputOf(result: SpawnResult): string {
  return `${new TextDecoder().decode(result.stdout)}${new TextDecoder().decode(result.stderr)}`.trim();
}

async function both({ kept, free, work }: World, script: string): Promise<readonly string[]> {
  const options = { cwd: work, maxOutputBytes: 100_000, timeoutMs: 120_000, env: { MARK: "1" } };
  const printed: string[] = [];
  for (const spawn of [kept, free]) printed.push(outputOf(await spawn.run("sh", ["-c", script], options)));
  return printed;
}

async function isRunning(pid: number): Promise<boolean> {
  const stat = await Bun.file(`/proc/${pid}/stat`)
    .text()
    .catch(() => "");
  return stat !== "" && !/\) Z /.test(stat);
}

test("[attack:process-reads-token] run denies a program the host's data under every path", async () => {
  await using world = await createWorld();
  const scripts = [
    "cat ../home/data/token",
    `cat ${world.data}/token`,
    "ln -s ../home/data l; cat l/token; rm l",
    "cd ../home/data && cat token",
    "cat /proc/self/root$PWD/../home/data/token",
    "cp ../home/data/token ../work/copy 2>/dev/null; cat copy; rm -f copy",
    "(setsid cat ../home/data/token) | cat",
  ];

  for (const script of scripts) {
    const [kept = "", free = ""] = await both(world, script);
    expect([script, kept.includes("secret"), free.includes("secret")]).toEqual([script, false, true]);
  }
});

test("[attack:process-writes-data-folder] run prevents a program from changing or moving the host's data", async () => {
  await using world = await createWorld();
  const scripts = [
    "echo mine > ../home/data/token",
    "echo {} > ../home/data/extensions.json",
    "rm ../home/data/token",
    "mv ../home/data/token ../work/token",
    "mv ../home/data ../home/gone",
    "mv ../home ../gone",
    "ln ../home/data/token linked",
    "mkdir ../home/data/new",
    "ln -s /etc/passwd ../home/data/trust.json",
    ": < ../home/data/token > ../home/data/token",
    "truncate -s 0 ../home/data/token",
    "mount --bind /etc ../home/data",
  ];

  const options = { cwd: world.work, maxOutputBytes: 10_000, timeoutMs: 120_000 };
  for (const script of scripts)
    expect([script, await world.kept.run("sh", ["-c", script], options)]).not.toMatchObject([
      script,
      { exitCode: 0 },
    ]);

  expect(await readdir(world.data)).toEqual(["token"]);
  expect(await Bun.file(join(world.data, "token")).text()).toBe("secret");
  expect(await readdir(world.work)).toEqual([]);
  expect(await world.free.run("sh", ["-c", "echo mine > ../home/data/token"], options)).toMatchObject({
    exitCode: 0,
  });
});

test("run lets a program list folders around the host's data, including its name", async () => {
  await using world = await createWorld();

  for (const script of ["ls ..", "ls ../home", "ls / | grep proc"]) {
    const [kept, free] = await both(world, script);
    expect(free).not.toBe("");
    expect({ script, kept }).toEqual({ script, kept: free });
  }
});

test("[attack:process-reads-host-variables] run denies a program the environment and memory of the host", async () => {
  await using world = await createWorld();

  const pid = process.pid;
  for (const file of [`/proc/${pid}/environ`, "/proc/$PPID/environ", `/proc/${pid}/task/${pid}/environ`]) {
    const [kept, free] = await both(world, `head -c 1 ${file} 2> /dev/null | wc -c`);
    expect([file, kept, free]).toEqual([file, "0", "1"]);
  }
  const [kept = "", free = ""] = await both(world, `: < /proc/${process.pid}/mem && echo opened`);
  expect([kept.includes("opened"), free]).toEqual([false, "opened"]);
});

test("[attack:process-reads-host-files] run denies a program the host's open files and working folder", async () => {
  await using world = await createWorld();

  await using handle = await open(join(world.data, "token"));
  for (const path of [`fd/${handle.fd}`, `cwd${world.data}/token`, `root${world.data}/token`]) {
    const script = `cd / && cat /proc/${process.pid}/${path}`;
    const [kept = "", free = ""] = await both(
      world,
      script.replace(`cwd${world.data}`, `cwd/../../../../../../../..${world.data}`),
    );
    expect([path, kept.includes("secret"), free]).toEqual([path, false, "secret"]);
  }
});

test("[attack:process-mounted-data] run denies a program the host's data through another mount", async () => {
  await using world = await createWorld();
  const mounted = join(world.work, "mounted");
  await mkdir(mounted);
  if (Bun.spawnSync(["mount", "--bind", join(world.data, ".."), mounted], { stderr: "ignore" }).exitCode !== 0)
    return;

  try {
    const [kept, free] = await both(world, "cat mounted/data/token; ls mounted");
    expect([kept?.includes("secret"), free]).toEqual([false, "secretdata"]);
  } finally {
    Bun.spawnSync(["umount", mounted]);
  }
});

test("[attack:process-moved-data] run starts no program after the host's data folder was moved", async () => {
  await using world = await createWorld();
  const script = "cat ../moved/data/token ../home/data/token; echo ran";
  const [before = ""] = await both(world, script);
  await rename(join(world.root, "home"), join(world.root, "moved"));
  const [moved, free] = await both(world, script);
  await mkdir(join(world.root, "home/data"), { recursive: true });
  const [replaced] = await both(world, script);
  await rm(join(world.root, "home"), { recursive: true });
  await rename(join(world.root, "moved"), join(world.root, "home"));
  const [back = ""] = await both(world, script);

  expect([before, back].map((text) => [text.includes("ran"), text.includes("secret")])).toEqual([
    [true, false],
    [true, false],
  ]);
  expect([moved, replaced]).toEqual(["", ""]);
  expect(free).toContain("secret");
});

test("[attack:process-before-it-runs] run lets no variable of a call affect the launcher", async () => {
  await using world = await createWorld();
  const preload = join(world.work, "preload.ts");
  await Bun.write(preload, `require("node:fs").writeFileSync("${world.work}/ran", "");`);
  await Bun.write(join(world.work, "bunfig.toml"), `preload = ["./preload.ts"]`);
  await Bun.write(join(world.work, ".env"), `BUN_OPTIONS=--preload=${preload}`);
  const options = { cwd: world.work, maxOutputBytes: 10_000, timeoutMs: 120_000 };
  const env = { BUN_OPTIONS: `--preload=${preload}` };

  const printed = outputOf(await world.kept.run("sh", ["-c", "echo $BUN_OPTIONS"], { ...options, env }));

  expect(printed).toBe(env.BUN_OPTIONS);
  expect(await Bun.file(join(world.work, "ran")).exists()).toBe(false);
  await Bun.write(join(world.work, "any.ts"), "");
  await world.free.run(process.execPath, ["any.ts"], { ...options, env });
  expect(await Bun.file(join(world.work, "ran")).exists()).toBe(true);
});

async function runsOn(start: (program: string) => string): Promise<readonly boolean[]> {
  await using world = await createWorld();
  const answers: boolean[] = [];
  for (const spawn of [world.kept, world.free]) {
    const seconds = `1000.${Math.trunc(Math.random() * 1e9)}`;
    const script = `${start(`sleep ${seconds}`)}\nuntil [ -e pid ]; do sleep 0.01; done`;
    await Bun.write(join(world.work, "run"), `#!/bin/sh\necho $$ > part && mv part pid && exec "$@"\n`);
    await chmod(join(world.work, "run"), 0o755);
    const stop = new AbortController();
    const options = { cwd: world.work, maxOutputBytes: 10_000, timeoutMs: 120_000, signal: stop.signal };
    const running = spawn.run("sh", ["-c", script], options);
    const pidFile = join(world.work, "pid");
    if (spawn === world.free) {
      while (!(await Bun.file(pidFile).exists())) await Bun.sleep(5);
      stop.abort();
    }
    await running;
    const pid = Number(await Bun.file(pidFile).text());
    answers.push(await isRunning(pid));
    if (answers.at(-1) === true) process.kill(pid, "SIGKILL");
    await rm(join(world.work, "pid"));
  }
  return answers;
}

test("[attack:process-setsid] run kills a process that left its session", async () => {
  expect(await runsOn((program) => `setsid ./run ${program} > /dev/null 2>&1 &`)).toEqual([false, true]);
});

test("[attack:process-daemon] run kills a daemon that forked twice", async () => {
  expect(await runsOn((program) => `(setsid sh -c './run ${program} > /dev/null 2>&1 & exit' &)`)).toEqual([
    false,
    true,
  ]);
});

test("[attack:process-without-variables] run kills a process without environment that ignores SIGHUP", async () => {
  expect(await runsOn((program) => `env -i setsid nohup ./run ${program} > /dev/null 2>&1 &`)).toEqual([
    false,
    true,
  ]);
});

test("[attack:process-holds-pipe] run kills a process outside its session that holds the output open", async () => {
  expect(await runsOn((program) => `setsid ./run ${program} &`)).toEqual([false, true]);
});

test("[attack:process-forks-on] run kills a process that keeps replacing itself by a child", async () => {
  await using world = await createWorld();
  const hop = join(world.work, "hop");
  await Bun.write(hop, '#!/bin/sh\necho . >> hops\nsleep 0.01\nsetsid "$0" > /dev/null 2>&1 &\n');
  await chmod(hop, 0o755);
  const options = { cwd: world.work, maxOutputBytes: 10_000, timeoutMs: 120_000 };
  const script = `setsid ${hop} > /dev/null 2>&1 & until [ "$(wc -l < hops)" -gt 3 ]; do sleep 0.01; done 2> /dev/null`;

  const hopsOn = async (spawn: Spawn, looks: number): Promise<boolean> => {
    await rm(join(world.work, "hops"), { force: true });
    await spawn.run("sh", ["-c", script], options);
    return Array.from({ length: looks }).some(() => Bun.spawnSync(["pgrep", "-f", hop]).exitCode === 0);
  };

  expect(await hopsOn(world.kept, 20)).toBe(false);
  expect(await hopsOn(world.free, 1_000)).toBe(true);
  // A running file cannot be written to.
  await Bun.write(`${hop}.end`, "#!/bin/sh\n");
  await rename(`${hop}.end`, hop);
});

test("run spares the host's other children and the programs of other calls", async () => {
  await using world = await createWorld();
  const own = spawnChild("sleep", ["1000"], { detached: true, stdio: "ignore" });
  const options = { cwd: world.work, maxOutputBytes: 10_000, timeoutMs: 120_000 };
  const other = world.kept.run(
    "sh",
    [
      "-c",
      "(setsid sleep 1000 & echo $! > part; mv part up); while [ ! -e go ]; do sleep 0.01; done; kill -0 $(cat up)",
    ],
    options,
  );

  await world.kept.run("sh", ["-c", "until [ -e up ]; do sleep 0.01; done"], options);
  const isOwnRunning = await isRunning(own.pid ?? 0);
  await Bun.write(join(world.work, "go"), "");

  expect([isOwnRunning, outputOf(await other)]).toEqual([true, ""]);
  own.kill("SIGKILL");
});

interface KilledHost {
  readonly programs: "kept" | "free";
  readonly act?: (host: number) => Promise<void>;
  readonly actAfter?: (program: number) => Promise<void>;
}

async function runOnWithoutHost({ programs: kind, act, actAfter }: KilledHost): Promise<readonly boolean[]> {
  await using world = await createWorld();
  const script = `
    import { systemClock } from "${join(import.meta.dir, "../clock.ts")}";
    import { createSpawn } from "${join(import.meta.dir, "spawn.ts")}";
    import { Programs } from "${join(import.meta.dir, "programs.ts")}";
    const log = { debug() {}, info() {}, warn() {}, error() {} };
    const programs = new Programs({ dataFolder: "${world.data}", isConfined: true, log });
    const options = { clock: systemClock, env: process.env, programs: process.argv[1] === "kept" ? programs : undefined };
    const started = "setsid sh -c 'echo $PPID $$; exec sleep 1000' & exec sleep 1000";
    const { program } = await createSpawn("acme.tools", true, options).start("sh", ["-c", started], { cwd: "/" });
    for await (const chunk of program.stdout) process.stdout.write(chunk);`;
  const host = Bun.spawn([process.execPath, "-e", script, kind], { stdout: "pipe", stderr: "inherit" });
  const { value } = await host.stdout.getReader().read();
  const pids = new TextDecoder().decode(value).trim().split(" ").map(Number);
  try {
    await act?.(host.pid);
  } finally {
    host.kill("SIGKILL");
    await host.exited;
    await actAfter?.(pids[0] ?? 0);
  }
  const untilMs = performance.now() + (kind === "kept" ? 120_000 : 500);
  let runs = pids.map(() => true);
  while (runs.includes(true) && performance.now() < untilMs) {
    await Bun.sleep(5);
    runs = await Promise.all(pids.map(isRunning));
  }
  for (const [index, pid] of pids.entries()) if (runs[index] === true) process.kill(pid, "SIGKILL");
  return runs;
}

test("[attack:process-host-killed] programs end with a killed host in any session", async () => {
  expect(await runOnWithoutHost({ programs: "kept" })).toEqual([false, false]);
  expect(await runOnWithoutHost({ programs: "free" })).toEqual([true, true]);
});

function keepersOf(host: number): readonly number[] {
  const found = Bun.spawnSync(["pgrep", "-P", String(host), "-f", "^/bin/sh -c"]).stdout.toString();
  return found.split("\n").filter(Boolean).map(Number);
}

test("[attack:process-orphaned] reparented descendants end with a killed host", async () => {
  const keepers: number[] = [];
  const act = async (host: number): Promise<void> => {
    keepers.push(...keepersOf(host));
    for (const pid of keepers) process.kill(pid, "SIGSTOP");
  };
  const actAfter = async (program: number): Promise<void> => {
    process.kill(program, "SIGKILL");
    while (await isRunning(program)) await Bun.sleep(5);
    for (const pid of keepers) process.kill(pid, "SIGCONT");
  };

  expect(await runOnWithoutHost({ programs: "kept", act, actAfter })).toEqual([false, false]);
  expect(keepers.length).toBe(1);
});

test("[attack:process-keeper-killed] a killed keeper restarts", async () => {
  let killed = 0;
  const act = async (host: number): Promise<void> => {
    const [first] = keepersOf(host);
    if (first === undefined) throw new Error("Nobody is to end programs");
    process.kill(first, "SIGKILL");
    killed += 1;
    const untilMs = performance.now() + 120_000;
    while (keepersOf(host).every((pid) => pid === first) && performance.now() < untilMs) await Bun.sleep(5);
  };

  expect(await runOnWithoutHost({ programs: "kept", act })).toEqual([false, false]);
  expect(killed).toBe(1);
});

test("start kills the leftovers of a server after stop", async () => {
  await using world = await createWorld();
  const started = await world.kept.start("sh", ["-c", "setsid sleep 1000 & echo $!; cat"], { cwd: world.work });
  if (started.kind === "failed") throw new Error(started.detail);
  const reader = started.program.stdout[Symbol.asyncIterator]();
  const daemon = Number(new TextDecoder().decode((await reader.next()).value));

  await started.program.stop();
  await started.program.ended;

  expect(await isRunning(daemon)).toBe(false);
});

test("run starts a program with the same cwd, variables, signals, arguments and files as without a launcher", async () => {
  await using world = await createWorld();
  const [kept, free] = await both(
    world,
    'pwd; env | sort; yes | head -n 1; ls /proc/self/fd | wc -l; umask; printf \'%s|\' "$0" "$@"; ls -d ..; git --version',
  );

  expect(kept).toBe(free ?? "");
});

test("run reports why the launcher did not start a program", async () => {
  await using world = await createWorld();
  const options = { cwd: world.work, maxOutputBytes: 10_000, timeoutMs: 120_000 };
  const bad = join(world.work, "bad");
  await Bun.write(bad, "no program");
  await Bun.write(join(world.work, "script"), "#!/no/such/interpreter\n");
  await chmod(join(world.work, "script"), 0o755);

  for (const file of [bad, join(world.work, "script"), join(world.work, "nothing")])
    expect(await world.kept.run(file, [], options)).toMatchObject({ kind: "failed", reason: "not-installed" });
  await chmod(bad, 0o755);
  expect(await world.kept.start(bad, [], options)).toMatchObject({ kind: "failed", reason: "not-installed" });
});

test("run confines nothing if the operator disables it", async () => {
  await using world = await createWorld({ isConfined: false });

  expect(await both(world, "cat ../home/data/token; grep NoNewPrivs /proc/self/status")).toEqual([
    "secretNoNewPrivs:\t0",
    "secretNoNewPrivs:\t0",
  ]);
});
