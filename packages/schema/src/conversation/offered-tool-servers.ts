import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";

const maxServers = 32;
const maxNameLength = 200;
const maxTextLength = 4_096;
const maxEntries = 256;
/** Limit of the JSON of all servers in a request, in UTF-16 units. */
const maxServersLength = 256 * 1_024;

/** Headers set by the host or the protocol. */
const ownHeaders: ReadonlySet<string> = new Set([
  "accept",
  "connection",
  "content-length",
  "content-type",
  "host",
  "mcp-protocol-version",
  "mcp-session-id",
  "transfer-encoding",
]);

/**
 * Returns a valid tool prefix for a server name: invalid characters become `-`, and repeated underscores are
 * collapsed, because `__` separates server and tool. `undefined` if nothing remains.
 */
export function offeredServerName(given: string): string | undefined {
  const name = given
    .replaceAll(/[^A-Za-z0-9_-]+/g, "-")
    .replaceAll(/_{2,}/g, "_")
    .slice(0, 32)
    .replaceAll(/^-+|[-_]+$/g, "");
  return name === "" ? undefined : name;
}

function nameKey() {
  return z
    .string()
    .max(maxNameLength)
    .refine((name) => offeredServerName(name) !== undefined, "must have a letter or a digit (A-Z, a-z, 0-9)");
}

/** Rejects NUL, which terminates strings in system calls. */
function textKey() {
  return z
    .string()
    .max(maxTextLength)
    .regex(/^[^\0]*$/, "must not hold a NUL");
}

/** Values may be secrets, so error messages omit them. */
function variablesKey() {
  return z
    .record(
      z
        .string()
        .max(maxNameLength)
        .regex(/^[^=\0]+$/, "must be the name of a variable"),
      z
        .string()
        .max(maxServersLength)
        .regex(/^[^\0]*$/, "must not hold a NUL"),
    )
    .refine((values) => Object.keys(values).length <= maxEntries, `must be at most ${maxEntries}`);
}

function headersKey() {
  return z
    .record(
      z
        .string()
        .max(maxNameLength)
        .regex(/^[A-Za-z0-9-]+$/, "must be the name of a header")
        .refine((name) => !ownHeaders.has(name.toLowerCase()), "is a header that the host sets itself"),
      z
        .string()
        .max(maxServersLength)
        .regex(/^[\t\u0020-\u007e\u0080-\u00ff]*$/, "must be one line, as headers are"),
    )
    .refine((values) => Object.keys(values).length <= maxEntries, `must be at most ${maxEntries}`);
}

/** An MCP server supplied by a client for one conversation. Values may be secrets and are never shown. */
const offeredToolServerSchema = lazySchema(() =>
  z.discriminatedUnion("kind", [
    z.strictObject({
      kind: z.literal("stdio"),
      /** Name of the server, also the prefix of its tools' names. */
      name: nameKey(),
      /** An absolute path, or a program in the host's `PATH`. */
      command: textKey().regex(/^(\/[^\0]+|[^/\0]+)$/, "must be an absolute path, or a program in PATH"),
      /** Arguments; no shell is used. */
      args: z.array(textKey()).max(maxEntries).default([]),
      /** Environment variables by name; never shown or stored. */
      env: variablesKey().default({}),
    }),
    z.strictObject({
      kind: z.literal("http"),
      /** Name of the server, also the prefix of its tools' names. */
      name: nameKey(),
      /** URL of the server. */
      url: textKey().refine(isPlainUrl, "must be an http or https URL without a name and a password"),
      /** Headers of each request; never shown or stored. */
      headers: headersKey().default({}),
    }),
  ]),
);
export type OfferedToolServer = z.output<typeof offeredToolServerSchema>;

/** Servers supplied by one client for one conversation. */
export const offeredToolServersSchema = lazySchema(() =>
  z
    .array(offeredToolServerSchema)
    .min(1)
    .max(maxServers)
    .refine(
      (servers) => JSON.stringify(servers).length <= maxServersLength,
      `must be at most ${maxServersLength} characters of JSON together`,
    )
    .refine(
      (servers) => new Set(servers.map(({ name }) => offeredServerName(name))).size === servers.length,
      "must have different names, also where each character other than letters, digits, _ and - counts as -",
    ),
);

function isPlainUrl(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}
