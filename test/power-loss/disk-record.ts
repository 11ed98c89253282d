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
  target: z.string(),
});
type Entry = z.infer<typeof entrySchema>;
const folderSchema = z.record(z.string(), entrySchema);

export type Noted =
  | { readonly id: string; readonly kind: "file"; readonly bytes: Uint8Array }
  | { readonly id: string; readonly kind: "folder"; readonly entries: Readonly<Record<string, Entry>> };

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

function entryOf(path: string, statsOf: typeof lstatSync): Entry | undefined {
  try {
    const stats = statsOf(path, { bigint: true });
    const id = `${stats.ino}-${stats.birthtimeNs}`; // The system reuses inode numbers.
    if (stats.isSymbolicLink()) return { id, kind: "link", target: readlinkSync(path) };
    if (stats.isFile()) return { id, kind: "file", target: "" };
    return stats.isDirectory() ? { id, kind: "folder", target: "" } : undefined;
  } catch {
    return undefined;
  }
}

export class DiskRecord {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  static begin(path: string, root: string): DiskRecord {
    mkdirSync(path);
    const record = new DiskRecord(path);
    for (const noted of treeOf(root).values()) record.note(noted);
    return record;
  }

  note(noted: Noted): void {
    const draft = join(this.path, `draft-${crypto.randomUUID()}`);
    writeFileSync(draft, noted.kind === "file" ? noted.bytes : JSON.stringify(noted.entries));
    renameSync(draft, join(this.path, `${noted.kind}-${noted.id}`));
  }

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

/** Decides what unsynced data survives: each file's content, each folder's names. */
export interface Survival {
  readonly hasContent: (id: string) => boolean;
  readonly hasNames: (id: string) => boolean;
}

export type Remains = ReadonlyMap<string, Uint8Array | { readonly target: string }>;

export class DiskSnapshot {
  readonly #rootId: string;
  readonly #written: ReadonlyMap<string, Noted>;
  readonly #synced: ReadonlyMap<string, Noted>;
  readonly #unseen: string;

  /** @param options `unseen`: a file that SQLite syncs without a record; its content counts as synced. */
  constructor(root: string, record: DiskRecord, { unseen }: { readonly unseen: string }) {
    this.#unseen = unseen;
    // Before the tree is read, so that a later sync does not count.
    this.#synced = new Map(record.all().map((noted) => [noted.id, noted]));
    this.#written = treeOf(root);
    this.#rootId = [...this.#written.keys()][0] ?? "none";
  }

  after({ hasContent, hasNames }: Survival): Remains {
    const remains = new Map<string, Uint8Array | { readonly target: string }>();
    const choose = (id: string, isThere: boolean): Noted | undefined =>
      (isThere ? this.#written.get(id) : undefined) ?? this.#synced.get(id);
    const walk = (id: string, path: string): void => {
      const folder = choose(id, hasNames(id));
      if (folder?.kind !== "folder") return; // Created, and none of its names was synced.
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
