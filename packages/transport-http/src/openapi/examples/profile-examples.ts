import type { RouteExamples } from "./route-example.ts";

export const profileExamples = {
  listProfiles: {
    description:
      "Lists the named agents that a conversation in the folder can take with `profile` when it begins: those of the folder's files, as far as a person trusts them, of the folders above it up to the repository's, of the user's files, and of the configuration. Of one name the nearest counts; the others are its `shadowed` ones. Without the extension that knows files, there are those of the configuration.",
    answer: {
      profiles: [
        {
          name: "reviewer",
          description: "Reads changes before they are merged",
          model: null,
          hasSystemPrompt: true,
          problem: null,
          source: { tier: "folder", path: "/home/ada/tides/.agents/reviewer.md", line: null },
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
} satisfies RouteExamples;
