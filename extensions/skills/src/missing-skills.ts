import type { SkillList } from "@incipit/schema";

export function missingSkills(
  { skills, leftOut }: Pick<SkillList, "skills" | "leftOut">,
  only: readonly string[] = [],
): readonly string[] {
  const known = new Set([...skills, ...leftOut].map(({ name }) => name));
  return only
    .filter((name) => !known.has(name))
    .map((name) => `No skill is "${name}", which this conversation may open`);
}
