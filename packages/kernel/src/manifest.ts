import * as z from "zod";
import type { Manifest } from "./extension.ts";
import type { ContractId } from "./handle.ts";
import { KernelError } from "./kernel-error.ts";

/** Version of what `host` offers; a manifest's `api` is a range of it. */
export const kernelApiVersion = "1.0.0";

const contractIdPattern = /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*@(0|[1-9]\d*)$/;

const contractIdSchema = z.custom<ContractId>(
  (id) => typeof id === "string" && contractIdPattern.test(id),
  'must be NAME@MAJOR, such as "system-prompt@1"',
);

const hostAndPortSchema = z
  .string()
  .regex(/^(\[[0-9a-f:.]+\]|[^\s:/@]+):\d{1,5}$/i, 'must have a host and a port, such as "api.acme.dev:443"');

const pathSchema = z.string().regex(/^(\/|\$cwd)/, 'must be an absolute path or begin with "$cwd"');

const capabilitiesSchema = z.strictObject({
  fs: z
    .union([
      z.literal(true),
      z.strictObject({ read: z.array(pathSchema).exactOptional(), write: z.array(pathSchema).exactOptional() }),
    ])
    .exactOptional(),
  spawn: z.union([z.literal(true), z.array(z.string().min(1))]).exactOptional(),
  net: z.union([z.literal(true), z.array(hostAndPortSchema)]).exactOptional(),
  env: z.union([z.literal(true), z.array(z.string().min(1))]).exactOptional(),
  storage: z.literal(true).exactOptional(),
  listen: z.literal(true).exactOptional(),
});

const manifestSchema = z.strictObject({
  id: z
    .string()
    .regex(
      /^[a-z][a-z0-9-]*(\.[a-z][a-z0-9-]*)*$/,
      'must be lower-case words joined by "-" or ".", such as "acme.weather"',
    ),
  version: z
    .string()
    .regex(/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$/, 'must be a semantic version, such as "1.2.0"'),
  api: z.string().regex(/^\^\d+(\.\d+){0,2}$/, 'must be a caret range, such as "^1"'),
  capabilities: capabilitiesSchema.exactOptional(),
  dependsOn: z
    .strictObject({
      required: z.array(contractIdSchema).exactOptional(),
      optional: z.array(contractIdSchema).exactOptional(),
    })
    .exactOptional(),
  provides: z.array(contractIdSchema).exactOptional(),
  contributes: z.array(contractIdSchema).exactOptional(),
  reads: z.array(contractIdSchema).exactOptional(),
  swap: z.enum(["overlap", "exclusive"]).exactOptional(),
});

function idOf(input: unknown): string {
  return typeof input === "object" && input !== null && "id" in input && typeof input.id === "string"
    ? input.id
    : "(no id)";
}

/**
 * Checks a manifest before any code of the extension runs.
 * @throws {KernelError} `MANIFEST_INVALID` that names key and value; `API_MISMATCH` when `api` leaves this kernel out.
 */
export function parseManifest(input: unknown): Manifest {
  const id = idOf(input);
  const parsed = manifestSchema.safeParse(input);
  if (!parsed.success) {
    const problems = parsed.error.issues.map(
      (issue) => `${issue.path.join(".") || "the manifest"}: ${issue.message}`,
    );
    throw new KernelError("MANIFEST_INVALID", `Cannot load "${id}": ${problems.join("; ")}`, { extension: id });
  }
  const [major = 0, minor = 0, patch = 0] = parsed.data.api.slice(1).split(".").map(Number);
  const [ownMajor = 0, ownMinor = 0, ownPatch = 0] = kernelApiVersion.split(".").map(Number);
  const isMet = major === ownMajor && (minor < ownMinor || (minor === ownMinor && patch <= ownPatch));
  if (!isMet) {
    const message = `Cannot load "${id}": it needs kernel API ${parsed.data.api}, and this host has ${kernelApiVersion}`;
    throw new KernelError("API_MISMATCH", message, { extension: id });
  }
  return parsed.data;
}
