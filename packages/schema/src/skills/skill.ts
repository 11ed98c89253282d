import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { foundFileSourceSchema, leftOutFileSchema } from "./found-file.ts";

/** A folder of instructions for certain tasks, as agentskills.io has them. */
export const skillSchema = lazySchema(() =>
  z.object({
    name: z.string(),
    description: z.string(),
    source: foundFileSourceSchema,
    /** Its folder; absolute, links resolved. */
    folder: z.string(),
    /** Where a model is told of the list, it is told of this one. */
    isListed: z.boolean(),
    /** What is not as it should be, and does no harm; `null`: nothing. */
    note: z.string().nullable(),
  }),
);
export type Skill = z.infer<typeof skillSchema>;

/** The skills that a conversation of a folder has. */
export const skillListSchema = lazySchema(() =>
  z.object({
    /** Absolute. */
    cwd: z.string(),
    /** By name. */
    skills: z.array(skillSchema),
    leftOut: z.array(leftOutFileSchema),
    /** What a model is told of them; `null`: nothing, as there is none. */
    text: z.string().nullable(),
  }),
);
export type SkillList = z.infer<typeof skillListSchema>;

/** A skill with its instructions. */
export const openedSkillSchema = lazySchema(() =>
  z.object({
    skill: skillSchema,
    /** What stands in `SKILL.md` behind its front matter. */
    body: z.string(),
    /** Its other files, by their paths in its folder. */
    files: z.array(z.string()),
    /** There are more than were looked at. */
    hasMoreFiles: z.boolean(),
  }),
);
export type OpenedSkill = z.infer<typeof openedSkillSchema>;
