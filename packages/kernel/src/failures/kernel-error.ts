const brand = Symbol.for("incipit.KernelError");

const retryableByCode = {
  MANIFEST_INVALID: false,
  API_MISMATCH: false,
  DEPENDENCY_CYCLE: false,
  DUPLICATE_SERVICE: false,
  DUPLICATE_EXTENSION: false,
  EXTENSION_UNKNOWN: false,
  /** The id belongs to one of the host's own extensions. */
  ID_RESERVED: false,
  SERVICE_NOT_PROVIDED: false,
  SERVICE_UNDECLARED: false,
  SERVICE_UNAVAILABLE: true,
  /** A contribution lacks a required member. */
  CONTRIBUTION_INVALID: false,
  ACTIVATE_FAILED: false,
  ACTIVATE_TIMEOUT: true,
  SCOPE_CLOSED: false,
  RELEASE_FAILED: false,
  CAPABILITY_DENIED: false,
  GENERATION_GONE: true,
  CONFIG_INVALID: false,
  STORED_VALUE_INVALID: false,
  /** A newer version wrote the stored data. */
  SCHEMA_NEWER: false,
  /** Older data could not be migrated and remains unchanged. */
  MIGRATION_FAILED: false,
  /** The folder does not exist, or has no readable `package.json` with the key "incipit". */
  FOLDER_INVALID: false,
  /** The code does not parse, or an import does not resolve. */
  CODE_INVALID: false,
  /** The code throws when loaded, or does not export an extension with the folder's manifest. */
  CODE_FAILED: false,
  /** A system module is imported without the `system` capability. */
  IMPORT_DENIED: false,
  /** The manifest exceeds the operator's grant. */
  GRANT_REQUIRED: false,
  /** Thrown outside of any call, in a timer or an unhandled promise. */
  UNCAUGHT: false,
  /** A contribution, such as a prompt variable, threw when used. */
  CONTRIBUTION_FAILED: false,
} as const satisfies Record<string, boolean>;

export type KernelErrorCode = keyof typeof retryableByCode;

export function isKernelErrorCode(code: unknown): code is KernelErrorCode {
  return typeof code === "string" && Object.hasOwn(retryableByCode, code);
}

export interface KernelErrorOptions {
  /** Extension that caused the error. */
  readonly extension?: string;
  readonly cause?: unknown;
}

/**
 * An error of the host. Detect it with `KernelError.is`, then check `code`: an extension may bundle its own copy of
 * the class.
 */
export class KernelError extends Error {
  override readonly name = "KernelError";
  readonly [brand] = true;
  readonly code: KernelErrorCode;
  readonly extension: string | undefined;
  readonly retryable: boolean;

  constructor(code: KernelErrorCode, message: string, options: KernelErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.extension = options.extension;
    this.retryable = retryableByCode[code];
  }

  static is(error: unknown): error is KernelError {
    try {
      return brand in Object(error);
    } catch {
      return false; // A proxy can throw here.
    }
  }
}
