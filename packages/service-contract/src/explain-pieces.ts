import type { Explain } from "@incipit/schema";
import type { PromptPiece } from "./define-prompt-builder.ts";

interface ExplainOptions {
  /** Id of the extension that builds the prompt. */
  readonly extension: string;
  readonly model: string | undefined;
}

/** A prompt with the origin of each character range. */
export interface ExplainedText {
  readonly text: string;
  readonly explain: Explain;
}

export async function explainPieces(
  pieces: readonly PromptPiece[],
  { extension, model }: ExplainOptions,
): Promise<ExplainedText> {
  const ranges: Explain["ranges"] = [];
  let text = "";
  for (const piece of pieces) {
    const { name, text: own } = typeof piece === "string" ? { name: null, text: piece } : piece;
    const wellFormed = asWellFormed(own);
    if (wellFormed === "") continue;
    ranges.push({
      start: text.length,
      end: text.length + wellFormed.length,
      origin: name === null ? "literal" : "segment",
      name,
      tier: "default",
      extension,
      branch: null,
      templateStart: null,
      templateEnd: null,
    });
    text += wellFormed;
  }
  const sizeBytes = new TextEncoder().encode(text).length;
  const sha256 = await sha256Of(text);
  const tier = {
    tier: "default",
    position: 1,
    source: extension,
    won: true,
    reason: "it builds the prompts",
  } as const;
  return {
    text,
    explain: {
      model: model ?? null,
      tiers: [{ ...tier, template: text, sha256, version: null }],
      append: null,
      variables: [],
      branches: [],
      ranges,
      segments: [],
      conflicts: [],
      sha256,
      sizeBytes,
      templateVersion: null,
      tokens: { count: Math.ceil(sizeBytes / 4), method: "estimate" },
    },
  };
}

/** Replaces lone surrogates with U+FFFD, as UTF-8 encoding does. */
export function asWellFormed(text: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(text));
}

async function sha256Of(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
