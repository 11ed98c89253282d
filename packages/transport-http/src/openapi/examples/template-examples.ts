import type { RouteExamples } from "./route-example.ts";

export const templateExamples = {
  getSystemPrompt: {
    description:
      "Gives the template that prompts of new conversations are made from, and where it comes from. Send its `ETag` as `If-Match` when you store another one, so that nobody's change is lost.",
    answer: {
      template: "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n",
      source: "stored",
      version: 1,
      etag: '"1-91b96933ce488077"',
    },
  },
  setSystemPrompt: {
    description:
      "Stores a template as a new version, in force from here on. Conversations keep the prompt that they have until a compaction or a rebuild.",
    body: { template: "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n", note: "Notes of the project" },
    answer: {
      template: "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n",
      version: 1,
      etag: '"1-91b96933ce488077"',
    },
  },
  deleteSystemPrompt: {
    description:
      "Takes the stored template away, so that the one of the configuration is in force, or the host's own. Its versions stay and can be restored.",
    answer: {
      template:
        "You are a helpful coding assistant.\n[if file:AGENTS.md]\n[file:AGENTS.md]\n[endif]\nThe current working directory is [prompt:cwd].",
      source: "default",
      version: null,
      etag: '"4-7fa9b3a2f2999c08"',
    },
  },
  lintTemplate: {
    description:
      "Looks for what is likely not meant in a template, such as unknown variables and conditions that nothing closes, and tells its size. Any text is a valid template: findings refuse nothing, and nothing is stored.",
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
    description:
      "Lists a folder that templates may read from, so that a person can choose a file for a `file:` variable. What the configuration lets nobody read is refused.",
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
    description:
      "Lists what the stored template has been, newest first, with who changed it and why. The texts are not in the list.",
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
        {
          version: 1,
          createdAt: "2026-11-23T13:56:36.857Z",
          sha256: "a80b9f47221cb786589381141f7c1440d041bebb9db6c9ae37174202c897483c",
          sizeBytes: 54,
          author: "http",
          note: "Notes of the project",
        },
      ],
      current: 2,
      damaged: [],
    },
  },
  getTemplateVersion: {
    description: "Gives one version of the stored template with its text.",
    answer: {
      version: 1,
      createdAt: "2026-11-23T13:56:36.857Z",
      sha256: "a80b9f47221cb786589381141f7c1440d041bebb9db6c9ae37174202c897483c",
      sizeBytes: 54,
      author: "http",
      note: "Notes of the project",
      template: "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n",
    },
  },
  diffTemplateVersions: {
    description:
      "Tells by lines what one version has otherwise than the version before it, or than the one that `against` names.",
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
    description:
      "Stores the text of an earlier version as a new version, in force from here on. A version with which the template was taken away takes it away again.",
    body: { note: "Back to the notes" },
    answer: {
      template: "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n",
      source: "stored",
      version: 3,
      etag: '"3-91b96933ce488077"',
    },
  },
  getSystemPromptVariables: {
    description: "Lists the variables that templates can name: the host's own, and those that extensions add.",
    answer: {
      variables: [
        { type: "system", name: "time", description: "Current time (ISO 8601)" },
        { type: "system", name: "date", description: "Current date (YYYY-MM-DD)" },
        { type: "system", name: "os", description: "Operating system" },
      ],
    },
  },
  previewSystemPrompt: {
    description:
      "Makes the prompt that a conversation would be told, by the same code that makes the one that is sent, and explains it. Nothing is stored, and no model is called.",
    body: { template: "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n" },
    answer: {
      systemPrompt: "You are a helpful assistant.\n\nNotes: Tides are in metres.\n\n",
      systemTexts: ["You are a helpful assistant.\n\nNotes: Tides are in metres.\n\n"],
      explain: {
        model: "offline/echo",
        tiers: [
          {
            tier: "request",
            position: 1,
            source: "texts of the call",
            won: false,
            reason: "not set",
            template: null,
            sha256: null,
            version: null,
          },
          {
            tier: "profile",
            position: 2,
            source: "profile",
            won: false,
            reason: "not set",
            template: null,
            sha256: null,
            version: null,
          },
          {
            tier: "global",
            position: 3,
            source: "template of the preview",
            won: true,
            reason: "the first that is set",
            template: "You are a helpful assistant.\n\nNotes: [file:notes.txt]\n",
            sha256: "a80b9f47221cb786589381141f7c1440d041bebb9db6c9ae37174202c897483c",
            version: null,
          },
          {
            tier: "global",
            position: 4,
            source: "system_prompt of the configuration",
            won: false,
            reason: "not set",
            template: null,
            sha256: null,
            version: null,
          },
          {
            tier: "default",
            position: 5,
            source: "built-in default",
            won: false,
            reason: "set, but template of the preview comes first",
            template:
              "You are a helpful coding assistant.\n[if file:AGENTS.md]\n[file:AGENTS.md]\n[endif]\nThe current working directory is [prompt:cwd].",
            sha256: "1006b9490a374a5d3ee1f4f2f99a591dc285e28903e548c04b58599c352351dc",
            version: null,
          },
        ],
        append: null,
        variables: [
          {
            type: "file",
            name: "notes.txt",
            kind: "value",
            value: "Tides are in metres.\n",
            reason: null,
            sizeBytes: 21,
            detail: null,
            source: "/home/ada/weather/notes.txt",
            extension: null,
            trust: "not-trusted",
            tookMs: 4,
          },
        ],
        branches: [],
        ranges: [
          {
            start: 0,
            end: 37,
            origin: "literal",
            name: null,
            tier: "global",
            extension: null,
            branch: null,
            templateStart: 0,
            templateEnd: 37,
          },
          {
            start: 37,
            end: 58,
            origin: "variable",
            name: "file:notes.txt",
            tier: "global",
            extension: null,
            branch: null,
            templateStart: 37,
            templateEnd: 53,
          },
          {
            start: 58,
            end: 59,
            origin: "literal",
            name: null,
            tier: "global",
            extension: null,
            branch: null,
            templateStart: 53,
            templateEnd: 54,
          },
        ],
        segments: [],
        conflicts: [],
        sha256: "c077305c6dc821206822c279338bda8eb3716fa4bb49cced8062e555b87ec983",
        sizeBytes: 59,
        templateVersion: null,
        tokens: { count: 15, method: "estimate" },
      },
    },
  },
} satisfies RouteExamples;
