/** Writes `THIRD-PARTY-NOTICES.md`. With `--check`, exits with 1 when it is out of date. */
import { join } from "node:path";
import * as z from "zod";

const root = join(import.meta.dir, "../../..");
const noticesPath = join(root, "THIRD-PARTY-NOTICES.md");

/** May be shipped in a file under MIT, with their notice. A person decides about any other. */
const allowedLicences = new Set(["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT"]);

const installScripts = ["preinstall", "install", "postinstall"] as const;

const packageSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  scripts: z.record(z.string(), z.string()).default({}),
});

interface ShippedPackage {
  readonly name: string;
  readonly version: string;
  readonly licence: string;
  readonly text: string;
}

async function shippedFolders(): Promise<readonly string[]> {
  const { metafile } = await Bun.build({
    entrypoints: [join(root, "packages/host-bin/src/main.ts")],
    target: "bun",
    metafile: true,
  });
  if (metafile === undefined) throw new Error("The bundler does not say what it has taken in");
  const folders = Object.keys(metafile.inputs).flatMap((path) => {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(path) ?? [];
    return folder === undefined ? [] : [join(root, folder)];
  });
  return [...new Set(folders)];
}

async function readPackage(folder: string): Promise<ShippedPackage> {
  const { name, version, license, scripts } = packageSchema.parse(
    await Bun.file(join(folder, "package.json")).json(),
  );
  if (!allowedLicences.has(license))
    throw new Error(
      `"${name}" is under "${license}"; look at it, and add that to allowedLicences or do without it`,
    );
  const script = installScripts.find((key) => Object.hasOwn(scripts, key));
  if (script !== undefined) throw new Error(`"${name}" runs "${script}" when it is installed; do without it`);
  const texts: string[] = [];
  for (const path of [...new Bun.Glob("{LICENSE,LICENCE,NOTICE,license,licence}*").scanSync(folder)].toSorted())
    texts.push((await Bun.file(join(folder, path)).text()).replaceAll("\r\n", "\n").trim());
  return { name, version, licence: license, text: texts.join("\n\n") };
}

function notices(packages: readonly ShippedPackage[]): string {
  const byText = Map.groupBy(packages, ({ text, licence }) => (text === "" ? licence : text));
  const texts = [...byText].map(([text, group]) => {
    const names = group.map(({ name, version }) => `${name} ${version}`).join(", ");
    const isMissing = group[0]?.text === "";
    const body = isMissing ? `${text}, without a text of its own in the package.` : `\`\`\`text\n${text}\n\`\`\``;
    return `### ${names}\n\n${body}\n`;
  });
  return [
    "# What of others is in the built file",
    "",
    "Made by `bun run third-party` from what the bundler takes in; a check keeps it true. The file also has in it Bun itself,",
    "the runtime: its licences are at <https://bun.sh/docs/project/licensing>.",
    "",
    "| package | version | licence |",
    "| --- | --- | --- |",
    ...packages.map(({ name, version, licence }) => `| ${name} | ${version} | ${licence} |`),
    "",
    "## Their texts",
    "",
    texts.join("\n"),
  ].join("\n");
}

const packages = await Promise.all((await shippedFolders()).map(readPackage));
/** The bundler's order of two versions varies. */
const keyOf = ({ name, version }: ShippedPackage): string => `${name} ${version}`;
const text = notices(packages.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1)));
if (!process.argv.includes("--check")) await Bun.write(noticesPath, text);
else if ((await Bun.file(noticesPath).text()) !== text) {
  process.stderr.write(
    'THIRD-PARTY-NOTICES.md is not what is shipped: run "bun run third-party" and look at the difference\n',
  );
  process.exitCode = 1;
}
