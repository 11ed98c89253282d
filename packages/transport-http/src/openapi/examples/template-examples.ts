import { DEFAULT_TEMPLATE } from "@incipit/schema";
import type { RouteExamples } from "./route-example.ts";
import { defaultTier, explain, prompt, template, unsetTier, wonTier } from "./shared-values.ts";

const firstVersion = {
  version: 1,
  createdAt: "2026-11-23T13:56:36.857Z",
  sha256: "a80b9f47221cb786589381141f7c1440d041bebb9db6c9ae37174202c897483c",
  sizeBytes: 54,
  author: "http",
  note: "Notes of the project",
};

export const templateExamples = {
  getSystemPrompt: {
    answer: {
      template,
      source: "stored",
      version: 1,
      etag: '"1-91b96933ce488077"',
    },
  },
  setSystemPrompt: {
    body: { template, note: "Notes of the project" },
    answer: {
      template,
      version: 1,
      etag: '"1-91b96933ce488077"',
    },
  },
  deleteSystemPrompt: {
    answer: {
      template: DEFAULT_TEMPLATE,
      source: "default",
      version: null,
      etag: '"4-7fa9b3a2f2999c08"',
    },
  },
  lintTemplate: {
    body: { template: "Hello [sytem:date]" },
    answer: {
      findings: [
        {
          code: "unknown-type",
          severity: "error",
          message: 'No loaded extension has variables of the type "sytem": "sytem:date" is always blank',
          fix: 'Did you mean "system:date"?',
          replacement: "[system:date]",
          offset: 6,
          length: 12,
          line: 1,
          column: 7,
        },
      ],
      omitted: 0,
      source: "the request",
      sizeBytes: 6,
      tokens: { count: 2, method: "estimate" },
    },
  },
  listTemplateFiles: {
    answer: {
      cwd: "/home/ada/notes",
      folder: "",
      parent: null,
      entries: [
        { name: "drafts", kind: "folder", path: "drafts", sizeBytes: 0 },
        { name: "notes.txt", kind: "file", path: "notes.txt", sizeBytes: 1_204 },
      ],
      leftOut: 0,
    },
  },
  listTemplateVersions: {
    answer: {
      versions: [
        {
          version: 2,
          createdAt: "2026-11-23T13:56:37.134Z",
          sha256: "9db26da266bd05448800db1d986281ad1a92645dba943c208cd421b97e87fb06",
          sizeBytes: 29,
          author: "http",
          note: null,
        },
        firstVersion,
      ],
      current: 2,
      damaged: [],
    },
  },
  getTemplateVersion: {
    answer: {
      ...firstVersion,
      template,
    },
  },
  diffTemplateVersions: {
    answer: {
      hunks: [
        {
          oldStart: 1,
          oldLines: 3,
          newStart: 1,
          newLines: 1,
          lines: [" You are a helpful assistant.", "-", "-Notes: [file:notes.txt]"],
        },
      ],
      unified:
        "--- version 1\n+++ version 2\n@@ -1,3 +1,1 @@\n You are a helpful assistant.\n-\n-Notes: [file:notes.txt]\n",
      isMinimal: true,
      from: 1,
      to: 2,
    },
  },
  restoreTemplateVersion: {
    body: { note: "Back to the notes" },
    answer: {
      template,
      source: "stored",
      version: 3,
      etag: '"3-91b96933ce488077"',
    },
  },
  getSystemPromptVariables: {
    answer: {
      variables: [
        { type: "system", name: "time", description: "Current time (ISO 8601)" },
        { type: "system", name: "date", description: "Current date (YYYY-MM-DD)" },
        { type: "system", name: "os", description: "Operating system" },
      ],
    },
  },
  previewSystemPrompt: {
    body: { template },
    answer: {
      systemPrompt: prompt,
      systemTexts: [prompt],
      explain: {
        ...explain,
        tiers: [
          unsetTier("request", 1, "texts of the call"),
          unsetTier("profile", 2, "profile"),
          wonTier("template of the preview", null),
          unsetTier("global", 4, "system_prompt of the configuration"),
          defaultTier(false, "set, but template of the preview comes first"),
        ],
        templateVersion: null,
      },
    },
  },
} satisfies RouteExamples;
