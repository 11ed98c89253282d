import type { Explain, SystemPromptTemplateResponse } from "@incipit/schema";

/** Explains an unprocessed text: one tier wins, with a single literal segment. */
export async function explainPlain({ template, source }: SystemPromptTemplateResponse): Promise<Explain> {
  const isStored = source === "stored";
  const bytes = new TextEncoder().encode(template);
  const sha256 = await sha256Of(template);
  const place = { start: 0, end: template.length, templateStart: 0, templateEnd: template.length };
  const tier = isStored ? "global" : "default";
  return {
    model: null,
    tiers: [
      {
        tier: "global",
        position: 1,
        source: "stored text",
        won: isStored,
        reason: isStored ? "it is set" : "nothing is stored",
        template: isStored ? template : null,
        sha256: isStored ? sha256 : null,
        version: null,
      },
      {
        tier: "default",
        position: 2,
        source: "the extension's own text",
        won: !isStored,
        reason: isStored ? "the stored text is asked first" : "no other text is set",
        template: isStored ? null : template,
        sha256: isStored ? null : sha256,
        version: null,
      },
    ],
    append: null,
    variables: [],
    branches: [],
    ranges:
      template === "" ? [] : [{ ...place, origin: "literal", name: null, tier, extension: null, branch: null }],
    segments: [],
    conflicts: [],
    sha256,
    sizeBytes: bytes.length,
    templateVersion: null,
    tokens: { count: Math.ceil(bytes.length / 4), method: "estimate" },
  };
}

async function sha256Of(text: string): Promise<string> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))).toHex();
}
