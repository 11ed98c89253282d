/**
 * Writes to `dist/command`: `incipit` and one program package per platform, for a registry; and `standalone-NAME`, with
 * both, for offline machines. `--target linux-x64` may be repeated; `--help` lists targets. Failed builds exit with 1.
 */
import { createTempFolder } from "@incipit/testkit";
import { rm } from "node:fs/promises";
import { join, relative } from "node:path";
import { parseArgs } from "node:util";
import { buildTarget } from "./build-target.ts";
import { programOf, targets } from "./targets.ts";
import { writeCommandPackage, writePlatformPackage, writeStandalonePackage } from "./write-command-packages.ts";

const root = join(import.meta.dir, "../../..");
const folder = join(root, "dist/command");

const { values } = parseArgs({
  options: { target: { type: "string", multiple: true }, help: { type: "boolean", short: "h" } },
});
const names = targets.map(({ name }) => name);
if (values.help === true) {
  process.stdout.write(
    "bun run command-packages [--target NAME …] writes the packages of the command to dist/command.\n" +
      `Without --target it writes all of them: ${names.join(", ")}\n`,
  );
  process.exit(0);
}
const unknown = values.target?.find((name) => !names.includes(name));
if (unknown !== undefined) {
  process.stderr.write(`There is no target "${unknown}"; there are ${names.join(", ")}\n`);
  process.exit(2);
}
const wanted = targets.filter(({ name }) => values.target?.includes(name) ?? true);

await rm(folder, { recursive: true, force: true });
await using temp = await createTempFolder();
await writeCommandPackage(folder);
const built: string[] = [];
let failures = 0;
for (const target of wanted) {
  const outfile = join(temp.path, target.name, programOf(target));
  try {
    await buildTarget(target, { outfile, order: join(temp.path, "order") });
    const place = await writePlatformPackage(target, { folder, file: outfile });
    const standalone = await writeStandalonePackage(target, folder);
    built.push(relative(root, standalone));
    process.stdout.write(`${target.name.padEnd(18)} ${relative(root, place)}, ${relative(root, standalone)}\n`);
  } catch (error) {
    failures += 1;
    process.stdout.write(`${target.name.padEnd(18)} not built: ${reasonOf(error)}\n`);
  }
  await rm(join(temp.path, target.name), { recursive: true, force: true });
}
process.stdout.write(
  failures > 0 || wanted.length < targets.length
    ? `\n"incipit" asks for ${targets.length} of them: publish none before all are there\n`
    : "\nPublish those of the machines first, then the one that asks for them:\n" +
        '  for one in dist/command/cli-*; do npm publish "./$one"; done; npm publish ./dist/command/incipit\n',
);
const [first] = built;
if (first !== undefined)
  process.stdout.write(
    "\nFor a machine without a network, pack the one package that has everything, and install that file there:\n" +
      `  npm pack ./${first}\n  npm install -g ./incipit-VERSION.tgz\n`,
  );
process.exitCode = failures > 0 ? 1 : 0;

function reasonOf(error: unknown): string {
  const lines = String(error).split("\n");
  return lines.findLast((line) => line.trim() !== "") ?? "";
}
