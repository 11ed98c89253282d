/**
 * Writes the whole command to one file, `dist/incipit`: twice, the second time with what a question needs lying together, so that
 * a host reads, and keeps in memory, less of the file. docs/decisions/2026-11-21-one-file.md
 *
 * `--target bun-linux-arm64` makes it for another machine, with a Bun that comes from npm; `--outfile FILE` puts it elsewhere;
 * `--order FILE` keeps what lies together, and takes it from there when another file is built of the same code.
 */
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";

const root = join(import.meta.dir, "../../..");

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

/** @throws {Error} with what it said when it did not end well. */
async function run({ command, cwd, env = process.env }: Call): Promise<void> {
  const child = Bun.spawn([...command], { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} ended with ${exitCode}:\n${stdout}${stderr}`);
}

/** What a file of this machine reads to answer a question. */
async function findOrder(folder: string): Promise<string> {
  const order = join(folder, "order.txt");
  const draft = join(folder, "incipit");
  await run({ command: [process.execPath, ...compile, "--outfile", draft], cwd: folder });
  // The built-in model answers it: nothing is asked of a network.
  await run({
    command: [draft, "--data", join(folder, "data"), "What were you told?"],
    cwd: folder,
    env: { PATH: process.env["PATH"], HOME: folder, BUN_BYTECODE_ORDER_OUT: order },
  });
  return order;
}

const folder = await mkdtemp(join(tmpdir(), "incipit-build-"));
try {
  let order = values.order;
  if (order === undefined || !(await Bun.file(order).exists())) {
    const found = await findOrder(folder);
    if (order !== undefined) await cp(found, order);
    order ??= found;
  }
  const target = values.target === undefined ? [] : [`--target=${values.target}`];
  await run({
    command: [process.execPath, ...compile, ...target, "--bytecode-order", order, "--outfile", outfile],
    cwd: root,
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
