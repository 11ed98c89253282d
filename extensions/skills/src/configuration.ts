import { defineConfiguration, type ValuesOf } from "@incipit/kernel";
import { isAbsolute } from "node:path";
import * as z from "zod";
import { skillToolName } from "./skill-tool-name.ts";

const foldersRule = "must be an absolute path";
const countRule = "must be a whole number from 1 on";
const bytesRule = "must be a whole number of bytes";

function foldersKey() {
  return z.array(z.string().refine(isAbsolute, foldersRule)).default([]);
}

function atLeastOne(rule: string): z.ZodInt {
  return z.int(rule).min(1, rule);
}

export const configuration = defineConfiguration({
  tables: () => ({
    skills: {
      enabled: z.boolean().default(true),
      /** `false`: only where a template has `[skills:list]`. */
      list: z.boolean().default(true),
      folders: foldersKey(),
    },
    commands: {
      folders: foldersKey(),
    },
  }),
  settings: () => ({
    max_listed: atLeastOne(countRule).default(200),
    max_list_bytes: atLeastOne(bytesRule).default(32_768),
    max_entries: atLeastOne(countRule).default(500),
    /** For `SKILL.md`, other files of a skill, and commands. */
    max_file_bytes: atLeastOne(bytesRule).default(262_144),
  }),
  facts: () => ({
    /** Folder of `incipit.toml`, existing or not, absolute; absent: none. */
    user_folder: z.string().exactOptional(),
  }),
  reserves: () => [{ point: "tools@1", name: skillToolName, whose: "a tool of the host's own" }],
  wishes({ skills, commands }, { quote }) {
    return [
      ...skills.folders.map((folder) => ({
        path: ["skills"],
        sentence: `offers models the skills in ${quote(folder)}`,
        tells: ["folders"],
      })),
      ...commands.folders.map((folder) => ({
        path: ["commands"],
        sentence: `offers the commands in ${quote(folder)}`,
        tells: ["folders"],
      })),
    ];
  },
});

type Values = ValuesOf<typeof configuration>;

export interface Settings {
  readonly userFolder: string | undefined;
  readonly skillFolders: readonly string[];
  readonly commandFolders: readonly string[];
  readonly maxListed: number;
  readonly maxListBytes: number;
  readonly maxEntries: number;
  readonly maxFileBytes: number;
}

export function toSettings(values: Values): Settings {
  return {
    userFolder: values.user_folder,
    skillFolders: values.skills.folders,
    commandFolders: values.commands.folders,
    maxListed: values.max_listed,
    maxListBytes: values.max_list_bytes,
    maxEntries: values.max_entries,
    maxFileBytes: values.max_file_bytes,
  };
}
