import type { RequestTier } from "@incipit/service-contract";

export const separator = "\n\n";

/** Returns the base text of a request; a blank one means no base text. */
export function baseOfRequest(tier: RequestTier | undefined): string | undefined {
  if (tier === undefined || tier.mode === "append" || tier.system.length === 0) return undefined;
  return sentTexts(tier).join(separator);
}

export function sentTexts({ system }: RequestTier): readonly string[] {
  return system.filter((text) => text.trim() !== "").map((text) => text.toWellFormed());
}

/**
 * `replace`: the texts replace the base, with `tail` joined to the last; all blank means no base. `append`: those
 * that `prompt` does not contain, after it. Texts are not templates.
 */
export function placeRequestTexts(
  tier: RequestTier,
  { prompt, tailStart }: { readonly prompt: string; readonly tailStart: number },
): readonly string[] {
  const texts = sentTexts(tier);
  if (tier.mode === "append" || tier.system.length === 0) {
    const messages = prompt === "" ? [] : [prompt];
    for (const text of texts) if (!messages.some((message) => holds(message, text))) messages.push(text);
    return messages;
  }
  const tail = prompt.slice(tailStart);
  const last = [...texts.slice(-1), ...(tail === "" ? [] : [tail])].join(separator);
  return [...texts.slice(0, -1), ...(last === "" ? [] : [last])];
}

/** As whole lines: "always be briefly polite" does not contain "be brief". */
export function holds(message: string, text: string): boolean {
  for (let at = message.indexOf(text); at !== -1; at = message.indexOf(text, at + 1)) {
    const end = at + text.length;
    if ((at === 0 || message[at - 1] === "\n") && (end === message.length || message[end] === "\n")) return true;
  }
  return false;
}
