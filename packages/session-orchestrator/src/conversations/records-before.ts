import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { withServiceErrors } from "../failures/storage-failure.ts";
import { keys, storedConversationSchema, type StoredConversation } from "../store/stored.ts";

export interface RecordPage {
  readonly records: readonly StoredConversation[];
  readonly oldest: string | undefined;
  readonly damaged: number;
}

export async function recordsBefore(
  { storage, log }: OrchestratorContext,
  before: string | undefined,
  limit: number,
): Promise<RecordPage> {
  const prefix = keys.conversation("");
  const damaged: string[] = [];
  const onInvalid = (key: string, error: Error): void => {
    damaged.push(key);
    log.error("Skipped a damaged record", { key, error: error.message });
  };
  const range = { start: prefix, end: keys.conversation(before ?? "~"), reverse: true, limit, onInvalid };
  const entries = await withServiceErrors(() => storage.list(range, storedConversationSchema));
  const seen = [...entries.map(({ key }) => key), ...damaged].toSorted(); // Ids are ASCII.
  return {
    records: entries.map(({ value }) => value),
    oldest: seen.length < limit ? undefined : seen[0]?.slice(prefix.length),
    damaged: damaged.length,
  };
}
