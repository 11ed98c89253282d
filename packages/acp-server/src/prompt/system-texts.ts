import { RequestError, type SystemPrompt } from "@agentclientprotocol/sdk/unstable";
import type { ConversationId, Explain } from "@incipit/schema";
import { routes, type Client } from "@incipit/transport-contract";
import * as z from "zod";

export interface SystemTexts {
  readonly system: string[];
  readonly systemMode: "replace" | "append";
}

const separator = "\n\n";

/** Clients that predate `systemPrompt` send it. */
const metaSchema = z.object({
  systemPrompt: z.union([z.string().min(1), z.object({ append: z.string().min(1) })]),
});

/**
 * Without `systemPrompt`, reads `_meta` as sent by older clients. @throws {RequestError} for content that cannot be a
 * system message.
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
  if (content.length === 0) throw RequestError.invalidParams(undefined, "systemPrompt is empty; omit it");
  const system = content.map((block) => {
    if (block.type === "text") return block.text;
    throw RequestError.invalidParams({ type: block.type }, `systemPrompt accepts text, not "${block.type}"`);
  });
  return { system, systemMode: mode === "override" ? "replace" : "append" };
}

function textsOfMeta(meta: unknown): SystemTexts | undefined {
  const given = metaSchema.safeParse(meta).data?.systemPrompt;
  if (given === undefined) return undefined;
  return typeof given === "string"
    ? { system: [given], systemMode: "replace" }
    : { system: [given.append], systemMode: "append" };
}

/** The editor's request counts as the user's, so the prompt is rebuilt. Equal messages change nothing. */
export async function setSystemMessages(
  client: Client,
  id: ConversationId,
  { texts, by }: { readonly texts: SystemTexts; readonly by: string },
): Promise<void> {
  const { explain } = await client.call(routes.explainConversation, { params: { id } });
  if (explain !== null && isAlready(explain, texts)) return;
  await client.call(routes.updateConversation, { params: { id }, body: texts });
  if (explain === null) return; // The first turn builds the prompt.
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
