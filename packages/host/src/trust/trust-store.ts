import type { Clock } from "@incipit/kernel";
import { isSameAsker } from "@incipit/schema";
import type { FileTrust } from "@incipit/service-contract";
import { readFileSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import { createDataFolder } from "../data-folder/data-folder.ts";
import { errorCode, errorMessage } from "../failures/error-code.ts";
import { FolderLock } from "../data-folder/folder-lock.ts";
import { replaceFile } from "../disk/synced-file.ts";
import { trustFileSchema, type AllowedInFolder, type TrustedFolder, type TrustFile } from "./trust-file.ts";

export interface TrustStoreOptions {
  readonly dataFolder: string;
  readonly clock: Pick<Clock, "now">;
  readonly report: (problem: string) => void;
}

/** Users do not review more, and each call checks every permission. */
const maxAllowed = 200;
const lockTimeoutMs = 5_000;

/**
 * Checks `trust.json` on each call, so that changes of other processes apply immediately. One process at a time writes
 * it, without lost updates. After damage nothing is trusted until the user confirms again.
 */
export class TrustStore {
  readonly #options: TrustStoreOptions;
  readonly #file: string;
  /** One folder may cause a thousand checks. */
  #known: { readonly identity: string; readonly file: TrustFile } | undefined;

  constructor(options: TrustStoreOptions) {
    this.#options = options;
    this.#file = join(options.dataFolder, "trust.json");
  }

  folders(): readonly TrustedFolder[] {
    return this.#read().folders;
  }

  folder(path: string): TrustedFolder | undefined {
    return this.folders().find((folder) => folder.path === path);
  }

  judge(path: string, sha256: string): FileTrust {
    return this.judgeAll([{ path, sha256 }])[0] ?? "not-trusted";
  }

  judgeAll(files: readonly { readonly path: string; readonly sha256: string }[]): readonly FileTrust[] {
    const trusted = new Map<string, string[]>();
    for (const folder of this.folders())
      for (const [name, hash] of Object.entries(folder.files)) {
        const path = join(folder.path, name);
        const known = trusted.get(path);
        if (known === undefined) trusted.set(path, [hash]);
        else known.push(hash);
      }
    return files.map(({ path, sha256 }) => {
      const known = trusted.get(path);
      if (known === undefined) return "not-trusted";
      return known.includes(sha256) ? "trusted" : "changed";
    });
  }

  isDeclined(path: string, sha256: string): boolean {
    return this.#read().declined.some((folder) => folder.path === path && folder.sha256 === sha256);
  }

  /**
   * SHA-256 by path below the folder, links resolved.
   * @throws if it cannot be stored, like the methods below.
   */
  trust(path: string, files: Readonly<Record<string, string>>): void {
    this.#change(({ folders, declined }) => ({
      folders: [...folders.filter((folder) => folder.path !== path), this.#trusted(path, { files, folders })],
      declined: declined.filter((folder) => folder.path !== path),
    }));
  }

  /** Keeps a declined configuration, which was a different question. */
  trustAlso(path: string, files: Readonly<Record<string, string>>): void {
    this.#change(({ folders, declined }) => {
      const known = folders.find((folder) => folder.path === path)?.files;
      const trusted = this.#trusted(path, { files: { ...known, ...files }, folders });
      return { folders: [...folders.filter((folder) => folder.path !== path), trusted], declined };
    });
  }

  decline(path: string, sha256: string): void {
    this.#change(({ folders, declined }) => ({
      folders,
      declined: [...declined.filter((folder) => folder.path !== path), { path, sha256, declinedAt: this.#time() }],
    }));
  }

  /** Idempotent. Returns a revocation id if the permission is new. */
  allow(
    path: string,
    allowed: Omit<AllowedInFolder, "id" | "allowedAt">,
  ): { readonly kind: "added"; readonly id: string } | { readonly kind: "known" | "not-trusted" } {
    let outcome: ReturnType<TrustStore["allow"]> = { kind: "not-trusted" };
    this.#change((file) => {
      const folder = file.folders.find((one) => one.path === path);
      if (folder === undefined) return file;
      outcome = { kind: "known" };
      const isSame = (one: AllowedInFolder): boolean =>
        one.tool === allowed.tool &&
        isSameAsker(one.by, allowed.by) &&
        one.folder === allowed.folder &&
        one.grants.join("\n") === allowed.grants.join("\n");
      if (folder.allowed.some(isSame)) return file;
      if (folder.allowed.length >= maxAllowed)
        throw new Error(
          `Cannot allow more in "${path}": ${maxAllowed} grants exist there, the maximum; revoke some (incipit trust lists them)`,
        );
      const added = { ...allowed, id: Bun.randomUUIDv7("hex", this.#options.clock.now()), allowedAt: this.#time() };
      const changed = { ...folder, allowed: [...folder.allowed, added] };
      outcome = { kind: "added", id: added.id };
      return { ...file, folders: file.folders.map((one) => (one === folder ? changed : one)) };
    });
    return outcome;
  }

  takeBack(id: string): AllowedInFolder | undefined {
    const found = this.folders().flatMap(({ allowed }) => allowed.filter((one) => one.id === id))[0];
    if (found === undefined) return undefined;
    this.#change((file) => ({
      ...file,
      folders: file.folders.map((folder) => ({
        ...folder,
        allowed: folder.allowed.filter((one) => one.id !== id),
      })),
    }));
    return found;
  }

  forget(path: string): boolean {
    const isTrusted = this.folder(path) !== undefined;
    this.#change(({ folders, declined }) => ({
      folders: folders.filter((folder) => folder.path !== path),
      declined: declined.filter((folder) => folder.path !== path),
    }));
    return isTrusted;
  }

  /** Keeps permissions when a trusted folder is trusted again. */
  #trusted(
    path: string,
    { files, folders }: Pick<TrustedFolder, "files"> & Pick<TrustFile, "folders">,
  ): TrustedFolder {
    const { allowed = [] } = folders.find((folder) => folder.path === path) ?? {};
    return { path, files, trustedAt: this.#time(), allowed };
  }

  #time(): string {
    return new Date(this.#options.clock.now()).toISOString();
  }

  #read(): TrustFile {
    try {
      return this.#parsed();
    } catch (error) {
      if (errorCode(error) !== undefined) {
        this.#options.report(
          `Cannot read "${this.#file}": ${errorMessage(error)}; no folder is trusted until the file is readable`,
        );
        return nothing;
      }
      using lock = this.#lock();
      return lock === undefined ? nothing : this.#readOrSetAside();
    }
  }

  #change(change: (file: TrustFile) => TrustFile): void {
    using lock = this.#lock();
    if (lock === undefined)
      throw new Error(`Cannot write "${this.#file}": another process has locked it for too long; try again`);
    const text = `${JSON.stringify(change(this.#readOrSetAside()), null, 2)}\n`;
    try {
      replaceFile(this.#file, text, { isFlushed: true });
    } catch (cause) {
      const message = `Cannot write "${this.#file}": ${errorMessage(cause)}; nothing was changed`;
      throw new Error(message, { cause });
    }
  }

  #lock(): FolderLock | undefined {
    return FolderLock.take(this.#options.dataFolder, { name: "trust.lock", timeoutMs: lockTimeoutMs });
  }

  /** The lock is held, so that a concurrent write is not moved aside. */
  #readOrSetAside(): TrustFile {
    try {
      return this.#parsed();
    } catch (error) {
      if (errorCode(error) !== undefined) throw error;
      const aside = `${this.#file}.damaged-${this.#options.clock.now()}`;
      renameSync(this.#file, aside);
      this.#options.report(
        `The list of trusted folders could not be read (${errorMessage(error)}) and was set aside as "${aside}": no folder is trusted until you trust it again ("incipit trust add") or repair and restore the file`,
      );
      return nothing;
    }
  }

  #parsed(): TrustFile {
    try {
      // A change in between is read now and again on the next call.
      const { ino, size, mtimeNs, ctimeNs } = statSync(this.#file, { bigint: true });
      const identity = `${ino} ${size} ${mtimeNs} ${ctimeNs}`;
      if (this.#known?.identity === identity) return this.#known.file;
      const file = trustFileSchema.parse(JSON.parse(readFileSync(this.#file, "utf8")));
      this.#known = { identity, file };
      return file;
    } catch (error) {
      if (errorCode(error) === "ENOENT") return nothing;
      throw error;
    }
  }
}

/** Creates the folder if missing. */
export function openTrustStore(dataFolder: string, errLine: (text: string) => void): TrustStore {
  createDataFolder(dataFolder);
  return new TrustStore({ dataFolder, clock: Date, report: errLine });
}

const nothing: TrustFile = { folders: [], declined: [] };
