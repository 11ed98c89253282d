import type { OpenedSkill } from "@incipit/schema";
import type { Tool, ToolSource } from "@incipit/service-contract";
import * as z from "zod";
import { lazySchema } from "@incipit/schema";
import { missingSkills } from "./missing-skills.ts";
import { skillToolName } from "./skill-tool-name.ts";
import type { Skills } from "./skills.ts";

const inputSchema = lazySchema(() => z.strictObject({ name: z.string(), file: z.string().optional() }));

/**
 * For conversations whose folder has a skill at the start of an epoch, or one that the user may trust later. Skills
 * are read at call time.
 */
export function skillToolSource(skills: Pick<Skills, "hasAny" | "list" | "open" | "readFile">): ToolSource {
  const toolOf = (only: readonly string[] | undefined): Tool => ({
    name: skillToolName,
    description:
      "Opens a skill: gives its instructions and the path of its folder, or with file what stands in one of its files.",
    isReadOnly: true,
    inputSchema: {
      type: "object",
      properties: {
        name: { type: "string", description: "The name of the skill" },
        file: { type: "string", description: "A file of it, by its path in the skill's folder" },
      },
      required: ["name"],
      additionalProperties: false,
    },
    async execute(input, { cwd, signal }) {
      const { data } = inputSchema.safeParse(input);
      if (data === undefined)
        throw new Error(`Cannot run ${skillToolName}: it takes "name", a text, and perhaps "file", another one`);
      const query = { cwd, only, signal };
      if (data.file === undefined) return openedText(await skills.open(data.name, query));
      return (await skills.readFile(data.name, data.file, query)).text;
    },
  });
  return {
    id: "skills",
    async tools({ cwd, call, skills: only, signal }) {
      // A model that has the tool gets an error for a missing skill.
      if (call !== undefined) return { tools: call === skillToolName ? [toolOf(only)] : [], problems: [] };
      const query = { cwd, only, signal };
      const problems = only === undefined ? [] : missingSkills(await skills.list(query), only);
      return { tools: (await skills.hasAny(query)) ? [toolOf(only)] : [], problems };
    },
  };
}

function openedText({ skill: { name, folder }, body, files, hasMoreFiles }: OpenedSkill): string {
  const more = hasMoreFiles ? ", and more" : "";
  const others = files.length === 0 ? [] : [`Its other files: ${files.join(", ")}${more}.`];
  return [
    `The skill "${name}" is in the folder ${JSON.stringify(folder)}; paths that it names are below it.`,
    ...others,
    "",
    body,
  ].join("\n");
}
