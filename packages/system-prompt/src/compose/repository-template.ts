import type { ResolvedVariable } from "../types.ts";

/** What is asked for to choose between the two texts of the built-in default. */
export const askedOfRepository = "[file:AGENTS.md][rules:agents]";

/**
 * Whether the built-in default tells all AGENTS.md of a repository: where there are others beside that of the working folder.
 * That one alone is told as ever, and so is one that `[rules:agents]` does not have, or that the host may not read: nothing is
 * told then that would not be, and nothing is kept back.
 * @param resolved Of `askedOfRepository`.
 */
export function isRepositoryTold(resolved: ReadonlyMap<string, ResolvedVariable>): boolean {
  const own = resolved.get("file:AGENTS.md");
  const rules = resolved.get("rules:agents");
  if (own === undefined || rules?.kind !== "value" || rules.files === undefined) return false;
  const others = rules.files.filter(({ path }) => path !== own.source);
  if (others.length === 0) return false;
  if (own.kind === "value") return others.length < rules.files.length || own.value === "";
  return own.reason === "not-found" || own.reason === "not-trusted";
}
