import { RequestError, type SystemPrompt } from "@agentclientprotocol/sdk/unstable";
import type { ConversationId, Explain } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import * as z from "zod";

/** System texts that an editor gives a session, as the host takes them for a conversation. */
export interface SystemTexts {
  readonly system: string[];
  readonly systemMode: "replace" | "append";
}

const separator = "\n\n";

/** What clients send that know agents of before there was a field for it. */
const metaSchema = z.object({
  systemPrompt: z.union([z.string().min(1), z.object({ append: z.string().min(1) })]),
});

/**
 * `undefined`: it gives none. Where it has no `systemPrompt`, that of its `_meta` counts, which older clients send.
 * @throws {RequestError} for what cannot be told a model as its instructions.
 */
export function systemTexts({
  systemPrompt,
  _meta,
}: {
  readonly systemPrompt?: SystemPrompt | null;
  readonly _meta?: Readonly<Record<string, unknown>> | null;
}): SystemTexts | undefined {
  if (systemPrompt === undefined || systemPrompt === null) return textsOfMeta(_meta);
  const { mode, content } = systemPrompt;
  if (mode !== "append" && mode !== "override") {
    const message = `the mode "${mode}" of systemPrompt is not known; write "append" or "override"`;
    throw RequestError.invalidParams({ mode }, message);
  }
  if (content.length === 0)
    throw RequestError.invalidParams(undefined, "systemPrompt has no content; leave it out where there is none");
  const system = content.map((block) => {
    if (block.type === "text") return block.text;
    throw RequestError.invalidParams({ type: block.type }, `systemPrompt takes text, not "${block.type}"`);
  });
  return { system, systemMode: mode === "override" ? "replace" : "append" };
}

/** Nobody has to know it: what is something else says nothing. */
function textsOfMeta(meta: unknown): SystemTexts | undefined {
  const given = metaSchema.safeParse(meta).data?.systemPrompt;
  if (given === undefined) return undefined;
  return typeof given === "string"
    ? { system: [given], systemMode: "replace" }
    : { system: [given.append], systemMode: "append" };
}

/**
 * Gives a conversation that is there other texts. The prompt that it keeps has them at once: an editor that asks for them is
 * a person who asks for a rebuild. Where it has the same texts already, nothing is changed, not a byte.
 */
export async function giveTexts(
  client: Client,
  id: ConversationId,
  { texts, by }: { readonly texts: SystemTexts; readonly by: string },
): Promise<void> {
  const { explain } = await client.call(routes.explainConversation, { params: { id } });
  if (explain !== null && isAlready(explain, texts)) return;
  await client.call(routes.updateConversation, { params: { id }, body: texts });
  if (explain === null) return; // Its first turn constructs it.
  const note = "The editor opened the session with another systemPrompt";
  await client.call(routes.rebuildPrompt, { params: { id }, body: { by, note } });
}

function isAlready({ tiers }: Explain, { system, systemMode }: SystemTexts): boolean {
  const kept = tiers.find(({ tier, template }) => tier === "request" && template !== null);
  if (kept === undefined) return false;
  const text = system
    .filter((one) => one.trim() !== "")
    .map((one) => one.toWellFormed())
    .join(separator);
  return kept.template === text && kept.won === (systemMode === "replace");
}
