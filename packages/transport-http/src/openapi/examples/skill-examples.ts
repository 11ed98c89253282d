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
  detail: "nobody trusts it yet; look at it with: incipit trust add /home/ada/tides",
} as const;

export const skillExamples = {
  listSkills: {
    description:
      "Lists the skills that a conversation of the folder is told of: those of the folder, as far as a person trusts them, of those above it up to the repository's, of the user and of configured folders. Of one name the nearest counts.",
    answer: {
      cwd: "/home/ada/tides",
      skills: [skill],
      leftOut: [],
      text: "- release-notes: Writes the notes of a release from its commits. Use it when a version is to be published.",
    },
  },
  openSkill: {
    description:
      "Gives a skill as the tool `skill` gives it to a model. One that cannot be used is a `SKILL_UNKNOWN` that says why.",
    answer: {
      skill,
      body: "1. Run `scripts/commits.sh` for the commits since the last tag.",
      files: ["references/style.md", "scripts/commits.sh"],
      hasMoreFiles: false,
    },
  },
  listCommands: {
    description:
      "Lists the commands that can be sent in a conversation of the folder: those of the places where skills are found, by the same rules, and the prompts of MCP servers, which are started for it. A server that fails is one of the `problems`.",
    answer: {
      cwd: "/home/ada/tides",
      commands: [command, prompt],
      leftOut: [leftOut],
      problems: ['The MCP server "wiki" is still starting'],
    },
  },
  showCommand: {
    description:
      "Gives the text of a command as it is written; of a server's prompt, its arguments. One that nobody has is a `COMMAND_UNKNOWN` that names the nearest.",
    answer: { command, body: "Review the branch $1. Say what breaks, and where." },
  },
} satisfies RouteExamples;
