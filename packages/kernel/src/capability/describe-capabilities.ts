import type { Capabilities, FsGrant, StorageGrant } from "../contract/capabilities.ts";
import { parseNetEntry } from "../contract/net-entry.ts";

/** Describes capabilities for an approval prompt, one line each. */
export function describeCapabilities(capabilities: Capabilities): readonly string[] {
  const { fs, spawn, net, env, storage, listen, system } = capabilities;
  return [
    ...describe(fs, "reads and writes every file that this process can", filesOf),
    ...describe(spawn, "starts any program", (programs) =>
      programs.map((program) => `starts the program ${shown(program)}`),
    ),
    ...describe(net, "connects to any host, also in this machine and in private networks", (entries) =>
      entries.map(endpoint),
    ),
    ...describe(env, "reads every variable of the environment", (names) =>
      names.map((name) => `reads the variable ${shown(name)}`),
    ),
    ...describe(storage, "stores data without a limit", storageOf),
    ...(listen === true ? ["listens for connections"] : []),
    ...(system === true ? ["imports system modules: it can do all that this process can"] : []),
  ];
}

function describe<Grant>(
  granted: true | Grant | undefined,
  all: string,
  lines: (granted: Grant) => readonly string[],
): readonly string[] {
  if (granted === undefined) return [];
  return granted === true ? [all] : lines(granted);
}

function filesOf({ read = [], write = [] }: FsGrant): readonly string[] {
  return [
    ...read.map((path) => `reads files ${place(path)}`),
    ...write.map((path) => `writes files ${place(path)}`),
  ];
}

function place(path: string): string {
  const parts = path.split("/").filter((part) => part !== "" && part !== ".");
  if (parts[0] !== "$cwd") return `at ${shown(path)} and below`;
  const below = parts.slice(1).join("/");
  return below === "" ? "below the working folder" : `at ${shown(below)} in the working folder and below`;
}

function endpoint(entry: string): string {
  const { host, port, isPrivate } = parseNetEntry(entry) ?? { host: entry, port: undefined, isPrivate: false };
  const to = `connects to ${shown(port === undefined ? host : `${host}:${port}`)}`;
  return isPrivate ? `${to}, also where that is in this machine or in a private network` : to;
}

function storageOf({ namespaces, maxBytes }: StorageGrant): readonly string[] {
  if (namespaces?.length === 0) return [];
  const amount = maxBytes === undefined ? "data without a limit" : `up to ${size(maxBytes)}`;
  const where = namespaces === undefined ? "" : ` in ${namespaces.map(shown).join(", ")}`;
  return [`stores ${amount}${where}`];
}

const units = [
  ["GiB", 1024 ** 3],
  ["MiB", 1024 ** 2],
  ["KiB", 1024],
] as const;

function size(bytes: number): string {
  const [name, unit] = units.find((candidate) => bytes % candidate[1] === 0) ?? ["bytes", 1];
  return `${bytes / unit} ${name}`;
}

/** Quotes and escapes names that could mislead a terminal user. */
function shown(name: string): string {
  if (/^[^\s\p{C}\p{DI}\u2800"]+$/u.test(name)) return name;
  const escaped = name.replaceAll(
    /(?! )[\p{C}\p{DI}\p{Z}\u2800"\\]/gu,
    (character) => `\\u{${Number(character.codePointAt(0)).toString(16)}}`,
  );
  return `"${escaped}"`;
}
