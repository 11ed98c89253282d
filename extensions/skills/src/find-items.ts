import type { FileSystem, FolderEntry, ServiceReference } from "@incipit/kernel";
import type { LeftOutFile, LeftOutReason } from "@incipit/schema";
import type { FolderTrust } from "@incipit/service-contract";
import { join, dirname } from "node:path";
import type { Settings } from "./configuration.ts";
import { folderReasons, placesOf, type Kind, type Place } from "./places.ts";
import { fileTimeoutMs, readText, type TextRead } from "./read-text.ts";
import { sha256Hex } from "@incipit/common";

export interface FindContext {
  readonly fs: FileSystem;
  readonly trust: ServiceReference<FolderTrust>;
  readonly settings: Settings;
}

export interface FoundText {
  readonly place: Place;
  readonly name: string;
  readonly path: string;
  readonly folder: string;
  readonly text: string;
}

export type Made<Item> =
  | { readonly kind: "made"; readonly item: Item }
  | { readonly kind: "refused"; readonly reason: string };

export interface Looked<Item> {
  readonly items: readonly Item[];
  readonly leftOut: readonly LeftOutFile[];
}

interface Entry {
  readonly name: string;
  readonly path: string;
  readonly read: () => Promise<TextRead & { readonly folder?: string }>;
}

type Leave = (path: string, name: string | null, reason: LeftOutReason, detail: string) => void;

const atOnce = 32;

interface Query {
  readonly kind: Kind;
  readonly cwd: string;
  readonly isOneEnough?: boolean;
  readonly signal: AbortSignal;
}

/**
 * Unusable files do not affect others.
 * @throws {ServiceError} `CWD_INVALID`; the reason of `signal`.
 */
export async function look<Item extends { readonly name: string; readonly path: string }>(
  { kind, cwd, isOneEnough = false, signal }: Query,
  context: FindContext,
  make: (found: FoundText) => Promise<Made<Item>>,
): Promise<Looked<Item>> {
  const { fs, trust, settings } = context;
  const { places, problem } = await placesOf(cwd, { kind, fs, settings, signal });
  const word = new FolderTrustLookup(trust);
  const leftOut: LeftOutFile[] = [];
  const leave: Leave = (path, name, reason, detail) => void leftOut.push({ path, name, reason, detail });
  if (problem !== undefined) leave(cwd, null, "invalid", `the working folder cannot be read: ${problem}`);
  const byName = new Map<string, Item>();
  const seen = new Set<string>();
  const judge = async (entry: Entry, place: Place): Promise<Item | undefined> => {
    const read = await entry.read();
    if (read.kind === "absent") return undefined;
    const { name } = entry;
    if (read.kind === "refused") {
      leave(entry.path, name, "invalid", read.reason);
      return undefined;
    }
    const { path, text, folder = path } = read;
    const said = place.source === "folder" ? await word.judge(path, read.bytes) : "trusted";
    if (said !== "trusted") {
      leave(path, name, said, trustDetail(said, place));
      return undefined;
    }
    const made = await make({ place, name, path, folder, text });
    if (made.kind === "made") return made.item;
    leave(path, name, "invalid", made.reason);
    return undefined;
  };
  const isDone = (): boolean => isOneEnough && (byName.size > 0 || leftOut.some(isForTrust));
  const listed = await Promise.all(places.map((place) => entriesOf(place, { kind, context, signal, leave })));
  for (const [index, place] of places.entries()) {
    const entries = listed[index] ?? [];
    if (entries.length === 0 || isDone()) continue;
    if (place.source === "folder" && !(await word.isKnown(place.within))) {
      for (const { name, path } of entries) leave(path, name, "not-trusted", trustDetail("not-trusted", place));
      continue;
    }
    for (let start = 0; start < entries.length && !isDone(); start += atOnce) {
      const items = await Promise.all(entries.slice(start, start + atOnce).map((entry) => judge(entry, place)));
      signal.throwIfAborted();
      for (const item of items) {
        if (item === undefined || seen.has(item.path)) continue;
        seen.add(item.path);
        const nearer = byName.get(item.name);
        if (nearer === undefined) byName.set(item.name, item);
        else leave(item.path, item.name, "shadowed", `"${nearer.path}" has the same name, and is nearer`);
      }
    }
  }
  const items = [...byName.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return { items, leftOut: eachOnce(leftOut) };
}

/** Returns whether the file would be usable if the user trusted it. */
export function isForTrust({ reason }: Pick<LeftOutFile, "reason">): boolean {
  return reason === "not-trusted" || reason === "changed";
}

function eachOnce(leftOut: readonly LeftOutFile[]): readonly LeftOutFile[] {
  const byPath = new Map(leftOut.map((one) => [`${one.path}\n${one.reason}`, one]));
  return [...byPath.values()].toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function trustDetail(said: "not-trusted" | "changed", { within }: Place): string {
  const what = said === "changed" ? "it has changed since it was trusted" : "it is not trusted";
  return `${what}: look at it, and run: incipit trust add ${JSON.stringify(within)}`;
}

async function entriesOf(
  { path: place, within }: Place,
  {
    kind,
    context: { fs, settings },
    signal,
    leave,
  }: {
    readonly kind: Kind;
    readonly context: FindContext;
    readonly signal: AbortSignal;
    readonly leave: Leave;
  },
): Promise<readonly Entry[]> {
  const { maxEntries, maxFileBytes: maxBytes } = settings;
  const common = { timeoutMs: fileTimeoutMs, signal };
  const listed = await fs.list(place, { cwd: within, maxEntries, ...common });
  signal.throwIfAborted();
  if (listed.kind === "absent") {
    if (listed.reason !== "not-found" && listed.reason !== "not-a-folder")
      leave(place, null, "invalid", folderReasons[listed.reason]);
    return [];
  }
  if (listed.leftOut > 0) {
    const more = listed.leftOut === 1 ? "1 more is" : `${listed.leftOut} more are`;
    leave(place, null, "too-many", `${more} in this folder; only the first ${maxEntries} are read`);
  }
  const { path: real, entries } = listed;
  return entries.flatMap((entry): readonly Entry[] => {
    const path = join(real, entry.name);
    if (entry.name.startsWith(".")) return [];
    if (kind === "commands") {
      if (!entry.name.endsWith(".md") || entry.kind === "folder") return [];
      const name = entry.name.slice(0, -".md".length);
      return [{ name, path, read: () => readText(fs, path, { within, maxBytes, signal }) }];
    }
    if (entry.kind !== "folder" && entry.kind !== "link") return [];
    const file = join(path, "SKILL.md");
    const read = async (): ReturnType<Entry["read"]> => {
      const folder = await folderOf(path, entry, { fs, within, ...common });
      if (folder === undefined) return { kind: "absent" };
      if (folder === "leads-out") return { kind: "refused", reason: folderReasons.denied };
      return { ...(await readText(fs, "SKILL.md", { within: folder, maxBytes, signal })), folder };
    };
    return [{ name: entry.name, path: file, read }];
  });
}

async function folderOf(
  path: string,
  { kind }: FolderEntry,
  {
    fs,
    within,
    ...common
  }: {
    readonly fs: FileSystem;
    readonly within: string;
    readonly timeoutMs: number;
    readonly signal: AbortSignal;
  },
): Promise<string | undefined> {
  if (kind === "folder") return path;
  const listed = await fs.list(path, { cwd: within, maxEntries: 0, ...common });
  if (listed.kind === "listed") return listed.path;
  return listed.reason === "denied" ? "leads-out" : undefined;
}

class FolderTrustLookup {
  readonly #trust: FolderTrust | undefined;
  readonly #folders = new Map<string, Promise<boolean>>();

  /** Use one instance per lookup: later decisions apply to the next one. */
  constructor(trust: ServiceReference<FolderTrust>) {
    this.#trust = trust.current;
  }

  isKnown(folder: string): Promise<boolean> {
    let known = this.#folders.get(folder);
    if (known === undefined) this.#folders.set(folder, (known = this.#look(folder)));
    return known;
  }

  async judge(path: string, bytes: Uint8Array): ReturnType<FolderTrust["judgeFile"]> {
    if (this.#trust === undefined) return "not-trusted";
    return this.#trust.judgeFile(path, sha256Hex(bytes));
  }

  /** Returns whether a folder is trusted, itself or together with a parent. */
  async #look(folder: string): Promise<boolean> {
    if (this.#trust === undefined) return false;
    if ((await this.#trust.judgeFolder(folder)) === "trusted") return true;
    const above = dirname(folder);
    return above !== folder && this.isKnown(above);
  }
}
