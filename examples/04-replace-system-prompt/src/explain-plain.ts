import type { Explain, SystemPromptTemplateResponse } from "@incipit/service-contract";

/** Where a text came from that is sent as it is: one tier has it, and all of it is literal. */
export async function explainPlain({ template, source }: SystemPromptTemplateResponse): Promise<Explain> {
  const isStored = source === "stored";
  const bytes = new TextEncoder().encode(template);
  const tier = isStored ? "global" : "default";
  return {
    tiers: [
      {
        tier: "global",
        source: "stored text",
        won: isStored,
        reason: isStored ? "it is set" : "nothing is stored",
        template: isStored ? template : null,
      },
      {
        tier: "default",
        source: "the extension's own text",
        won: !isStored,
        reason: isStored ? "the stored text is asked first" : "no other text is set",
        template: isStored ? null : template,
      },
    ],
    variables: [],
    ranges: template === "" ? [] : [{ start: 0, end: template.length, origin: "literal", name: null, tier }],
    sha256: new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex(),
    sizeBytes: bytes.length,
    templateVersion: null,
    estimatedTokens: Math.ceil(bytes.length / 4),
  };
}
