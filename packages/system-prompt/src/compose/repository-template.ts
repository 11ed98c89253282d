import type { ResolvedVariable } from "../types.ts";

export const repositoryTemplateVariables = "[file:AGENTS.md][rules:agents]";

/**
 * Whether the default template should include all AGENTS.md files of the repository: if there are others than the
 * working folder's. Otherwise, or if `[rules:agents]` lacks that file or the host may not read it, the simple
 * template is used, which includes exactly the readable text.
 */
export function includesRepositoryFiles(resolved: ReadonlyMap<string, ResolvedVariable>): boolean {
  const own = resolved.get("file:AGENTS.md");
  const rules = resolved.get("rules:agents");
  if (own === undefined || rules?.kind !== "value" || rules.files === undefined) return false;
  const others = rules.files.filter(({ path }) => path !== own.source);
  if (others.length === 0) return false;
  if (own.kind === "value") return others.length < rules.files.length || own.value === "";
  return own.reason === "not-found" || own.reason === "not-trusted";
}
