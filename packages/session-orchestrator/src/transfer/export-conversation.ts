import { exportVersion, type ExportLine, stepIdSchema } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { conversationUnknown } from "../failures/service-errors.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import { historyValue } from "./history-records.ts";
import { historyKinds } from "../store/record-kinds.ts";
import { keys } from "../store/stored.ts";
import { readToolList } from "../store/tool-list.ts";
import * as z from "zod";

/** Small, because records can be as large as a request. */
const pageSize = 16;

/**
 * Without grants and pending work. Omits records newer than the first line.
 *
 * @throws {ServiceError} `CONVERSATION_BUSY` while work runs or is queued.
 */
export async function* exportConversation(
  { storage, systemPrompt }: OrchestratorContext,
  conversation: LoadedConversation,
): AsyncGenerator<ExportLine> {
  const { record, log, ids, messageCount, work, queue } = conversation;
  if (!work.isIdle || queue.length > 0) {
    const message = `Cannot export conversation "${record.id}" while something runs or waits in it; wait for its end, or stop it`;
    throw new ServiceError("CONVERSATION_BUSY", message, { next: { action: "stop", conversationId: record.id } });
  }
  const nextStepId = ids.next(stepIdSchema);
  const ends = new Map([
    ["event", keys.event(record.id, log.lastSeq + 1)],
    ["message", keys.message(record.id, messageCount)],
    ["turn-end", keys.turnEnd(record.id, messageCount)],
    ["step", keys.step(record.id, nextStepId)],
    ["wire", keys.wire(record.id, nextStepId)],
    ["told-system", keys.recordedSystem(record.id, nextStepId)],
  ]);
  const prompt = (await systemPrompt.current?.exportPrompt(record.id)) ?? null;
  // oxlint-disable-next-line no-unused-vars -- omitted from the export: an import sets its own values
  const { importedAt, parent, deletedAt, toolsModel, ...archived } = record;
  const { toolsSha256 } = record;
  const tools = toolsSha256 === null ? undefined : await readToolList(storage, toolsSha256);
  yield { type: "incipit-conversation", version: exportVersion };
  yield { type: "conversation", value: { ...archived, lastSeq: log.lastSeq } };
  if (prompt !== null) yield { type: "prompt", value: prompt };
  if (tools !== undefined) yield { type: "tools", value: tools.text };
  let records = 0;
  for (const kind of historyKinds.toSorted()) {
    const prefix = `${kind}:${record.id}`;
    let start = prefix;
    for (;;) {
      const range = { start, end: ends.get(kind) ?? `${prefix}~`, limit: pageSize };
      const page = await storage.list(range, z.json());
      // Another generation may have deleted part of it.
      const isThere = (await storage.get(keys.conversation(record.id), z.unknown())) !== undefined;
      if (!isThere) throw conversationUnknown(record.id);
      for (const { key, value } of page) {
        records += 1;
        yield { type: "record", kind, key: key.slice(prefix.length + 1), value: historyValue(kind, value) };
      }
      const last = page.at(-1);
      if (last === undefined || page.length < pageSize) break;
      start = `${last.key} `;
    }
  }
  yield { type: "end", records };
}

export function recordKey(kind: string, id: string, key: string): string {
  return key === "" ? `${kind}:${id}` : `${kind}:${id}:${key}`;
}
