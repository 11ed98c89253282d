#!/usr/bin/env node
/**
 * Starts this machine's program, an optional dependency of this package, with the same arguments, input, output,
 * signals and exit code. Plain Node from version 18 on. CommonJS with lazy imports starts 3 ms faster.
 */
import { accessSync, closeSync, constants, existsSync, openSync } from "node:fs";

/** Linux loaders at fixed paths: present only with their C library. */
const loaders = {
  x64: { glibc: "/lib64/ld-linux-x86-64.so.2", musl: "/lib/ld-musl-x86_64.so.1" },
  arm64: { glibc: "/lib/ld-linux-aarch64.so.1", musl: "/lib/ld-musl-aarch64.so.1" },
};

interface Candidate {
  readonly packageName: string;
  readonly file: string | undefined;
  readonly libc: "glibc" | "musl" | undefined;
  /** Missing on this machine, so that the program cannot start. */
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

function isMusl(): boolean {
  const report: unknown = process.report.getReport();
  return !JSON.stringify(report).includes('"glibcVersionRuntime"');
}

function fail(code: string, message: string): never {
  process.stderr.write(`incipit: ${message} [${code}]\n`);
  process.exit(1);
}

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

function whyNotExecutable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch (error) {
    return String(error);
  }
}

/** A terminal sends signals of its keys to the whole foreground process group, so the program has them. */
function hasTerminal(): boolean {
  try {
    closeSync(openSync("/dev/tty", "r"));
    return true;
  } catch {
    return false;
  }
}

/** Node cannot exec the program on Windows, and before 22.15. */
async function runBeside(file: string, args: readonly string[]): Promise<void> {
  const { spawn } = await import("node:child_process");
  const { constants: system } = await import("node:os");
  const ofKeys = ["SIGINT", "SIGQUIT"] as const;
  const ofOthers = ["SIGTERM", "SIGHUP", "SIGUSR2"] as const;
  // Before the start: a Ctrl-C may arrive while Node is still in `spawn`. Handlers run afterwards.
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
// One process fewer, and the program owns the terminal and signals.
if (process.platform !== "win32" && "execve" in process) process.execve(file, [file, ...args], process.env);
else void runBeside(file, args);
