import * as z from "zod";
import type { Manifest } from "./extension.ts";
import type { ContractId } from "./handle.ts";
import { KernelError } from "../failures/kernel-error.ts";
import { netEntryMessage, parseNetEntry } from "./net-entry.ts";
import { storageNamespacePattern } from "./storage-namespace.ts";
import { storageDriverHandle } from "./storage.ts";

/** Version of the `host` API; a manifest's `api` is a range of versions. */
const own = { major: 1, minor: 0, patch: 0 } as const;
export const kernelApiVersion = `${own.major}.${own.minor}.${own.patch}`;

const contractIdPattern = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*@(0|[1-9]\d*)$/;

const contractIdSchema = z.custom<ContractId>(
  (id) => typeof id === "string" && contractIdPattern.test(id),
  'must be NAME@MAJOR, such as "system-prompt@1"',
);

/** The storage driver can read the data of every extension. */
const dependencySchema = contractIdSchema.refine(
  (id) => id !== storageDriverHandle.id,
  "must be omitted: declare capabilities.storage, and use host.storage",
);

function text(pattern: RegExp, message: string): z.ZodString {
  return z.string(message).regex(pattern, message);
}

function list<Item extends z.ZodType>(item: Item): z.ZodArray<Item> {
  return z.array(item, "must be a list");
}

function trueOr<Schema extends z.ZodType>(schema: Schema, what: string): z.ZodUnion<[z.ZodLiteral<true>, Schema]> {
  return z.union([z.literal(true), schema], `must be true or ${what}`);
}

/** An object with exactly these keys. */
function closed<Shape extends z.ZodRawShape>(shape: Shape): z.ZodObject<Shape, z.core.$strict> {
  const keys = Object.keys(shape).join(", ");
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === "unrecognized_keys"
        ? `has the unknown key ${(issue.keys ?? []).map((key) => `"${key}"`).join(", ")}; it can have ${keys}`
        : `must be an object with ${keys}`,
  });
}

const netEntrySchema = z
  .string(netEntryMessage)
  .refine((entry) => parseNetEntry(entry) !== undefined, netEntryMessage);

const nameSchema = text(/./, "must be a name");

const pathSchema = text(/^(\/|[A-Za-z]:[\\/]|\$cwd(\/|$))/, 'must be an absolute path or begin with "$cwd"').refine(
  (path) => !path.split(/[\\/]/).includes(".."),
  'must not have ".." in it',
);

const fsSchema = closed({ read: list(pathSchema).exactOptional(), write: list(pathSchema).exactOptional() });

const storageSchema = closed({
  namespaces: list(
    text(storageNamespacePattern, 'must be lower-case letters, digits, ".", "_" and "-", such as "weather"'),
  ).exactOptional(),
  maxBytes: z.int("must be a whole number of bytes").positive("must be at least 1").exactOptional(),
});

const capabilitiesSchema = closed({
  fs: trueOr(fsSchema, "an object with read, write").exactOptional(),
  spawn: trueOr(list(nameSchema), "a list of programs").exactOptional(),
  net: trueOr(list(netEntrySchema), "a list of hosts with their ports").exactOptional(),
  env: trueOr(list(nameSchema), "a list of variables").exactOptional(),
  storage: trueOr(storageSchema, "an object with namespaces, maxBytes").exactOptional(),
  listen: z.literal(true, "must be true or omitted").exactOptional(),
  system: z.literal(true, "must be true or omitted").exactOptional(),
});

/** A grant holds a manifest's capabilities and contracts in one object. */
const grantSchema = closed({
  ...capabilitiesSchema.shape,
  uses: list(contractIdSchema).exactOptional(),
  provides: list(contractIdSchema).exactOptional(),
  contributes: list(contractIdSchema).exactOptional(),
  reads: list(contractIdSchema).exactOptional(),
});

const manifestSchema = closed({
  id: text(
    /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$/,
    'must be lower-case words joined by "-" or ".", such as "acme.weather"',
  ),
  version: text(
    /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/,
    'must be a semantic version, such as "1.2.0"',
  ),
  api: text(/^\^\d+(\.\d+){0,2}$/, 'must be a caret range, such as "^1"'),
  capabilities: capabilitiesSchema.exactOptional(),
  dependsOn: closed({
    required: list(dependencySchema).exactOptional(),
    optional: list(dependencySchema).exactOptional(),
  }).exactOptional(),
  provides: list(contractIdSchema).exactOptional(),
  contributes: list(contractIdSchema).exactOptional(),
  reads: list(contractIdSchema).exactOptional(),
  kinds: z
    .record(
      text(/^[a-z][a-z0-9_]*$/, 'must be the name of a table, such as "providers"'),
      list(text(/^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$/, 'must be lower-case words joined by "-" or "."')),
      'must be an object with a list of kinds for each table, such as { "providers": ["acme"] }',
    )
    .exactOptional(),
  swap: z.enum(["overlap", "exclusive"], 'must be "overlap" or "exclusive"').exactOptional(),
});

export interface ParseManifestOptions {
  /**
   * Returns the source position of a value, such as `package.json:12:5`; for a missing value, that of its nearest
   * parent.
   */
  readonly placeOf?: (path: readonly PropertyKey[]) => string | undefined;
}

/**
 * Validates a manifest before any code of the extension runs.
 * @throws {KernelError} `MANIFEST_INVALID` with key, value and rule; `API_MISMATCH` when `api` excludes this kernel.
 */
export function parseManifest(input: unknown, { placeOf }: ParseManifestOptions = {}): Manifest {
  const givenId = valueAt(input, ["id"]);
  const id = typeof givenId === "string" ? givenId : "(no id)";
  const parsed = manifestSchema.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map((issue) => {
      const place = placeOf?.(
        issue.code === "unrecognized_keys" ? [...issue.path, ...issue.keys.slice(0, 1)] : issue.path,
      );
      return `${place === undefined ? "" : `${place}: `}${describeIssue(issue, input)}`;
    });
    throw new KernelError("MANIFEST_INVALID", `Cannot load "${id}": ${problems.join("; ")}`, { extension: id });
  }
  const [major, minor = 0, patch = 0] = parsed.data.api.slice(1).split(".").map(Number);
  const isMet = major === own.major && (minor < own.minor || (minor === own.minor && patch <= own.patch));
  if (!isMet) {
    const message = `Cannot load "${id}": it needs kernel API ${parsed.data.api}, and this host has ${kernelApiVersion}`;
    throw new KernelError("API_MISMATCH", message, { extension: id });
  }
  return parsed.data;
}

/** Returns the problems of a grant, such as `net[0] is "api.acme.dev", and must …`; empty when valid. */
export function grantProblems(input: unknown): readonly string[] {
  const parsed = grantSchema.safeParse(input);
  return parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, input));
}

/** Example: `capabilities.net[0] is "api.acme.dev", and must have a host and a port, such as "api.acme.dev:443"`. */
function describeIssue(issue: z.core.$ZodIssue, input: unknown): string {
  const key = issue.path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`))
    .join("");
  const name = key === "" ? "the manifest" : key;
  if (issue.code === "unrecognized_keys") return `${name} ${issue.message}`;
  const value = valueAt(input, issue.path);
  return value === undefined
    ? `${name} is missing, and ${issue.message}`
    : `${name} is ${shown(value)}, and ${issue.message}`;
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const key of path) {
    if (typeof value !== "object" || value === null) return undefined;
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

const maxShownLength = 80;

function shown(value: unknown): string {
  if (typeof value === "object" && value !== null) return Array.isArray(value) ? "a list" : "an object";
  const whole = typeof value === "string" ? JSON.stringify(value) : String(value);
  return whole.length > maxShownLength ? `${whole.slice(0, maxShownLength)}…` : whole;
}
