import { ServiceError, type PromptSegment, type PromptVariables } from "@incipit/service-contract";
import type { SkillList } from "@incipit/schema";
import { missingSkills } from "./missing-skills.ts";
import type { SkillQuery, Skills } from "./skills.ts";

const type = "skills";
const name = "list";

/** After the base prompt and appended text, before the host's own section. */
const order = 100;

export function skillSegment(skills: Pick<Skills, "list">): PromptSegment {
  return {
    id: "skills",
    order,
    variable: `${type}:${name}`,
    async text({ cwd, hasTools, skills: only, signal }) {
      if (!hasTools) return null;
      const list = await listOf(skills, { cwd, only, signal });
      if (list === undefined || list.text === null) return null;
      const detail = detailOf(list, only);
      return detail === undefined ? list.text : { text: list.text, detail };
    },
  };
}

export function skillVariables(skills: Pick<Skills, "list">): PromptVariables {
  return {
    type,
    variables: [
      {
        name,
        description:
          "The available skills: how to open one, and the name and description of each; absent without one",
      },
    ],
    async resolve(asked, { cwd, hasTools = true, skills: only, signal }) {
      if (asked !== name || !hasTools) return { absent: "not-found" };
      const list = await listOf(skills, { cwd, only, signal });
      return list === undefined || list.text === null ? { absent: "not-found" } : { value: list.text };
    },
  };
}

async function listOf(skills: Pick<Skills, "list">, query: SkillQuery): Promise<SkillList | undefined> {
  try {
    return await skills.list(query);
  } catch (error) {
    if (ServiceError.is(error) && error.code === "CWD_INVALID") return undefined;
    throw error;
  }
}

function detailOf(list: SkillList, only: readonly string[] | undefined): string | undefined {
  const { skills, leftOut } = list;
  const told = skills.filter(({ isListed }) => isListed).length;
  const parts = [
    told === skills.length ? undefined : `${skills.length - told} of ${skills.length} have no room in the list`,
    leftOut.length === 0 ? undefined : `${leftOut.length} skipped: "incipit skills list" shows why`,
    ...missingSkills(list, only),
  ].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join("; ");
}
