import {
  isTooDeep,
  jsonTextProblem,
  tooDeepText,
  type Storage,
  type StorageBatch,
  type StorageCheck,
  type StorageWrite,
} from "@incipit/kernel";
import { exportVersion, type ConversationId, type ExportLine } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { ArchivedHistory } from "./archived-history.ts";
import {
  archivedConversationSchema,
  actingRecords,
  historyRecords,
  historyValue,
  passedOverRecords,
  problemOf,
  unknownText,
  unknownKey,
} from "./history-records.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import { cwdProblem } from "../call/usable-folder.ts";
import { recordKey } from "./export-conversation.ts";
import { ageWrite } from "../records/wire-records.ts";
import { keys, type StoredConversation } from "../store/stored.ts";
import { toolListOf } from "../store/tool-list.ts";
import { indexWrites } from "../conversations/filter-index.ts";
import type { UnfinishedConversations } from "../conversations/unfinished-conversations.ts";
import * as z from "zod";

const wireRestSchema = z.object({ rest: z.string() });

const takeOutText =
  "an import takes only what was said; export it again, or take the line out and lower the number in the last one";

/** Per commit: records, and their size in UTF-16 units, excluding the record that exceeds it. */
const maxWrites = 200;
const maxWritesLength = 1_048_576;

/**
 * The conversation becomes visible after the last line, and a failure removes everything. The content is untrusted:
 * only history is accepted, and tools need approval for the folder.
 *
 * @throws {ServiceError} `CONVERSATION_EXISTS`; `NOT_A_HISTORY`, `CWD_INVALID` and `INVALID_REQUEST`, with the line
 * number.
 */
export async function importConversation(
  context: OrchestratorContext,
  unfinished: UnfinishedConversations,
  lines: AsyncIterable<ExportLine>,
): Promise<ConversationId> {
  const reader = new ImportReader(context, unfinished);
  try {
    for await (const line of lines) await reader.take(line);
    return await reader.finish();
  } catch (error) {
    await reader.abandon();
    throw error;
  }
}

class ImportReader {
  readonly #context: OrchestratorContext;
  readonly #storage: Storage;
  readonly #unfinished: UnfinishedConversations;
  #line = 0;
  #record: StoredConversation | undefined;
  #prompt: StorageBatch | undefined;
  #tools: StorageWrite | undefined;
  #checks: StorageCheck[] = [];
  #writes: StorageWrite[] = [];
  #writesLength = 0;
  #records = 0;
  readonly #history = new ArchivedHistory();
  #isWhole = false;

  constructor(context: OrchestratorContext, unfinished: UnfinishedConversations) {
    this.#context = context;
    this.#unfinished = unfinished;
    this.#storage = context.storage;
  }

  async take(line: ExportLine): Promise<void> {
    this.#line += 1;
    if (this.#isWhole) throw this.#invalid("there is something behind the line that ends it");
    if (isTooDeep(line)) throw this.#invalid(`it is ${tooDeepText}`);
    if (this.#line === 1) return this.#open(line);
    if (this.#record === undefined) return this.#begin(line);
    switch (line.type) {
      case "prompt":
        return this.#takePrompt(line.value);
      case "tools":
        return this.#takeTools(line.value, this.#record.toolsSha256);
      case "record":
        return this.#takeRecord(line, this.#record.id);
      case "end":
        return this.#end(line.records, this.#record);
      case "incipit-conversation":
      case "conversation":
        throw this.#invalid(`a second line of the type "${line.type}"`);
    }
  }

  async finish(): Promise<ConversationId> {
    const record = this.#record;
    if (record === undefined || !this.#isWhole)
      throw this.#invalid("it ends here, without its last line: it was cut off; export it again");
    if (record.toolsSha256 !== null && this.#tools === undefined)
      throw this.#invalid("the conversation's tools are missing");
    await this.#store();
    // Shared records come last, because a rejected import must not delete them.
    const tools = this.#tools === undefined ? [] : [this.#tools];
    const isDone = await this.#unfinished.finish(record.id, {
      checks: [{ key: keys.conversation(record.id), version: null }],
      writes: [{ kind: "set", key: keys.conversation(record.id), value: record }, ...indexWrites(record), ...tools],
      join: this.#prompt === undefined ? [] : [this.#prompt],
    });
    if (!isDone) throw exists(record.id);
    return record.id;
  }

  async abandon(): Promise<void> {
    if (this.#record !== undefined) await this.#unfinished.discard(this.#record.id);
  }

  #end(records: number, record: StoredConversation): void {
    if (records !== this.#records)
      throw this.#invalid(`it says that there are ${records} records, and ${this.#records} came`);
    const { leftOpen } = this.#history;
    if (leftOpen !== undefined) throw this.#refused("NOT_A_HISTORY", leftOpen);
    const problem = this.#history.problemWith(record);
    if (problem !== undefined) throw this.#invalid(problem);
    this.#isWhole = true;
  }

  #open(line: ExportLine): void {
    if (line.type !== "incipit-conversation")
      throw this.#invalid('an export begins with {"type":"incipit-conversation"}');
    if (line.version > exportVersion)
      throw this.#invalid(`it has version ${line.version}, and this host knows ${exportVersion}; use a newer one`);
  }

  async #begin(line: ExportLine): Promise<void> {
    if (line.type !== "conversation") throw this.#invalid('the second line has the type "conversation"');
    const parsed = archivedConversationSchema.safeParse(line.value);
    if (!parsed.success) throw this.#invalid(problemOf(parsed.error));
    const unknown = unknownKey(line.value, parsed.data);
    if (unknown !== undefined) throw this.#invalid(unknownText(unknown));
    const cwd = cwdProblem(parsed.data.cwd);
    if (cwd !== undefined) throw this.#refused("CWD_INVALID", cwd);
    const record = { ...parsed.data, parent: null, importedAt: new Date(this.#context.clock.now()).toISOString() };
    // Remaining records of a deletion would mix with the import.
    const absent = [keys.conversation(record.id), keys.deleting(record.id)];
    const checks = absent.map((key) => ({ key, version: null }));
    if (!(await this.#unfinished.begin(record.id, { checks, writes: [] }))) throw exists(record.id);
    this.#record = record;
  }

  async #takePrompt(value: unknown): Promise<void> {
    const { current } = this.#context.systemPrompt;
    if (this.#prompt !== undefined) throw this.#invalid('a second line of the type "prompt"');
    if (current === undefined) {
      const message = "The conversation has a prompt, and there is no prompt builder to keep it; load one first";
      throw new ServiceError("SERVICE_UNAVAILABLE", message);
    }
    try {
      this.#prompt = await current.importPrompt(this.#record?.id ?? "", z.json().parse(value));
    } catch (error) {
      if (!ServiceError.is(error) || error.code !== "INVALID_REQUEST") throw error;
      throw this.#invalid(error.message);
    }
  }

  #takeTools(text: string, toolsSha256: string | null): void {
    if (this.#tools !== undefined) throw this.#invalid('a second line of the type "tools"');
    const problem = jsonTextProblem(text);
    if (problem !== undefined) throw this.#invalid(`the list of tools is ${problem}`);
    try {
      const { sha256 } = toolListOf(text);
      if (sha256 !== toolsSha256) throw this.#invalid("these are not the tools that the conversation names");
      this.#tools = { kind: "set", key: keys.toolList(sha256), value: text };
    } catch (error) {
      throw ServiceError.is(error) ? error : this.#invalid("it is not a list of tools");
    }
  }

  async #takeRecord({ kind, key, value }: Extract<ExportLine, { type: "record" }>, id: string): Promise<void> {
    this.#records += 1;
    const acts = actingRecords.get(kind);
    if (acts !== undefined) throw this.#refused("NOT_A_HISTORY", `it is ${acts(key)}; ${takeOutText}`);
    if (passedOverRecords.has(kind)) return;
    const check = historyRecords.get(kind);
    if (check === undefined) throw this.#invalid(`there are no records of the kind ${JSON.stringify(kind)}`);
    const problem = this.#history.takePlace(kind, key) ?? check({ conversationId: id, key, value }, this.#history);
    if (problem !== undefined) throw this.#invalid(problem);
    this.#writes.push({
      kind: "set",
      key: recordKey(kind, id, key),
      value: historyValue(kind, z.json().parse(value)),
    });
    const rest = kind === "wire" ? wireRestSchema.safeParse(value).data?.rest : undefined;
    if (rest !== undefined) {
      this.#checks.push({ key: keys.recordAge(key), version: null });
      this.#writes.push(ageWrite(id, key, rest));
    }
    this.#writesLength += JSON.stringify(value).length;
    if (this.#writes.length >= maxWrites || this.#writesLength >= maxWritesLength) await this.#store();
  }

  async #store(): Promise<void> {
    const checks = this.#checks;
    const writes = this.#writes;
    this.#checks = [];
    this.#writes = [];
    this.#writesLength = 0;
    if (writes.length === 0) return;
    const result = await this.#storage.atomic(checks, writes);
    if (result.kind === "committed") return;
    const what = `another conversation has a request under the id of one of its steps, "${result.key.slice(keys.recordAges.length)}"`;
    throw this.#invalid(what);
  }

  #invalid(what: string): ServiceError {
    return this.#refused("INVALID_REQUEST", what);
  }

  #refused(code: "INVALID_REQUEST" | "NOT_A_HISTORY" | "CWD_INVALID", what: string): ServiceError {
    const message = `Cannot import the conversation: line ${Math.max(this.#line, 1)}: ${what}`;
    return new ServiceError(code, message);
  }
}

function exists(id: string): ServiceError {
  const message = `There is a conversation "${id}" already, or it is being imported or deleted; delete it first, to bring it back as it was exported`;
  return new ServiceError("CONVERSATION_EXISTS", message);
}
