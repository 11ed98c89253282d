import type { commandSchema, skillSchema } from "@incipit/schema";
import type * as z from "zod";
import type { RouteExamples } from "./route-example.ts";

const skill: z.input<typeof skillSchema> = {
  name: "release-notes",
  description: "Writes the notes of a release from its commits. Use it when a version is to be published.",
  source: "user",
  folder: "/home/ada/.config/incipit/skills/release-notes",
  isListed: true,
  note: null,
};

const command: z.input<typeof commandSchema> = {
  name: "review",
  description: "Reviews a change",
  argumentHint: "[branch]",
  model: null,
  source: "folder",
  path: "/home/ada/tides/.agents/commands/review.md",
  note: null,
};

const prompt: z.input<typeof commandSchema> = {
  ...command,
  name: "tickets__triage",
  description: "Sorts the open tickets of a project",
  argumentHint: "[project]",
  source: "server",
  path: null,
};

const leftOut = {
  path: "/home/ada/tides/.claude/commands/deploy.md",
  name: "deploy",
  reason: "not-trusted",
  detail: "it is not trusted; review it with: incipit trust add /home/ada/tides",
} as const;

export const skillExamples = {
  listSkills: {
    answer: {
      cwd: "/home/ada/tides",
      skills: [skill],
      leftOut: [],
      text: "- release-notes: Writes the notes of a release from its commits. Use it when a version is to be published.",
    },
  },
  openSkill: {
    answer: {
      skill,
      body: "1. Run `scripts/commits.sh` for the commits since the last tag.",
      files: ["references/style.md", "scripts/commits.sh"],
      hasMoreFiles: false,
    },
  },
  listCommands: {
    answer: {
      cwd: "/home/ada/tides",
      commands: [command, prompt],
      leftOut: [leftOut],
      problems: ['The MCP server "wiki" is still starting'],
    },
  },
  showCommand: {
    answer: { command, body: "Review the branch $1. Say what breaks, and where." },
  },
} satisfies RouteExamples;
