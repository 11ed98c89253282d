/**
 * Builds twice: the second build groups the code that one question needs, then the code that the terminal needs, so
 * that each reads and keeps less of the file in memory. See docs/decisions/2026-11-27-compiled-command.md.
 *
 * `--target bun-linux-arm64` cross-compiles with a Bun from npm. `--order FOLDER` stores the order files, and reuses
 * them when another file is built from the same code.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sitAtTerminal } from "./run-at-terminal.ts";

const root = join(import.meta.dir, "../../..");
const hostTimeoutMs = 240_000;

const { values } = parseArgs({
  options: { target: { type: "string" }, outfile: { type: "string" }, order: { type: "string" } },
});
const outfile = resolve(values.outfile ?? join(root, "dist/incipit"));

const compile = [
  "build",
  join(root, "packages/host-bin/src/entry.ts"),
  "--compile",
  "--no-compile-autoload-dotenv",
  "--no-compile-autoload-bunfig",
  "--no-compile-autoload-tsconfig",
  "--no-compile-autoload-package-json",
  "--bytecode",
  "--splitting",
  "--format=esm",
  "--minify-whitespace",
  "--minify-syntax",
  "--sourcemap=none",
];

interface Call {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

async function run({ command, cwd, env = process.env }: Call): Promise<void> {
  const child = Bun.spawn([...command], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
}

/**
 * The most common first: a question with the host in-process, the terminal with a separate host, and that with code in
 * the conversation.
 */
const orders = ["question.txt", "terminal.txt", "code.txt"] as const;

async function findOrders(folder: string, into: string): Promise<void> {
  const [question, terminal, code] = orders.map((name) => join(into, name));
  const draft = join(folder, "incipit");
  await run({ command: [process.execPath, ...compile, "--outfile", draft], cwd: folder });
  const flags = ["--data", join(folder, "data")];
  const env = { PATH: process.env["PATH"], HOME: folder };
  // The built-in model answers, so the network is not used.
  await run({
    command: [draft, ...flags, "What were you told?"],
    cwd: folder,
    env: { ...env, BUN_BYTECODE_ORDER_OUT: question },
  });
  const host = Bun.spawn([draft, "serve", "--port", "0", "--json", ...flags], {
    cwd: folder,
    env,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "ignore",
    timeout: hostTimeoutMs,
  });
  try {
    await host.stdout.getReader().read();
    const sit = (order: string | undefined, seen: string): Promise<void> =>
      sitAtTerminal({
        command: [draft, ...flags, "-c"],
        cwd: folder,
        env: { ...env, BUN_BYTECODE_ORDER_OUT: order },
        answers: [
          [seen, "Hello again\r"],
          ["You said: Hello again", "/quit\r"],
        ],
      });
    await sit(terminal, "You said: What were you told?");
    await run({ command: [draft, ...flags, "What is this?\n\n```ts\nconst one = 1;\n```"], cwd: folder, env });
    await sit(code, "You said: What is this?");
  } finally {
    host.kill("SIGTERM");
    await host.exited;
  }
}

const folder = await mkdtemp(join(tmpdir(), "incipit-build-"));
try {
  const into = values.order === undefined ? folder : resolve(values.order);
  const files = orders.map((name) => join(into, name));
  const isFound = await Promise.all(files.map((file) => Bun.file(file).exists()));
  if (isFound.includes(false)) {
    await mkdir(into, { recursive: true });
    await findOrders(folder, into);
  }
  const target = values.target === undefined ? [] : [`--target=${values.target}`];
  await run({
    command: [process.execPath, ...compile, ...target, "--bytecode-order", files.join(","), "--outfile", outfile],
    cwd: root,
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
