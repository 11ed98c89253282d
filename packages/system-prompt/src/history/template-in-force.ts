import { DEFAULT_TEMPLATE, type SystemPromptTemplateResponse } from "@incipit/schema";

/** Of the global and the default tier: the first that is set. */
export function templateInForce(
  stored: string | null | undefined,
  configured: string | undefined,
): SystemPromptTemplateResponse {
  if (typeof stored === "string") return { template: stored, source: "stored" };
  if (configured !== undefined) return { template: configured, source: "config" };
  return { template: DEFAULT_TEMPLATE, source: "default" };
}
