import type { lintTemplate } from "./lint.ts";

/** On demand: a host that only builds prompts does not need it. */
export async function loadLint(): Promise<typeof lintTemplate> {
  const lint = await import("./lint.ts");
  return lint.lintTemplate;
}
