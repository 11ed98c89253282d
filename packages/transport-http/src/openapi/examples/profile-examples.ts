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
    answer: written,
  },
  putProfile: {
    body: { text },
    answer: written,
  },
  deleteProfile: {
    answer: { deleted: true },
  },
} satisfies RouteExamples;
