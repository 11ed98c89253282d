import type { ConversationSystemPromptResponse, Explain, OmittedTool } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { shaText, tokenText } from "@incipit/cli-text";
import type { TerminalSession } from "../session/terminal-session.ts";

export interface KnownPrompt {
  readonly text: string;
  readonly explain: Explain;
  readonly leftOutTools: readonly OmittedTool[];
  /** `undefined` before the first message: a preview. */
  readonly kept: ConversationSystemPromptResponse | undefined;
}

export async function promptOf(session: TerminalSession): Promise<KnownPrompt> {
  const { client, conversation, cwd, model, profile } = session;
  if (conversation !== undefined) {
    const params = { id: conversation.id };
    const { explain, leftOutTools } = await client.call(routes.explainConversation, { params });
    const kept = await client.call(routes.getConversationSystemPrompt, { params });
    if (explain !== null) return { text: kept.systemPrompt ?? "", explain, leftOutTools, kept };
  }
  const body = {
    cwd,
    ...(conversation === undefined ? {} : { conversationId: conversation.id }),
    ...(model === undefined ? {} : { model }),
    ...(profile === undefined ? {} : { profile }),
  };
  const { systemPrompt, explain } = await client.call(routes.previewSystemPrompt, { body });
  return { text: systemPrompt, explain, leftOutTools: [], kept: undefined };
}

export function sizeText(
  { sizeBytes, tokens, sha256 }: Pick<Explain, "sizeBytes" | "tokens" | "sha256">,
  width: number,
): string {
  return shaText(sha256, (hash) => `${sizeBytes} bytes, ${tokenText(tokens)}, SHA-256 ${hash}`, width);
}
