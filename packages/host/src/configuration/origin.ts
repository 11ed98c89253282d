import { maxProblems, type Problem } from "./check-table.ts";
import type { ConfigLayer } from "./config-layer.ts";
import { lineOfKey } from "./line-of-key.ts";
import { layerOf } from "./merge-layers.ts";

export const byDefault = "default";

export interface Override {
  readonly path: readonly [string, ...string[]];
  readonly value: unknown;
  readonly origin: string;
}

export interface Origin {
  readonly layers: readonly ConfigLayer[];
  readonly overrides: readonly Override[];
  readonly whole: ReadonlySet<string>;
}

/** `FILE:LINE`, a flag or a variable; for a missing key, the file it belongs in. */
function placeOf(path: readonly PropertyKey[], { layers, overrides, whole }: Origin): string {
  const override = overrides.find((candidate) => candidate.path.every((part, index) => part === path[index]));
  const layer = layerOf(path, layers, whole);
  if (override !== undefined) return override.origin;
  return layer === undefined ? "incipit.toml" : `${layer.file}:${lineOfKey(layer.text, path)}`;
}

/** Neither a configuration key nor part of copies. */
export const originKey: unique symbol = Symbol("origin of a configuration");

/** `FILE:LINE: key "x" …`, without the place if the configuration has no origin. */
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

export function placeOfKey(
  path: readonly PropertyKey[],
  { [originKey]: origin }: { readonly [originKey]?: Origin | undefined },
): string | undefined {
  return origin === undefined ? undefined : placeOf(path, origin);
}

function keyText(path: readonly PropertyKey[]): string {
  return path.map((part) => (/^[A-Za-z0-9_-]*$/.test(String(part)) ? String(part) : `'${String(part)}'`)).join(".");
}
