import { maxProblems, type Problem } from "./check-table.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { lineOfKey } from "./line-of-key.ts";
import { layerOf } from "./merge-layers.ts";

/** The origin of what nobody has written, and is so where nothing else is said. */
export const byDefault = "default";

/** A value that wins over the file's. */
export interface Override {
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
  /** Where it was written, such as `--port`; `byDefault`: nowhere. */
  readonly origin: string;
}

/** What a configuration was made of. */
export interface Origin {
  readonly layers: readonly ConfigLayer[];
  readonly overrides: readonly Override[];
  /** As `ConfigSchema.whole`. */
  readonly whole: ReadonlySet<string>;
}

/** Where a key was written: `FILE:LINE`, a flag, or a variable; the file that it belongs in, where there is none. */
function placeOf(path: readonly PropertyKey[], { layers, overrides, whole }: Origin): string {
  const override = overrides.find((candidate) => candidate.path.every((part, index) => part === path[index]));
  const layer = layerOf(path, layers, whole);
  if (override !== undefined) return override.origin;
  return layer === undefined ? "incipit.toml" : `${layer.file}:${lineOfKey(layer.text, path)}`;
}

/** Where a configuration keeps what it was made of: not among its keys, and not in copies of it. */
export const originKey: unique symbol = Symbol("origin of a configuration");

/** A line `FILE:LINE: key "x" …` for each of the first problems; without the place, where a configuration does not say it. */
export function problemLines(
  problems: readonly Problem[],
  { [originKey]: origin }: { readonly [originKey]?: Origin | undefined },
): readonly string[] {
  const lines = problems.slice(0, maxProblems).map(({ path, message }) => {
    const place = origin === undefined ? "" : `${placeOf(path, origin)}: `;
    return `${place}key "${keyText(path)}" ${message}`;
  });
  return problems.length > maxProblems ? [...lines, "… and more; fix these first"] : lines;
}

/** Where a key was written, as `problemLines` begins; `undefined`: the configuration does not say. */
export function placeOfKey(
  path: readonly PropertyKey[],
  { [originKey]: origin }: { readonly [originKey]?: Origin | undefined },
): string | undefined {
  return origin === undefined ? undefined : placeOf(path, origin);
}

/** As TOML takes it: `extensions.settings.'acme.chat'.url`. */
function keyText(path: readonly PropertyKey[]): string {
  return path.map((part) => (/^[A-Za-z0-9_-]*$/.test(String(part)) ? String(part) : `'${String(part)}'`)).join(".");
}
