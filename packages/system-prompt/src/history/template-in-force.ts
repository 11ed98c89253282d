import { DEFAULT_TEMPLATE, type SystemPromptTemplateResponse } from "@incipit/schema";

export function templateInForce(
  stored: string | null | undefined,
  configured: string | undefined,
): SystemPromptTemplateResponse {
  if (typeof stored === "string") return { template: stored, source: "stored" };
  if (configured !== undefined) return { template: configured, source: "config" };
  return { template: DEFAULT_TEMPLATE, source: "default" };
}
