const brand = Symbol.for("incipit.KernelError");

const retryableByCode = {
  MANIFEST_INVALID: false,
  API_MISMATCH: false,
  DEPENDENCY_CYCLE: false,
  DUPLICATE_SERVICE: false,
  DUPLICATE_EXTENSION: false,
  EXTENSION_UNKNOWN: false,
  /** The id is one of the host's own extensions. */
  ID_RESERVED: false,
  SERVICE_NOT_PROVIDED: false,
  SERVICE_UNDECLARED: false,
  SERVICE_UNAVAILABLE: true,
  /** What was contributed lacks what its point asks for. */
  CONTRIBUTION_INVALID: false,
  ACTIVATE_FAILED: false,
  ACTIVATE_TIMEOUT: true,
  SCOPE_CLOSED: false,
  RELEASE_FAILED: false,
  CAPABILITY_DENIED: false,
  GENERATION_GONE: true,
  CONFIG_INVALID: false,
  STORED_VALUE_INVALID: false,
  /** What is stored was written by a newer version. */
  SCHEMA_NEWER: false,
  /** What an older version has stored could not be brought up to date; it is as it was. */
  MIGRATION_FAILED: false,
  /** No folder there, or no readable `package.json` with the key "incipit" in it. */
  FOLDER_INVALID: false,
  /** The code does not parse, or does not find what it imports. */
  CODE_INVALID: false,
  /** The code throws when it is loaded, or exports no extension with the folder's manifest. */
  CODE_FAILED: false,
  /** It imports a module of the system, and was not granted `system`. */
  IMPORT_DENIED: false,
  /** It asks for more than the operator has granted. */
  GRANT_REQUIRED: false,
  /** It threw where nobody could catch it: from a timer, or in a promise that it left behind. */
  UNCAUGHT: false,
  /** Something that it adds, such as a variable of prompts, threw when it was used. */
  CONTRIBUTION_FAILED: false,
} as const satisfies Record<string, boolean>;

export type KernelErrorCode = keyof typeof retryableByCode;

export function isKernelErrorCode(code: unknown): code is KernelErrorCode {
  return typeof code === "string" && Object.hasOwn(retryableByCode, code);
}

export interface KernelErrorOptions {
  /** Id of the extension that the error is about. */
  readonly extension?: string;
  readonly cause?: unknown;
}

/** An error of the host. Recognise it with `KernelError.is`, then by `code`: an extension may carry its own copy of the class. */
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
      return false; // A proxy answers for it, and throws.
    }
  }
}
