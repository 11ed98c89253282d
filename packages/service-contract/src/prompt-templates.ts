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

/** Entity tags with their quotes, weak ones with `W/` (RFC 9110, section 8.8.3); `*`: any that is stored. */
export type EntityTags = "*" | readonly string[];

/** Under which conditions a change is made (RFC 9110, section 13.1). Absent: whatever is there. */
export interface TemplateCondition {
  readonly ifMatch?: EntityTags;
  readonly ifNoneMatch?: EntityTags;
}

export type ConditionalChange = TemplateChange & { readonly condition?: TemplateCondition };

/**
 * The stored template and what it has been. Every text that was stored is a version, and so is that it was taken away; the
 * same text again is none. Two that write at one time are two versions, whoever comes last.
 *
 * Every method rejects with `STORED_DATA_DAMAGED` for what it cannot read; what else is stored stays readable.
 */
export interface PromptTemplates {
  inForce(): Promise<TemplateInForce>;
  /** @throws {ServiceError} `TEMPLATE_TOO_LARGE` over 1 MiB of UTF-8; `TEMPLATE_CONFLICT` with both texts. */
  set(template: string, change?: ConditionalChange): Promise<TemplateInForce>;
  /** Takes the stored template away. @throws {ServiceError} `TEMPLATE_CONFLICT`. */
  delete(change?: ConditionalChange): Promise<TemplateInForce>;
  /** Newest first. */
  versions(page: PageQuery): Promise<TemplateVersionPage>;
  /** @throws {ServiceError} `TEMPLATE_VERSION_UNKNOWN`. */
  version(version: number): Promise<TemplateVersionText>;
  /** What made `version` of `against`, or of the one before. @throws {ServiceError} `TEMPLATE_VERSION_UNKNOWN`. */
  diff(version: number, options?: { readonly against?: number }): Promise<TemplateVersionDiff>;
  /** Stores what that version was, as a new one. @throws {ServiceError} `TEMPLATE_VERSION_UNKNOWN`, `TEMPLATE_CONFLICT`. */
  restore(version: number, change?: ConditionalChange): Promise<TemplateInForce>;
  /**
   * What is likely not meant in a template; with what its variables are at this moment. Nothing is stored.
   * @throws {ServiceError} `TEMPLATE_TOO_LARGE`.
   */
  lint(
    request: LintTemplateRequest,
    options: { readonly defaultCwd: string; readonly defaultModel: string; readonly signal?: AbortSignal },
  ): Promise<LintTemplateResponse>;
  /**
   * One folder of what a template can name with `[file:…]`.
   * @throws {ServiceError} `CWD_INVALID`; `INVALID_REQUEST` for what is no folder, or none that the builder may read.
   */
  files(
    query: TemplateFilesQuery,
    options: { readonly defaultCwd: string; readonly signal?: AbortSignal },
  ): Promise<TemplateFilesResponse>;
}

/** Provided by a prompt builder that keeps versions. */
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
