/**
 * Runs only during bundling: the bundle ships without packages, so the declarations that extensions import are
 * embedded.
 */
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";

const root = join(import.meta.dir, "../../../../..");
const packages = ["kernel", "schema", "service-contract"] as const;
const zod = join(root, "packages/kernel/node_modules/zod");

export async function packedDeclarations(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "incipit-types-"));
  try {
    const files = [...(await ownDeclarations(folder)), ...(await zodDeclarations())];
    return Bun.gzipSync(JSON.stringify(Object.fromEntries(files))).toBase64();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function ownDeclarations(folder: string): Promise<readonly (readonly [string, string])[]> {
  const entries = packages.map(
    (name) => [`@incipit/${name}`, join(root, `packages/${name}/src/index.ts`)] as const,
  );
  const project = {
    extends: join(root, "tsconfig.base.json"),
    compilerOptions: {
      lib: ["ESNext", "DOM", "DOM.Iterable", "DOM.AsyncIterable"],
      types: [],
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rewriteRelativeImportExtensions: true,
      rootDir: root,
      outDir: folder,
      paths: Object.fromEntries(entries.map(([name, path]) => [name, [path]])),
    },
    files: entries.map(([, path]) => path),
  };
  const config = join(folder, "tsconfig.json");
  await Bun.write(config, JSON.stringify(project));
  const child = Bun.spawn([join(root, "node_modules/.bin/tsc"), "-p", config], {
    stdout: "pipe",
    stderr: "inherit",
  });
  const said = await new Response(child.stdout).text();
  if ((await child.exited) !== 0) throw new Error(`The declarations for extensions were not made:\n${said}`);
  const files: (readonly [string, string])[] = [];
  for (const name of packages) {
    const from = join(folder, "packages", name, "src");
    for (const path of await readdir(from, { recursive: true }))
      if (path.endsWith(".d.ts"))
        files.push([`${name}/${path}`, readable(await Bun.file(join(from, path)).text())]);
  }
  return files;
}

/** The compiler accepts `.ts` imports in declarations; editors do not. */
function readable(text: string): string {
  return text.replaceAll(/((?:from|import\() ?"\.[^"]*)\.ts"/g, '$1.js"');
}

async function zodDeclarations(): Promise<readonly (readonly [string, string])[]> {
  const found = new Map<string, string>();
  const left = [join(zod, "index.d.ts")];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    const name = `zod/${relative(zod, path)}`;
    if (found.has(name)) continue;
    const text = await Bun.file(path).text();
    found.set(name, text);
    for (const [, to = ""] of text.matchAll(/(?:from|import\() ?"(\.[^"]*)\.js"/g))
      left.push(`${join(dirname(path), to)}.d.ts`);
  }
  return [...found];
}
