const brand = Symbol.for("incipit.StorageError");

const retryableByCode = { DISK_FULL: true, DAMAGED: false, STORAGE_FAILED: true } as const satisfies Record<
  string,
  boolean
>;

export type StorageErrorCode = keyof typeof retryableByCode;

/** A failed read or write. Acknowledged data is not affected. */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly [brand] = true;
  readonly code: StorageErrorCode;
  readonly retryable: boolean;

  constructor(code: StorageErrorCode, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
    this.retryable = retryableByCode[code];
  }

  static is(error: unknown): error is StorageError {
    return typeof error === "object" && error !== null && brand in error;
  }

  /** https://www.sqlite.org/rescode.html */
  static from(cause: unknown, path: string): StorageError {
    const code = typeof cause === "object" && cause !== null && "code" in cause ? String(cause.code) : "";
    if (code.startsWith("SQLITE_FULL")) {
      return new StorageError("DISK_FULL", `Cannot write "${path}": the disk is full; make room and try again`, {
        cause,
      });
    }
    if (code.startsWith("SQLITE_CORRUPT") || code.startsWith("SQLITE_NOTADB")) {
      return new StorageError("DAMAGED", `Cannot read "${path}": it is damaged; restart the host to set it aside`, {
        cause,
      });
    }
    if (
      /^SQLITE_(?:READONLY|CANTOPEN|PERM)/.test(code) ||
      code === "EACCES" ||
      code === "EPERM" ||
      code === "EROFS"
    ) {
      const message = `Cannot write "${path}": no write permission for it or its folder`;
      return new StorageError("STORAGE_FAILED", message, { cause });
    }
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new StorageError("STORAGE_FAILED", `Cannot use "${path}": ${reason}`, { cause });
  }
}
