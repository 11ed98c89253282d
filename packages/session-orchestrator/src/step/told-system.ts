import type { StorageWrite } from "@incipit/kernel";
import type { OrchestratorContext } from "../context/context.ts";
import type { LoadedConversation } from "../conversation/conversation.ts";
import { keys, toldSystemSchema } from "../store/stored.ts";
import { redactions } from "../records/without-secrets.ts";

interface ToldTexts {
  readonly stepId: string;
  readonly texts: readonly string[];
  /** Of the JSON of the texts. */
  readonly sha256: string;
}

/** The write that keeps the system texts of a step, where those of the step before were others. */
export async function keepToldSystem(
  { storage, redactor }: OrchestratorContext,
  conversation: LoadedConversation,
  { stepId, texts, sha256 }: ToldTexts,
): Promise<readonly StorageWrite[]> {
  const { id } = conversation.record;
  if (conversation.toldSystemSha256 === undefined) {
    const range = { prefix: keys.toldSystems(id), reverse: true, limit: 1, onInvalid: () => undefined };
    conversation.toldSystemSha256 = (await storage.list(range, toldSystemSchema))[0]?.value.sha256 ?? null;
  }
  if (conversation.toldSystemSha256 === sha256) return [];
  const counts: Record<string, number> = {};
  const kept = texts.map((text) => {
    const left = redactor.leaveOut(text, redactor.find(text));
    for (const [kind, count] of Object.entries(left.counts)) counts[kind] = (counts[kind] ?? 0) + count;
    return left.text;
  });
  const value = { sha256, texts: kept, redactions: [...redactions("system", counts)] };
  return [{ kind: "set", key: keys.toldSystem(id, stepId), value }];
}
