import {
  commandListSchema,
  lazySchema,
  openedSkillSchema,
  shownCommandSchema,
  skillListSchema,
} from "@incipit/schema";
import * as z from "zod";
import type { Route } from "./route.ts";

const folderQuerySchema = lazySchema(() =>
  z.object({
    /** Absolute working folder. Defaults to the host's. */
    cwd: z.string().optional(),
  }),
);
const nameParamsSchema = lazySchema(() =>
  z.object({
    /** Name of the skill or command. */
    name: z.string(),
  }),
);

/** Routes of skills, which models open, and commands, which users send. */
export const skillRoutes = {
  /**
   * Lists the skills available in the folder: from the folder, if trusted, from its parents up to the repository,
   * from the user's folder and from configured folders. Of several with one name, the nearest is used.
   */
  listSkills: {
    method: "GET",
    path: "/skills",
    access: "read",
    summary: "The skills of a working folder, and the skipped files",
    query: folderQuerySchema,
    response: skillListSchema,
  },
  /**
   * Returns a skill in the same form as the tool `skill`. An unavailable skill returns `SKILL_UNKNOWN` with the
   * reason.
   */
  openSkill: {
    method: "GET",
    path: "/skills/:name",
    access: "read",
    params: nameParamsSchema,
    summary: "A skill, as sent to models",
    query: folderQuerySchema,
    response: openedSkillSchema,
  },
  /**
   * Lists the commands available in the folder: from the same places as skills, and the prompts of MCP servers,
   * which are started if needed. A failed server is one of the `problems`.
   */
  listCommands: {
    method: "GET",
    path: "/commands",
    access: "read",
    summary: "The commands of a working folder, and the skipped files",
    query: folderQuerySchema,
    response: commandListSchema,
  },
  /**
   * Returns the source text of a command, or the arguments of a server's prompt. An unknown command returns
   * `COMMAND_UNKNOWN` with the most similar name.
   */
  showCommand: {
    method: "GET",
    path: "/commands/:name",
    access: "read",
    params: nameParamsSchema,
    summary: "A command with its text",
    query: folderQuerySchema,
    response: shownCommandSchema,
  },
} as const satisfies Record<string, Route>;
