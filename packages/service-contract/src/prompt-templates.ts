import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type {
  LintTemplateRequest,
  LintTemplateResponse,
  PageQuery,
  TemplateChange,
  TemplateFilesQuery,
  TemplateFilesResponse,
  TemplateInForce,
  TemplateVersionDiff,
  TemplateVersionPage,
  TemplateVersionText,
} from "@incipit/schema";

/** Entity tags with quotes, weak ones with `W/` (RFC 9110, section 8.8.3). `*` matches any stored template. */
export type EntityTags = "*" | readonly string[];

/** Preconditions of a change (RFC 9110, section 13.1). Unconditional by default. */
export interface TemplateCondition {
  readonly ifMatch?: EntityTags;
  readonly ifNoneMatch?: EntityTags;
}

export type ConditionalChange = TemplateChange & { readonly condition?: TemplateCondition };

/**
 * The stored template and its versions. Each stored text and each deletion is a version; storing an identical text
 * creates none. Concurrent writes create two versions; the last one wins.
 *
 * Every method rejects with `STORED_DATA_DAMAGED` for unreadable data; other data remains readable.
 */
export interface PromptTemplates {
  inForce(): Promise<TemplateInForce>;
  /** @throws {ServiceError} `TEMPLATE_TOO_LARGE` over 1 MiB of UTF-8; `TEMPLATE_CONFLICT` with both texts. */
  set(template: string, change?: ConditionalChange): Promise<TemplateInForce>;
  /** Deletes the stored template. @throws {ServiceError} `TEMPLATE_CONFLICT`. */
  delete(change?: ConditionalChange): Promise<TemplateInForce>;
  /** Lists versions, newest first. */
  versions(page: PageQuery): Promise<TemplateVersionPage>;
  /** @throws {ServiceError} `TEMPLATE_VERSION_UNKNOWN`. */
  version(version: number): Promise<TemplateVersionText>;
  /**
   * Compares a version with `against`, by default the previous version. @throws {ServiceError}
   * `TEMPLATE_VERSION_UNKNOWN`.
   */
  diff(version: number, options?: { readonly against?: number }): Promise<TemplateVersionDiff>;
  /**
   * Stores the content of a version as a new version. @throws {ServiceError} `TEMPLATE_VERSION_UNKNOWN`,
   * `TEMPLATE_CONFLICT`.
   */
  restore(version: number, change?: ConditionalChange): Promise<TemplateInForce>;
  /**
   * Reports likely mistakes in a template, with the current values of its variables. Stores nothing.
   * @throws {ServiceError} `TEMPLATE_TOO_LARGE`.
   */
  lint(
    request: LintTemplateRequest,
    options: { readonly defaultCwd: string; readonly defaultModel: string; readonly signal?: AbortSignal },
  ): Promise<LintTemplateResponse>;
  /**
   * Lists one folder of the files available to `[file:…]`.
   * @throws {ServiceError} `CWD_INVALID`; `INVALID_REQUEST` for a path that is not a readable folder.
   */
  files(
    query: TemplateFilesQuery,
    options: { readonly defaultCwd: string; readonly signal?: AbortSignal },
  ): Promise<TemplateFilesResponse>;
}

/** Provided by prompt builders that keep versions. */
export const promptTemplatesHandle: ServiceHandle<PromptTemplates> = defineHandle<PromptTemplates>(
  "prompt-templates@1",
  {
    inForce: "function",
    set: "function",
    delete: "function",
    versions: "function",
    version: "function",
    diff: "function",
    restore: "function",
    lint: "function",
    files: "function",
  },
);
