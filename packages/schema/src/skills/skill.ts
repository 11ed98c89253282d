import * as z from "zod";
import { lazySchema } from "../values/lazy-schema.ts";
import { foundFileSourceSchema, leftOutFileSchema } from "./found-file.ts";

/** A folder of instructions for certain tasks, see agentskills.io. */
export const skillSchema = lazySchema(() =>
  z.object({
    /** Name by which models open it. */
    name: z.string(),
    /** Purpose, in one line. */
    description: z.string(),
    source: foundFileSourceSchema,
    /** Absolute folder, with links resolved. */
    folder: z.string(),
    /** Included in the list that models see. */
    isListed: z.boolean(),
    /** A non-fatal problem. */
    note: z.string().nullable(),
  }),
);
export type Skill = z.infer<typeof skillSchema>;

/** Skills available in a folder. */
export const skillListSchema = lazySchema(() =>
  z.object({
    /** Absolute working folder. */
    cwd: z.string(),
    /** Sorted by name. */
    skills: z.array(skillSchema),
    leftOut: z.array(leftOutFileSchema),
    /** The list as sent to models; `null` without skills. */
    text: z.string().nullable(),
  }),
);
export type SkillList = z.infer<typeof skillListSchema>;

/** A skill with its instructions. */
export const openedSkillSchema = lazySchema(() =>
  z.object({
    skill: skillSchema,
    /** Content of `SKILL.md` without front matter. */
    body: z.string(),
    /** Other files, by relative path. */
    files: z.array(z.string()),
    /** More files exist than were scanned. */
    hasMoreFiles: z.boolean(),
  }),
);
export type OpenedSkill = z.infer<typeof openedSkillSchema>;
