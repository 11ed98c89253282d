import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
  statSync,
} from "node:fs";
import { join } from "node:path";
import * as z from "zod";

const entrySchema = z.object({
  id: z.string(),
  kind: z.enum(["file", "folder", "link"]),
  /** Where a link leads; of others empty. */
  target: z.string(),
});
type Entry = z.infer<typeof entrySchema>;
const folderSchema = z.record(z.string(), entrySchema);

/** A file or folder as it is on the disk at one time. */
export type Noted =
  | { readonly id: string; readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly id: string; readonly kind: "folder"; readonly entries: Readonly<Record<string, Entry>> };

/** Returns what is at a path, links followed; `undefined`: neither a file nor a folder. */
export function look(path: string): Noted | undefined {
  const own = entryOf(path, statSync);
  if (own?.kind === "file") return { id: own.id, kind: "file", bytes: readFileSync(path) };
  if (own?.kind !== "folder") return undefined;
  const entries = readdirSync(path).flatMap((name) => {
    const entry = entryOf(join(path, name), lstatSync);
    return entry === undefined ? [] : [[name, entry] as const];
  });
  return { id: own.id, kind: "folder", entries: Object.fromEntries(entries) };
}

/** `undefined`: nothing is there any more, or something else, such as a socket. */
function entryOf(path: string, statsOf: typeof lstatSync): Entry | undefined {
  try {
    const stats = statsOf(path, { bigint: true });
    const id = `${stats.ino}-${stats.birthtimeNs}`; // The system gives a number to another file later.
    if (stats.isSymbolicLink()) return { id, kind: "link", target: readlinkSync(path) };
    if (stats.isFile()) return { id, kind: "file", target: "" };
    return stats.isDirectory() ? { id, kind: "folder", target: "" } : undefined;
  } catch {
    return undefined;
  }
}

/** What of a folder's tree was synced, as the processes that write there have recorded it, each in its own time. */
export class DiskRecord {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** Begins anew: all that is below a root is on the disk. */
  static begin(path: string, root: string): DiskRecord {
    mkdirSync(path);
    const record = new DiskRecord(path);
    for (const noted of treeOf(root).values()) record.note(noted);
    return record;
  }

  /** It is on the disk as it was noted. */
  note(noted: Noted): void {
    const draft = join(this.path, `draft-${crypto.randomUUID()}`);
    writeFileSync(draft, noted.kind === "file" ? noted.bytes : JSON.stringify(noted.entries));
    renameSync(draft, join(this.path, `${noted.kind}-${noted.id}`));
  }

  /** What is on the disk by now. */
  all(): readonly Noted[] {
    return readdirSync(this.path).flatMap((name): readonly Noted[] => {
      const [kind, id] = [name.slice(0, name.indexOf("-")), name.slice(name.indexOf("-") + 1)];
      const file = join(this.path, name);
      if (kind === "file") return [{ id, kind, bytes: readFileSync(file) }];
      if (kind !== "folder") return [];
      return [{ id, kind, entries: folderSchema.parse(JSON.parse(readFileSync(file, "utf8"))) }];
    });
  }
}

/** All files and folders below a path, and itself first. */
function treeOf(path: string): ReadonlyMap<string, Noted> {
  const found = new Map<string, Noted>();
  const walk = (at: string): void => {
    const noted = look(at);
    if (noted === undefined) return;
    found.set(noted.id, noted);
    if (noted.kind === "folder")
      for (const [name, { kind }] of Object.entries(noted.entries)) if (kind !== "link") walk(join(at, name));
  };
  walk(path);
  return found;
}

/** What a disk may have after a loss of power of what was written and not synced, of each file's content and each folder's names. */
export interface Luck {
  readonly hasContent: (id: string) => boolean;
  readonly hasNames: (id: string) => boolean;
}

/** Files and links after a loss of power, by their paths below the root. */
export type Remains = ReadonlyMap<string, Uint8Array | { readonly target: string }>;

/** A tree at one time, with what of it was synced by then. */
export class DiskMoment {
  readonly #rootId: string;
  readonly #written: ReadonlyMap<string, Noted>;
  readonly #synced: ReadonlyMap<string, Noted>;
  readonly #unseen: string;

  /** @param options `unseen`: a file, by its path below the root, whose content SQLite syncs where no record is kept of it. */
  constructor(root: string, record: DiskRecord, { unseen }: { readonly unseen: string }) {
    this.#unseen = unseen;
    // First, so that what is synced meanwhile does not count.
    this.#synced = new Map(record.all().map((noted) => [noted.id, noted]));
    this.#written = treeOf(root);
    this.#rootId = [...this.#written.keys()][0] ?? "none";
  }

  after({ hasContent, hasNames }: Luck): Remains {
    const remains = new Map<string, Uint8Array | { readonly target: string }>();
    const choose = (id: string, isThere: boolean): Noted | undefined =>
      (isThere ? this.#written.get(id) : undefined) ?? this.#synced.get(id);
    const walk = (id: string, path: string): void => {
      const folder = choose(id, hasNames(id));
      if (folder?.kind !== "folder") return; // Made, and not one name in it is on the disk.
      for (const [name, { id: inner, kind, target }] of Object.entries(folder.entries)) {
        const at = join(path, name);
        if (kind === "folder") walk(inner, at);
        else if (kind === "link") remains.set(at, { target });
        else {
          const file = choose(inner, at === this.#unseen || hasContent(inner));
          remains.set(at, file?.kind === "file" ? file.bytes : new Uint8Array());
        }
      }
    };
    walk(this.#rootId, "");
    return remains;
  }
}
