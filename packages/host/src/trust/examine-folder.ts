import { sha256Hex } from "@incipit/common";
import type { FileTrust } from "@incipit/service-contract";
import { existsSync } from "node:fs";
import { dirname, isAbsolute, join, relative } from "node:path";
import { ConfigError } from "../configuration/config-error.ts";
import { allowAnyExtension } from "../configuration/added-extensions.ts";
import type { ConfigSchema } from "../configuration/config-schema.ts";
import { Configured } from "../configuration/configured.ts";
import { parseLayers } from "../configuration/parse-config.ts";
import { configName, type FolderConfig } from "./folder-config.ts";
import { type FolderFile, readFolderFile } from "./folder-file.ts";
import { instructionFiles } from "./instruction-files.ts";
import type { TrustStore } from "./trust-store.ts";
import { requestedPermissionsOf } from "./requested-permissions.ts";
import { isInside } from "@incipit/common/system";
import { decodeText, ruleImports } from "@incipit/schema";

const maxInstructionBytes = 4_194_304;

interface ExaminedFile {
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly trust: FileTrust;
}

/** Each file was read once. */
export interface ExaminedFolder {
  readonly path: string;
  readonly files: readonly ExaminedFile[];
  readonly refused: readonly { readonly name: string; readonly reason: string }[];
  /** No hash covers git data, which is trusted with the folder; `undefined` outside a repository. */
  readonly repository: Exclude<FileTrust, "changed"> | undefined;
  /** Effects of its configuration, one sentence each. */
  readonly wishes: readonly string[];
  readonly problem: string | undefined;
  /** Covers file names, contents and the existence of a repository; a caller that names it has seen all of them. */
  readonly sha256: string;
}

/** `schema` is that of its configuration; `names` are further files below the folder. */
export function examineFolder(
  config: FolderConfig,
  {
    store,
    schema,
    names = [],
  }: { readonly store: TrustStore; readonly schema: ConfigSchema; readonly names?: readonly string[] },
): ExaminedFolder {
  const { folder } = config;
  const files = new Map<string, ExaminedFile>();
  const refused: { name: string; reason: string }[] = [];
  const take = (name: string, file: FolderFile): void => {
    if (file.kind === "refused") refused.push({ name, reason: file.reason });
    if (file.kind !== "read") return;
    const real = relative(folder, file.path);
    const { sha256, bytes } = file;
    files.set(real, { name: real, sha256, sizeBytes: bytes.length, trust: store.judge(file.path, sha256) });
  };
  take(configName, config.file);
  const instructions = instructionFiles(folder);
  refused.push(...instructions.cut);
  // Trusting again keeps previously trusted files.
  const known = Object.keys(store.folder(folder)?.files ?? {});
  // The hash covers the text searched for imports.
  const reads = new Map<string, FolderFile>();
  const read = (name: string): FolderFile => {
    const file = reads.get(name) ?? readFolderFile(folder, { name, maxBytes: maxInstructionBytes });
    reads.set(name, file);
    return file;
  };
  for (const name of new Set([...instructions.names, ...known, ...names])) {
    if (name !== configName) take(name, read(name));
  }
  for (const name of importedFiles(instructions.names, { folder, read })) {
    // An "@" may also start a user name.
    if (name !== configName && read(name).kind === "read") take(name, read(name));
  }
  const trusted = store.folder(folder) === undefined ? "not-trusted" : "trusted";
  const sorted = [...files.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const isRepository = existsSync(join(folder, ".git"));
  const list = sorted.map(({ name, sha256 }) => [name, sha256]);
  const covered = JSON.stringify(isRepository ? [...list, [".git"]] : list);
  return {
    path: folder,
    files: sorted,
    refused,
    repository: isRepository ? trusted : undefined,
    ...wishesOrProblem(config, schema),
    sha256: sha256Hex(covered),
  };
}

function wishesOrProblem(
  { layer }: FolderConfig,
  schema: ConfigSchema,
): Pick<ExaminedFolder, "wishes" | "problem"> {
  if (layer === undefined) return { wishes: [], problem: undefined };
  if (layer instanceof ConfigError) return { wishes: [], problem: layer.message };
  try {
    const parsed = parseLayers([layer], [], { schema, added: () => allowAnyExtension });
    return {
      wishes: requestedPermissionsOf(new Configured(parsed.config, schema.extensions), layer.table),
      problem: undefined,
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { wishes: [], problem: error.message };
  }
}

/** Depth to which prompts follow imports. */
const maxImportDepth = 5;
/** More than a prompt follows; files beyond it do not affect the trust of others. */
const maxImports = 1_000;

/** In these files `@path` imports another. */
const importing = /(?:^|\/)(?:CLAUDE|CLAUDE\.local|GEMINI)\.md$/;

/**
 * Leaves missing, outside and binary files to the reader. If an import is ambiguous, the first existing file counts, as
 * for a prompt. `read` is called once for each path.
 */
function importedFiles(
  names: readonly string[],
  { folder, read }: { readonly folder: string; readonly read: (name: string) => FolderFile },
): readonly string[] {
  const found = new Set<string>();
  let left = maxImports;
  let level = names.filter((name) => importing.test(name));
  for (let depth = 0; depth < maxImportDepth && level.length > 0; depth += 1) {
    const next: string[] = [];
    for (const name of level) {
      const file = read(name);
      if (file.kind !== "read") continue;
      for (const written of ruleImports(decodeText(file.bytes)?.text.replaceAll("\r\n", "\n") ?? "")) {
        if (left-- <= 0) return [...found];
        const places = [written, ...written.others].flatMap(({ path }) => placeOf(path, file.path, folder) ?? []);
        const below = places.find((place) => read(place).kind === "read") ?? places[0];
        if (below === undefined || found.has(below)) continue;
        found.add(below);
        next.push(below);
      }
    }
    level = next;
  }
  return [...found];
}

function placeOf(path: string, importing: string, folder: string): string | undefined {
  const place = join(dirname(importing), path);
  return isAbsolute(path) || path.startsWith("~") || !isInside(place, folder) ? undefined : relative(folder, place);
}
