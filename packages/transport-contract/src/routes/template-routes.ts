import {
  lazySchema,
  lintTemplateRequestSchema,
  lintTemplateResponseSchema,
  pageQuerySchema,
  previewSystemPromptRequestSchema,
  previewSystemPromptResponseSchema,
  systemPromptVariableSchema,
  templateChangeSchema,
  templateDiffResponseSchema,
  templateFilesQuerySchema,
  templateFilesResponseSchema,
  templateInForceSchema,
  templateVersionResponseSchema,
  templateVersionsResponseSchema,
} from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

const versionParamsSchema = lazySchema(() =>
  z.object({
    /** Number of a template version. */
    v: z.string(),
  }),
);

export const putTemplateResponseSchema = lazySchema(() =>
  templateInForceSchema.pick({ template: true, version: true, etag: true }),
);

/** RFC 9110, section 13.1. `*` matches any stored template. A failed condition is `TEMPLATE_CONFLICT`. */
const templateConditionHeadersSchema = lazySchema(() =>
  z.object({
    "if-match": z.string().optional(),
    "if-none-match": z.string().optional(),
  }),
);

/** Routes of the prompt template. */
export const templateRoutes = {
  /**
   * Returns the template of new prompts and its origin. Send its `ETag` as `If-Match` when storing another one, so
   * that no change is lost.
   */
  getSystemPrompt: {
    method: "GET",
    path: "/system-prompt",
    access: "read",
    summary: "The template in force; its `ETag` is for `If-Match`",
    response: templateInForceSchema,
  },
  /**
   * Stores a template as a new version, in force immediately. Conversations keep their prompt until a compaction or
   * a rebuild.
   */
  setSystemPrompt: {
    method: "PUT",
    path: "/system-prompt",
    access: "prompt",
    summary: "Store a template, as a new version",
    headers: templateConditionHeadersSchema,
    body: lazySchema(() =>
      z.strictObject({
        /** The template; at most 1 MiB of UTF-8. */
        template: z.string(),
        ...templateChangeSchema.shape,
      }),
    ),
    response: putTemplateResponseSchema,
  },
  /**
   * Deletes the stored template, so that the configured or built-in one is in force. Its versions remain and can be
   * restored.
   */
  deleteSystemPrompt: {
    method: "DELETE",
    path: "/system-prompt",
    access: "prompt",
    summary: "Delete the stored template; keeps its versions",
    query: templateChangeSchema,
    headers: templateConditionHeadersSchema,
    response: templateInForceSchema,
  },
  /**
   * Checks a template for likely mistakes, such as unknown variables or unclosed conditions, and returns its size.
   * Any text is a valid template: findings reject nothing, and nothing is stored.
   */
  lintTemplate: {
    method: "POST",
    path: "/system-prompt/lint",
    access: "prompt",
    summary: "Lint a template; stores nothing",
    body: lintTemplateRequestSchema,
    response: lintTemplateResponseSchema,
  },
  /**
   * Lists a folder from which templates may read, to choose a file for a `file:` variable. Folders without read
   * permission are rejected.
   */
  listTemplateFiles: {
    method: "GET",
    path: "/system-prompt/files",
    access: "prompt",
    summary: "The files of a folder that templates can read",
    query: templateFilesQuerySchema,
    response: templateFilesResponseSchema,
  },
  /** Lists the versions of the stored template, newest first, with author and reason but without texts. */
  listTemplateVersions: {
    method: "GET",
    path: "/system-prompt/versions",
    access: "read",
    summary: "The versions of the stored template, newest first",
    query: pageQuerySchema,
    response: templateVersionsResponseSchema,
  },
  /** Returns one version of the stored template, with its text. */
  getTemplateVersion: {
    method: "GET",
    path: "/system-prompt/versions/:v",
    access: "read",
    params: versionParamsSchema,
    summary: "One version with its text",
    response: templateVersionResponseSchema,
  },
  /** Returns the changed lines between a version and the previous one, or the one in `against`. */
  diffTemplateVersions: {
    method: "GET",
    path: "/system-prompt/versions/:v/diff",
    access: "read",
    params: versionParamsSchema,
    summary: "The diff from the previous or another version",
    query: lazySchema(() =>
      z.object({
        /** Version to compare with. Defaults to the previous one. */
        against: z
          .string()
          .regex(/^[1-9]\d{0,11}$/, "must be the number of a version")
          .optional(),
      }),
    ),
    response: templateDiffResponseSchema,
  },
  /**
   * Stores the text of an earlier version as a new version, in force immediately. Restoring a deletion deletes the
   * template again.
   */
  restoreTemplateVersion: {
    method: "POST",
    path: "/system-prompt/versions/:v/restore",
    access: "prompt",
    params: versionParamsSchema,
    summary: "Restore a version as a new one",
    headers: templateConditionHeadersSchema,
    body: templateChangeSchema,
    response: templateInForceSchema,
  },
  /** Lists the variables of templates, built in and contributed by extensions. */
  getSystemPromptVariables: {
    method: "GET",
    path: "/system-prompt/variables",
    access: "read",
    summary: "The variables of templates",
    response: lazySchema(() =>
      z.object({
        /** Variables of templates. */
        variables: z.array(systemPromptVariableSchema),
      }),
    ),
  },
  /**
   * Constructs and explains the prompt of a conversation, with the same code as the prompt that is sent. Stores
   * nothing and calls no model.
   */
  previewSystemPrompt: {
    method: "POST",
    path: "/system-prompt/preview",
    access: "prompt",
    summary: "Preview the prompt of a conversation; stores nothing",
    body: previewSystemPromptRequestSchema,
    response: previewSystemPromptResponseSchema,
  },
} as const satisfies Record<string, Route>;
