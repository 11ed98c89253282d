import { sha256Hex } from "@incipit/common";
import type { Clock } from "@incipit/kernel";
import {
  accessTokenSchema,
  tokenIdSchema,
  type AccessToken,
  type NewAccessToken,
  type TokenId,
} from "@incipit/schema";
import {
  ServiceError,
  type CreatedToken,
  type CreateTokenOptions,
  type FoundToken,
} from "@incipit/service-contract";
import { join } from "node:path";
import { errorMessage } from "../failures/error-code.ts";
import { readTokenFile, writeTokenFile, type StoredToken } from "./token-file.ts";
import { TokenSignals } from "./token-signals.ts";

export interface TokenStoreOptions {
  /** Absolute path of an existing folder that no other process writes to. */
  readonly dataFolder: string;
  /** Changing it revokes all tokens created under the previous one. */
  readonly ownToken: string;
  readonly clock: Clock;
  readonly report: (problem: string) => void;
}

/** Secret scanners such as `packages/redaction` recognize a token; one kind is never accepted as the other. */
const prefixByKind = { token: "incipit_", browser: "incipit_browser_" } as const;

const dayMs = 86_400_000;
/** A client that still sends an inactive token learns the reason for the rejection. */
const rememberedMs = 90 * dayMs;
/** Shortest interval between two writes of a token's last use. */
const usePrecisionMs = 60_000;
const maxTokens = 1_000;
const maxBrowsers = 100;

/**
 * Reads `tokens.json` once; a revocation applies from the next request on. Tokens are looked up by their SHA-256, so a
 * client cannot choose a prefix, and compared in constant time.
 */
export class TokenStore implements Disposable {
  readonly #options: TokenStoreOptions;
  readonly #file: string;
  readonly #owner: string;
  readonly #ends: TokenSignals;
  readonly #records = new Map<TokenId, StoredToken>();
  readonly #byHash = new Map<string, TokenId>();
  readonly #useWrittenMs = new Map<TokenId, number>();
  /** The file still lists a revoked token as active. */
  #isRevocationUnwritten = false;

  constructor(options: TokenStoreOptions) {
    const { dataFolder, ownToken, clock, report } = options;
    this.#options = options;
    this.#file = join(dataFolder, "tokens.json");
    this.#owner = sha256Hex(ownToken);
    this.#ends = new TokenSignals(clock, (id) => this.#endMs(id));
    try {
      const stored = readTokenFile(this.#file, { nowMs: clock.now(), report });
      for (const token of stored?.tokens ?? []) this.#keep(token);
      if (stored !== undefined && stored.owner !== this.#owner) this.#revokeAll();
    } catch (cause) {
      const message = `Cannot read "${this.#file}": ${errorMessage(cause)}; only the host's own token is valid until the file is readable`;
      throw new ServiceError("STORAGE_FAILED", message, { cause });
    }
  }

  find(secret: string): FoundToken {
    const sha256 = sha256Hex(secret);
    const id = this.#byHash.get(sha256);
    const record = id === undefined ? undefined : this.#records.get(id);
    if (record === undefined || !crypto.timingSafeEqual(Buffer.from(sha256), Buffer.from(record.sha256)))
      return { kind: "unknown" };
    if (stateOf(record, this.#nowMs) !== "active") return { kind: "over", token: this.#shown(record) };
    const used = this.#noteUse(record);
    return { kind: "active", token: this.#shown(used), over: this.#ends.signalOf(record.id) };
  }

  list(): readonly AccessToken[] {
    return [...this.#records.values()].toReversed().map((record) => this.#shown(record));
  }

  create(
    { scopes, days, name = "" }: NewAccessToken,
    { createdBy, kind = "token" }: CreateTokenOptions = {},
  ): CreatedToken {
    const creator = createdBy === undefined ? undefined : this.#records.get(createdBy);
    // The creator was active when the request began; a new token would escape a revocation that came since.
    if (createdBy !== undefined && (creator === undefined || stateOf(creator, this.#nowMs) !== "active"))
      throw new ServiceError("UNAUTHORIZED", "The token that requests another one has expired or was revoked");
    if (!this.#makeRoom(kind)) {
      const message = `There are ${maxTokens} valid tokens, the maximum; revoke one, or use one of those`;
      throw new ServiceError("INVALID_REQUEST", message, { next: { action: "list-tokens" } });
    }
    const nowMs = this.#nowMs;
    const secret = `${prefixByKind[kind]}${crypto.getRandomValues(Buffer.alloc(32)).toString("base64url")}`;
    const record: StoredToken = {
      id: tokenIdSchema.parse(Bun.randomUUIDv7("hex", nowMs)),
      kind,
      name: name === "" ? null : name,
      scopes: [...scopes],
      createdAt: timeOf(nowMs),
      createdBy: createdBy ?? null,
      endsAt: timeOf(nowMs + days * dayMs),
      revokedAt: null,
      lastUsedAt: null,
      sha256: sha256Hex(secret),
    };
    this.#keep(record);
    try {
      this.#write();
    } catch (cause) {
      if (kind === "browser") {
        // Once signed in, the user can see what fills the disk and make room.
        this.#options.report(
          `A browser's sign-in is not saved, and ends with the host at the latest: "${this.#file}" cannot be written (${errorMessage(cause)})`,
        );
        return { token: this.#shown(record), secret };
      }
      this.#forget(record.id);
      const message = `The token was not created: "${this.#file}" cannot be written (${errorMessage(cause)})`;
      throw new ServiceError("STORAGE_FAILED", message, { cause });
    }
    return { token: this.#shown(record), secret };
  }

  revoke(id: string): AccessToken {
    const found = tokenIdSchema.safeParse(id);
    const record = found.success ? this.#records.get(found.data) : undefined;
    if (record === undefined)
      throw new ServiceError("TOKEN_UNKNOWN", `No token has the id "${id}"`, { next: { action: "list-tokens" } });
    const revoked = this.#withThoseItMade(record.id).filter((each) => this.#end(each));
    if (revoked.length > 0) this.#isRevocationUnwritten = true;
    try {
      if (this.#isRevocationUnwritten) this.#write();
    } catch (cause) {
      const message = `The token is revoked only until the host stops: "${this.#file}" cannot be written (${errorMessage(cause)}); make room or repair its folder, and revoke it again`;
      throw new ServiceError("STORAGE_FAILED", message, { cause });
    }
    return this.#shown(this.#records.get(record.id) ?? record);
  }

  [Symbol.dispose](): void {
    this.#ends.close();
  }

  get #nowMs(): number {
    return this.#options.clock.now();
  }

  #shown(record: StoredToken): AccessToken {
    return accessTokenSchema.parse({ ...record, state: stateOf(record, this.#nowMs) });
  }

  #keep(record: StoredToken): void {
    this.#records.set(record.id, record);
    this.#byHash.set(record.sha256, record.id);
  }

  #forget(id: TokenId): void {
    const record = this.#records.get(id);
    if (record !== undefined) this.#byHash.delete(record.sha256);
    this.#records.delete(id);
    this.#useWrittenMs.delete(id);
  }

  #end(id: TokenId): boolean {
    const record = this.#records.get(id);
    if (record === undefined || stateOf(record, this.#nowMs) !== "active") return false;
    this.#keep({ ...record, revokedAt: timeOf(this.#nowMs) });
    this.#ends.end(id);
    return true;
  }

  /** A token is never older than its creator. */
  #withThoseItMade(id: TokenId): readonly TokenId[] {
    const ids = new Set([id]);
    for (const { id: each, createdBy } of this.#records.values())
      if (createdBy !== null && ids.has(createdBy)) ids.add(each);
    return [...ids];
  }

  #revokeAll(): void {
    const revoked = [...this.#records.keys()].filter((id) => this.#end(id));
    if (revoked.length === 0) return;
    this.#options.report(`The host's own token has changed: all earlier tokens are revoked (${revoked.length})`);
    this.#write();
  }

  /** Forgets old entries to make room for a new one; returns `false` if none can be removed. */
  #makeRoom(kind: AccessToken["kind"]): boolean {
    const max = kind === "browser" ? maxBrowsers : maxTokens;
    let count = 0;
    for (const { id, endsAt, revokedAt, kind: each } of this.#records.values())
      if (Date.parse(revokedAt ?? endsAt) + rememberedMs <= this.#nowMs) this.#forget(id);
      else if (each === kind) count += 1;
    if (count < max) return true;
    const others = [...this.#records.values()].filter((record) => record.kind === kind);
    const usedMs = (record: StoredToken): number => Date.parse(record.lastUsedAt ?? record.createdAt);
    const out =
      others.find((record) => stateOf(record, this.#nowMs) !== "active") ??
      (kind === "browser" ? others.toSorted((a, b) => usedMs(a) - usedMs(b))[0] : undefined);
    if (out === undefined) return false;
    this.#end(out.id);
    this.#forget(out.id);
    return true;
  }

  #noteUse(record: StoredToken): StoredToken {
    const nowMs = this.#nowMs;
    const used = { ...record, lastUsedAt: timeOf(nowMs) };
    this.#keep(used);
    if (nowMs - (this.#useWrittenMs.get(record.id) ?? Number.NEGATIVE_INFINITY) < usePrecisionMs) return used;
    this.#useWrittenMs.set(record.id, nowMs);
    try {
      this.#write({ isFlushed: false });
    } catch (error) {
      this.#options.report(`Cannot store when a token was last used: ${errorMessage(error)}`);
    }
    return used;
  }

  #endMs(id: TokenId): number | undefined {
    const record = this.#records.get(id);
    return record === undefined ? undefined : Date.parse(record.endsAt);
  }

  #write({ isFlushed = true }: { readonly isFlushed?: boolean } = {}): void {
    writeTokenFile(
      this.#file,
      { owner: this.#owner, tokens: [...this.#records.values()] },
      {
        isFlushed: isFlushed || this.#isRevocationUnwritten,
      },
    );
    this.#isRevocationUnwritten = false;
  }
}

function stateOf({ endsAt, revokedAt }: StoredToken, nowMs: number): AccessToken["state"] {
  if (revokedAt !== null) return "revoked";
  return Date.parse(endsAt) <= nowMs ? "ended" : "active";
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}
