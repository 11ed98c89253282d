import { Glob } from "bun";
import { dirname, join } from "node:path";
import * as z from "zod";

const versionsSchema = z.record(z.string(), z.string());

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  engines: z.union([z.strictObject({ node: z.string() }), z.strictObject({ bun: z.string() })]),
  publishConfig: z.strictObject({ access: z.literal("public") }),
  exports: z.record(z.string(), z.string().regex(/^\.\/src\/.*\.ts$/)),
  dependencies: versionsSchema.default({}),
});
type Manifest = z.infer<typeof manifestSchema>;

const rootSchema = z.object({ workspaces: z.object({ catalog: versionsSchema }) });

export interface PublishedPackage {
  readonly name: string;
  /** Relative to the repository root. */
  readonly folder: string;
  /** Sources relative to the package, by import specifier such as `@incipit/schema`. */
  readonly entries: Readonly<Record<string, string>>;
  readonly manifest: { readonly [key: string]: unknown } & Pick<Manifest, "dependencies" | "engines">;
}

/** Importers may have another copy of zod, but no other copy of our packages. */
function publishedVersion(
  [name, version]: readonly [string, string],
  known: { readonly own: ReadonlyMap<string, string>; readonly catalog: Readonly<Record<string, string>> },
): readonly [string, string] {
  const own = known.own.get(name);
  if (version === "workspace:*" && own !== undefined) return [name, own];
  const theirs = known.catalog[name];
  if (version === "catalog:" && theirs !== undefined) return [name, `^${theirs}`];
  throw new Error(
    `Cannot publish what depends on "${name}" at "${version}"; give it "publishConfig" too, or take it out of dependencies`,
  );
}

function publishedManifest(
  { name, version, description, license, engines, publishConfig, exports }: Manifest,
  dependencies: Readonly<Record<string, string>>,
): PublishedPackage["manifest"] {
  const entries = Object.entries(exports).map(([entry, source]) => {
    const path = source.replace(/^\.\/src\/(.*)\.ts$/, "./dist/$1");
    return [entry, { types: `${path}.d.ts`, default: `${path}.js` }];
  });
  return {
    name,
    version,
    description,
    license,
    type: "module",
    exports: Object.fromEntries(entries),
    files: ["dist"],
    dependencies,
    engines,
    publishConfig,
  };
}

export async function publishedPackages(root: string): Promise<readonly PublishedPackage[]> {
  const { catalog } = rootSchema.parse(await Bun.file(join(root, "package.json")).json()).workspaces;
  const found: { readonly folder: string; readonly manifest: Manifest }[] = [];
  for (const path of [...new Glob("{packages,extensions}/*/package.json").scanSync({ cwd: root })].toSorted()) {
    const manifest: unknown = await Bun.file(join(root, path)).json();
    if (z.object({ publishConfig: z.unknown() }).safeParse(manifest).success)
      found.push({ folder: dirname(path), manifest: manifestSchema.parse(manifest) });
  }
  const own = new Map(found.map(({ manifest }) => [manifest.name, manifest.version]));
  return found.map(({ folder, manifest }) => {
    const dependencies = Object.entries(manifest.dependencies).map((one) =>
      publishedVersion(one, { own, catalog }),
    );
    return {
      name: manifest.name,
      folder,
      entries: Object.fromEntries(
        Object.entries(manifest.exports).map(([entry, source]) => [
          `${manifest.name}${entry.slice(".".length)}`,
          source.slice("./".length),
        ]),
      ),
      manifest: publishedManifest(manifest, Object.fromEntries(dependencies)),
    };
  });
}
