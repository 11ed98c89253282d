import {
  KernelError,
  parseManifest,
  type Activate,
  type Configuration,
  type Extension,
  type Manifest,
} from "@incipit/kernel";
import * as z from "zod";

const extensionSchema = z.object({
  manifest: z.unknown(),
  activate: z.custom<Activate>((value) => typeof value === "function"),
  configuration: z.custom<Configuration>(isConfiguration, "is not what defineConfiguration returns").optional(),
});

const shapeSchema = z.object({
  shape: z.record(
    z.string(),
    z.custom<unknown>((value) => typeof value === "function"),
  ),
});

function isConfiguration(value: unknown): boolean {
  return shapeSchema.safeParse(value).success;
}

const moduleSchema = z.object({ default: z.unknown() });

/** @throws {KernelError} `CODE_FAILED` without an extension, or if its manifest differs from `manifest`. */
export function exportedExtension(exported: unknown, manifest: Manifest): Extension {
  const value = moduleSchema.safeParse(exported).data?.default;
  if (value === undefined) {
    throw failed(
      manifest.id,
      "it has no default export; write: export default defineExtension(manifest, activate)",
    );
  }
  const extension = extensionSchema.safeParse(value);
  if (!extension.success) {
    throw failed(
      manifest.id,
      "its default export is not an extension; export what defineExtension(manifest, activate) returns",
    );
  }
  const differences = manifestDifferences(manifest, manifestInCode(extension.data.manifest, manifest.id));
  if (differences.length > 0) {
    throw failed(manifest.id, `${differences.join("; ")}; write the same manifest in both`);
  }
  const { activate, configuration } = extension.data;
  return { manifest, activate, ...(configuration === undefined ? {} : { configuration }) };
}

function manifestInCode(input: unknown, id: string): Manifest {
  try {
    return parseManifest(input);
  } catch (cause) {
    if (!KernelError.is(cause)) throw cause;
    throw failed(id, `the manifest in its code is refused: ${cause.message}`, cause);
  }
}

function failed(extension: string, why: string, cause?: unknown): KernelError {
  return new KernelError("CODE_FAILED", `Cannot load "${extension}": ${why}`, { extension, cause });
}

function manifestDifferences(inPackage: unknown, inCode: unknown, key = ""): readonly string[] {
  const packageEntries = entriesOf(inPackage);
  const codeEntries = entriesOf(inCode);
  if (packageEntries === undefined || codeEntries === undefined) {
    if (Object.is(inPackage, inCode)) return [];
    return [`${key} is ${shown(inPackage)} in package.json and ${shown(inCode)} in the code`];
  }
  const keys = new Set([...packageEntries.keys(), ...codeEntries.keys()]);
  return [...keys].flatMap((name) =>
    manifestDifferences(packageEntries.get(name), codeEntries.get(name), key === "" ? name : `${key}.${name}`),
  );
}

function entriesOf(value: unknown): ReadonlyMap<string, unknown> | undefined {
  return typeof value === "object" && value !== null ? new Map(Object.entries(value)) : undefined;
}

function shown(value: unknown): string {
  return value === undefined ? "missing" : JSON.stringify(value);
}
