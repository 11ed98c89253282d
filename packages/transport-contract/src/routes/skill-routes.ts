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
const nameParamsSchema = lazySchema(() => z.object({ name: z.string() }));

/** Routes of skills, which models open, and commands, which users send. */
export const skillRoutes = {
  listSkills: {
    method: "GET",
    path: "/skills",
    access: "read",
    summary: "The skills that models are told of in a working folder, and what was left out",
    status: 200,
    query: folderQuerySchema,
    response: skillListSchema,
  },
  openSkill: {
    method: "GET",
    path: "/skills/:name",
    access: "read",
    params: nameParamsSchema,
    summary: "A skill as a model gets it",
    status: 200,
    query: folderQuerySchema,
    response: openedSkillSchema,
  },
  listCommands: {
    method: "GET",
    path: "/commands",
    access: "read",
    summary: "The commands that can be sent in a working folder, and what was left out",
    status: 200,
    query: folderQuerySchema,
    response: commandListSchema,
  },
  showCommand: {
    method: "GET",
    path: "/commands/:name",
    access: "read",
    params: nameParamsSchema,
    summary: "A command with its text",
    status: 200,
    query: folderQuerySchema,
    response: shownCommandSchema,
  },
} as const satisfies Record<string, Route>;
