import type { JsonValue } from "@incipit/kernel";
import type { ConfiguredKey, KeyOrigin } from "@incipit/service-contract";
import * as z from "zod";
import { isTable, valueAt } from "./config-layer.ts";
import type { Config, ConfigSchema } from "./config-schema.ts";
import { Configured } from "./configured.ts";
import { lineOfKey } from "./line-of-key.ts";
import { layerOf } from "./merge-layers.ts";
import { byDefault, originKey, type Origin } from "./origin.ts";

export interface KeysInForceOptions {
  readonly config: Config;
  readonly schema: ConfigSchema;
  readonly redact: (text: string) => string;
}

export function keysInForce({ config, schema, redact }: KeysInForceOptions): readonly ConfiguredKey[] {
  const origin = config[originKey];
  const keys = new Map<string, ConfiguredKey>();
  const add = (path: readonly string[], given: unknown): void => {
    const from = originOf(path, given, origin);
    const value = withoutSecrets(given, { name: path.at(-1) ?? "", redact });
    const isRedacted = JSON.stringify(value) !== JSON.stringify(toJson(given));
    keys.set(path.join("\n"), { path, value, origin: from, isRedacted });
  };
  for (const path of knownPaths(schema)) {
    const value = valueAt(config, path);
    if (!isTable(value)) add(path, value);
  }
  for (const [path, value] of leavesOf(config, [])) add(path, value);
  for (const [path, value] of settingsOf(config, schema)) add(path, value);
  return [...keys.values()].toSorted((a, b) => (a.path.join("\n") < b.path.join("\n") ? -1 : 1));
}

type Leaf = readonly [path: readonly string[], value: unknown];

function leavesOf(value: unknown, path: readonly string[]): readonly Leaf[] {
  if (!isTable(value) || (path.length > 0 && Object.keys(value).length === 0)) return [[path, value]];
  return Object.entries(value).flatMap(([key, inner]) =>
    inner === undefined ? [] : leavesOf(inner, [...path, key]),
  );
}

function knownPaths(schema: ConfigSchema, path: readonly string[] = []): readonly (readonly string[])[] {
  const inner = schema.knownKeys(path) ?? [];
  return inner.length === 0 ? [path] : inner.flatMap((key) => knownPaths(schema, [...path, key]));
}

/** Only the extensions' own schemas know these. */
function settingsOf(config: Config, schema: ConfigSchema): readonly Leaf[] {
  const configured = new Configured(config, schema.extensions);
  return schema.extensions.flatMap((extension) => {
    const { id } = extension.manifest;
    const values = configured.values(extension);
    return Object.keys(schema.settingsShape(id) ?? {}).flatMap((key) =>
      leavesOf(values[key], ["extensions", "settings", id, key]),
    );
  });
}

function originOf(path: readonly string[], given: unknown, origin: Origin | undefined): KeyOrigin {
  const unwritten: KeyOrigin = { kind: given === undefined ? "not-set" : "default" };
  if (origin === undefined) return unwritten;
  const { layers, overrides, whole } = origin;
  const override = overrides.find((one) => one.path.every((part, index) => part === path[index]));
  if (override?.origin === byDefault) return { kind: "default" };
  if (override !== undefined)
    return { kind: override.origin.startsWith("--") ? "flag" : "variable", name: override.origin };
  const layer = layerOf(path, layers, whole);
  if (layer === undefined || valueAt(layer.table, path) === undefined) return unwritten;
  return { kind: "file", file: layer.file, line: lineOfKey(layer.text, path) };
}

interface SecretsOptions {
  readonly name: string;
  readonly redact: (text: string) => string;
}

/** Indicates a secret, unless the value names a variable. */
const secretName = /(?:secret|password|passphrase|token|credential|api_?key|private_?key)s?$/i;
const hidden = "(not shown)";

function withoutSecrets(value: unknown, { name, redact }: SecretsOptions): JsonValue {
  const json = toJson(value);
  if (typeof json === "string") return secretName.test(name) && json !== "" ? hidden : redact(json);
  if (Array.isArray(json)) return json.map((one) => withoutSecrets(one, { name, redact }));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json).map(([key, inner]) => [key, withoutSecrets(inner, { name: key, redact })]),
  );
}

function toJson(value: unknown): JsonValue {
  return value === undefined ? null : z.json().parse(JSON.parse(JSON.stringify(value)));
}
