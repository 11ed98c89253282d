import type { RouteExamples } from "./route-example.ts";

const text = `---
description: Reads changes before they are merged
tools: read_file, search
---

You look for what breaks, and say where.
`;

const reviewer = {
  name: "reviewer",
  description: "Reads changes before they are merged",
  model: null,
  hasSystemPrompt: true,
  problem: null,
  source: { tier: "folder", path: "/home/ada/tides/.agents/reviewer.md", line: null },
  shadowed: [],
  warnings: [],
} as const;

const written = {
  profile: {
    ...reviewer,
    shadowed: [],
    warnings: [],
    systemPrompt: "You look for what breaks, and say where.",
    append: null,
    tools: { allowed: ["read_file", "search"], asked: [], denied: [] },
    mcpServers: null,
    skills: null,
    settings: {},
    budget: { maxUsdPerDay: null, maxTokensPerDay: null },
  },
  text,
  etag: '"9db26da266bd05448800db1d986281ad1a92645dba943c208cd421b97e87fb06"',
};

export const profileExamples = {
  listProfiles: {
    description:
      "Lists the named agents that a conversation in the folder can take with `profile` when it begins: those of the folder's files, as far as a person trusts them, of the folders above it up to the repository's, of the user's files, and of the configuration. Of one name the nearest counts; the others are its `shadowed` ones. Without the extension that knows files, there are those of the configuration.",
    answer: {
      profiles: [
        {
          ...reviewer,
          shadowed: [
            {
              tier: "configuration",
              path: null,
              line: null,
              reason: '"reviewer" of /home/ada/tides/.agents/reviewer.md is nearer',
            },
          ],
          warnings: [],
        },
      ],
      problems: [],
    },
  },
  getProfile: {
    description:
      "Gives the agent of that name that counts in the folder: all that it says, and its text as its file has it. Of a file with several it is the agent's own part. Send the `ETag` as `If-Match` when you write it back, so that nobody's change is lost.",
    answer: written,
  },
  putProfile: {
    description:
      "Writes an agent where it came from, while it is the one that `If-Match` names; or, with `If-None-Match: *`, a new one into `.agents` of the folder, or into the user's own. The text is read as it would be from the file, and refused when it is not an agent of that name. Whatever else is in the file stays byte for byte. A working folder has to be trusted by a person; what is written there counts at once. Conversations that have begun keep what they were told.",
    body: { text },
    answer: written,
  },
  deleteProfile: {
    description:
      "Takes an agent away, while it is the one that `If-Match` names: its file, or its part of a file with several. Conversations that have begun keep what they were told.",
    answer: { deleted: true },
  },
} satisfies RouteExamples;
