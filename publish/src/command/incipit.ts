#!/usr/bin/env node
/**
 * Starts the program of this machine, which npm has installed beside this package as an optional dependency, with the same
 * arguments, input, output, signals and exit code. Plain Node from version 18 on; it imports nothing but what Node has. It becomes
 * CommonJS, and loads late what it seldom needs: Node takes 3 ms less to start it.
 */
import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";

/** What a program of Linux is loaded by, at a fixed path: it is there on machines with its C library alone. */
const loaders = {
  x64: { glibc: "/lib64/ld-linux-x86-64.so.2", musl: "/lib/ld-musl-x86_64.so.1" },
  arm64: { glibc: "/lib/ld-linux-aarch64.so.1", musl: "/lib/ld-musl-aarch64.so.1" },
};

interface Candidate {
  readonly packageName: string;
  /** `undefined`: it is not installed. */
  readonly file: string | undefined;
  readonly libc: "glibc" | "musl" | undefined;
  /** Absent on this machine, which then cannot start it. */
  readonly missingLoader: string | undefined;
}

function candidate(suffix: "" | "-musl"): Candidate {
  const { platform, arch } = process;
  const packageName = `@incipit/cli-${platform}-${arch}${suffix}`;
  const isLinux = platform === "linux" && (arch === "x64" || arch === "arm64");
  const libc = isLinux ? (suffix === "" ? "glibc" : "musl") : undefined;
  const loader = isLinux && libc !== undefined ? loaders[arch][libc] : undefined;
  return {
    packageName,
    file: installedFile(`${packageName}/bin/incipit${platform === "win32" ? ".exe" : ""}`),
    libc,
    missingLoader: loader === undefined || existsSync(loader) ? undefined : loader,
  };
}

function installedFile(path: string): string | undefined {
  try {
    return require.resolve(path);
  } catch {
    return undefined;
  }
}

/** Whether Node itself stands on musl. */
function isMusl(): boolean {
  const report: unknown = process.report.getReport();
  return !JSON.stringify(report).includes('"glibcVersionRuntime"');
}

function fail(code: string, message: string): never {
  process.stderr.write(`incipit: ${message} [${code}]\n`);
  process.exit(1);
}

/** The program of this machine. It ends the process where there is none. */
function findProgram(): string {
  const { platform, arch } = process;
  const machine = `${platform}, ${arch}`;
  const { optionalDependencies: known } = require("../package.json");
  const all = [candidate(""), ...(platform === "linux" ? [candidate("-musl")] : [])].filter(({ packageName }) =>
    Object.hasOwn(known, packageName),
  );
  if (all.length === 0) {
    const names = Object.keys(known).map((name) => name.replace("@incipit/cli-", ""));
    fail(
      "PLATFORM_UNKNOWN",
      `there is no program for this machine (${machine}); there is one for ${names.join(", ")}. Elsewhere, run a clone of Incipit with Bun`,
    );
  }
  const fitting = all.filter(({ missingLoader }) => missingLoader === undefined);
  const installed = fitting.filter(({ file }) => file !== undefined);
  const chosen =
    installed.length < 2 ? installed[0] : installed.find(({ libc }) => libc === (isMusl() ? "musl" : "glibc"));
  if (chosen?.file !== undefined) return chosen.file;
  const wrong = all.find(({ file }) => file !== undefined);
  const wanted = (fitting[0] ?? all[0])?.packageName ?? "";
  const has =
    wrong === undefined
      ? ""
      : `; what is installed, "${wrong.packageName}", needs "${wrong.missingLoader}", which this machine does not have`;
  fail(
    "PLATFORM_PACKAGE_MISSING",
    `the package "${wanted}", which has the program for this machine (${machine}), is not installed${has}. ` +
      "npm leaves it out with --omit=optional, and when a lock file came from another kind of machine. " +
      'To get it: "npm install -g incipit"; in a project, delete node_modules and package-lock.json, ' +
      'then "npm install --include=optional"',
  );
}

/** @returns what the system says against it; `undefined`: nothing. */
function whyNotExecutable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** A terminal sends what its keys mean to every process in front of it: the program has it already. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Where Node cannot become the program: Windows, and Node before 22.15. */
async function runBeside(file: string, args: readonly string[]): Promise<void> {
  const { spawn } = await import("node:child_process");
  const { constants: system } = await import("node:os");
  const ofKeys = ["SIGINT", "SIGQUIT"] as const;
  const ofOthers = ["SIGTERM", "SIGHUP", "SIGUSR2"] as const;
  // Before the program is started: it may run, and be sent a Ctrl-C that ends this process too, while Node is still in `spawn`. The
  // handlers themselves run after it.
  for (const signal of ofKeys)
    process.on(signal, () => {
      if (process.platform !== "win32" && !hasTerminal()) child.kill(signal);
    });
  for (const signal of ofOthers) process.on(signal, () => child.kill(signal));
  const child = spawn(file, args, { stdio: "inherit" });
  child.on("error", (error) =>
    fail("PROGRAM_NOT_STARTED", `cannot start "${file}": ${error.message}; install incipit again`),
  );
  child.on("exit", (exitCode, signal) => {
    if (signal === null) process.exit(exitCode ?? 1);
    // Whoever waits for this process sees how the program ended.
    for (const name of [...ofKeys, ...ofOthers]) process.removeAllListeners(name);
    process.kill(process.pid, signal);
    setTimeout(() => process.exit(128 + system.signals[signal]), 1_000);
  });
}

const file = findProgram();
const args = process.argv.slice(2);
const reason = whyNotExecutable(file);
if (reason !== undefined)
  fail("PROGRAM_NOT_EXECUTABLE", `may not start "${file}": ${reason}; to allow it: chmod +x "${file}"`);
// The program takes the place of this process: one process less, and its terminal and signals are its own.
if (process.platform !== "win32" && "execve" in process) process.execve(file, [file, ...args], process.env);
else void runBeside(file, args);
