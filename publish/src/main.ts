/** Writes the npm packages to `dist/packages` and prints how to publish them. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { writePackages } from "./write-packages.ts";

const folder = join(import.meta.dir, "../../dist/packages");
await rm(folder, { recursive: true, force: true });
const packages = await writePackages(folder);
process.stdout.write(`Wrote ${packages.map(({ name }) => name).join(", ")} to ${folder}\n\n`);
process.stdout.write("  npm publish --dry-run dist/packages/NAME   what npm would get\n");
process.stdout.write("  npm publish dist/packages/NAME             give it to npm\n");
