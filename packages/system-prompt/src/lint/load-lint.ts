import type { lintTemplate } from "./lint.ts";

/** Loaded by who looks at a template: a host that only builds prompts starts without its code. */
export async function loadLint(): Promise<typeof lintTemplate> {
  const lint = await import("./lint.ts");
  return lint.lintTemplate;
}
