import { parseConfig } from "@incipit/host-bin";
import { Glob } from "bun";
import { expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const root = join(import.meta.dir, "../..");

const manifestSchema = z.object({ name: z.string(), publishConfig: z.unknown().optional() });
const rootSchema = z.object({ scripts: z.record(z.string(), z.string()) });

interface Page {
  readonly folder: string;
  readonly name: string;
  readonly isPublished: boolean;
  readonly text: string;
}

function textOf(path: string): Promise<string> {
  return Bun.file(join(root, path)).text();
}

async function pages(): Promise<readonly Page[]> {
  const found: Page[] = [];
  for (const path of [
    ...new Glob("{apps,packages,extensions}/*/package.json").scanSync({ cwd: root }),
  ].toSorted()) {
    const folder = path.slice(0, -"/package.json".length);
    const { name, publishConfig } = manifestSchema.parse(JSON.parse(await textOf(path)));
    const text = existsSync(join(root, folder, "README.md")) ? await textOf(`${folder}/README.md`) : "";
    found.push({ folder, name, isPublished: publishConfig !== undefined, text });
  }
  return found;
}

function blocksOf(text: string, language: string): readonly string[] {
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, code = ""]) => code,
  );
}

test("each package has a short README with its name and a usage example", async () => {
  const wrong: string[] = [];
  const all = await pages();
  for (const { folder, name, text } of all) {
    const lines = text.split("\n");
    if (lines[0] !== `# ${name}`) wrong.push(`${folder}/README.md does not begin with "# ${name}"`);
    if (lines.length > 32)
      wrong.push(`${folder}/README.md has ${lines.length} lines; what is longer belongs in docs`);
    if (lines.some((line) => line.length > 120))
      wrong.push(`${folder}/README.md has a line of more than 120 characters`);
    if (blocksOf(text, "(?:ts|toml)").length !== 1)
      wrong.push(`${folder}/README.md does not show how it is used, once`);
  }

  expect(all.length).toBeGreaterThan(15);
  expect(wrong).toEqual([]);
});

test("a package's README names only existing files, scripts, services, exports and configuration keys", async () => {
  const { scripts } = rootSchema.parse(JSON.parse(await textOf("package.json")));
  const contracts = new Set<string>();
  for (const path of new Glob("packages/{kernel,service-contract}/src/**/*.ts").scanSync({ cwd: root }))
    for (const [, id = ""] of (await textOf(path)).matchAll(/define(?:Handle|Point)(?:<[^(]*>)?\(\s*"([^"]+)"/g))
      contracts.add(id);
  const wrong: string[] = [];
  for (const { folder, text } of await pages()) {
    for (const [, path = ""] of text.matchAll(/`((?:src|docs)\/[^`]*)`/g)) {
      const file = path.startsWith("docs/") ? path : `${folder}/${path}`;
      if (!existsSync(join(root, file))) wrong.push(`${folder}: ${path}`);
    }
    for (const [, script = ""] of text.matchAll(/`bun run ([\w-]+)`/g))
      if (!Object.hasOwn(scripts, script)) wrong.push(`${folder}: bun run ${script}`);
    for (const [, id = ""] of text.matchAll(/`([a-z-]+@\d+)`/g))
      if (!contracts.has(id)) wrong.push(`${folder}: ${id}`);
    for (const code of blocksOf(text, "ts"))
      for (const [, names = "", from = ""] of code.matchAll(/^import \{ (.*) \} from "@incipit\/([\w-]+)";$/gm)) {
        const place = ["packages", "extensions"].map((parent) => `${parent}/${from}/src/index.ts`);
        const index = await textOf(place.find((path) => existsSync(join(root, path))) ?? "no such package");
        for (const name of names.split(", ").map((one) => one.replace("type ", "")))
          if (!new RegExp(`\\b${name}\\b`).test(index)) wrong.push(`${folder}: ${name} of ${from}`);
      }
  }

  expect(wrong).toEqual([]);
});

test("a README's configuration is valid", async () => {
  let count = 0;
  for (const { folder, text } of await pages())
    for (const block of blocksOf(text, "toml")) {
      expect(() => parseConfig(block, `${folder}/README.md`)).not.toThrow();
      count += 1;
    }

  expect(count).toBeGreaterThan(5);
});

test("the README on npm has no relative links into the repository", async () => {
  const links = (await pages())
    .filter(({ isPublished }) => isPublished)
    .flatMap(({ folder, text }) =>
      [...text.matchAll(/\]\((?![a-z]+:)([^)]*)\)/g)].map(([, target]) => `${folder}: ${target}`),
    );

  expect(links).toEqual([]);
});
