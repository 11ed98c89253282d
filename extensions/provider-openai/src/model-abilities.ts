import { catalogueFacts } from "@incipit/model-catalogue";
import type { ConfiguredEndpoint } from "./configuration.ts";

export interface ModelOfEndpoint {
  readonly kind: ConfiguredEndpoint["kind"];
  readonly model: string;
}

const imageTypes = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/** For models that are not in the catalogue. */
const fileTypes = {
  /** https://platform.openai.com/docs/guides/pdf-files */
  openai: () => [...imageTypes, "application/pdf"],
  "openai-compatible": () => imageTypes,
  deepseek: (model) => (model.includes("vision") ? imageTypes : []),
} as const satisfies Record<ConfiguredEndpoint["kind"], (model: string) => readonly string[]>;

export function acceptsFile({ kind, model }: ModelOfEndpoint, mediaType: string): boolean {
  const known = kind === "openai-compatible" ? undefined : catalogueFacts(kind, model);
  if (known === undefined) {
    const types: readonly string[] = fileTypes[kind](model);
    return types.includes(mediaType);
  }
  if (mediaType === "application/pdf") return known.inputs.includes("pdf");
  return known.inputs.includes("image") && imageTypes.includes(mediaType);
}

/**
 * DeepSeek's models from V4 on reject a request without the reasoning that led to a tool call, within the loop and in
 * later turns; earlier ones reject any reasoning. OpenAI's chat completions have no field for it; for compatible
 * endpoints see compatible-reasoning.ts. https://api-docs.deepseek.com/guides/thinking_mode
 */
export function takesReasoning({ kind, model }: ModelOfEndpoint): boolean {
  return kind === "deepseek" && (model.includes("deepseek-v4") || /^deepseek-(flash|pro)/.test(model));
}
