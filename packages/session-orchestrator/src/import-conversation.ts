import type { Storage, StorageBatch, StorageWrite } from "@incipit/kernel";
import { exportVersion, ServiceError, type ConversationId, type ExportLine } from "@incipit/service-contract";
import * as z from "zod";
import type { OrchestratorContext } from "./context.ts";
import { recordKey } from "./export-conversation.ts";
import { problemOf, recordKinds } from "./record-kinds.ts";
import { ageWrite } from "./records/record-ages.ts";
import { keys, storedConversationSchema, type StoredConversation } from "./stored.ts";
import { toolListOf } from "./tool-list.ts";
import type { UnfinishedConversations } from "./unfinished-conversations.ts";

/** Of a request that was not deleted. */
const wireRestSchema = z.object({ rest: z.string() });

/** Of one commit, which is in memory until then: records, and UTF-16 units of them, but for the one that goes over it. */
const maxWrites = 200;
const maxWritesLength = 1_048_576;

/**
 * Keeps an exported conversation under its own id. Its records are stored as they come; the conversation is there once the
 * last line was read, and after a failure nothing of it is.
 * @throws {ServiceError} `CONVERSATION_EXISTS`, `INVALID_REQUEST` that names the line.
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
  #writes: StorageWrite[] = [];
  #writesLength = 0;
  #records = 0;
  #hasTools = false;
  #isWhole = false;

  constructor(context: OrchestratorContext, unfinished: UnfinishedConversations) {
    this.#context = context;
    this.#unfinished = unfinished;
    this.#storage = context.storage;
  }

  async take(line: ExportLine): Promise<void> {
    this.#line += 1;
    if (this.#isWhole) throw this.#invalid("there is something behind the line that ends it");
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
        if (line.records !== this.#records)
          throw this.#invalid(`it says that there are ${line.records} records, and ${this.#records} came`);
        this.#isWhole = true;
        return;
      case "incipit-conversation":
      case "conversation":
        throw this.#invalid(`a second line of the type "${line.type}"`);
    }
  }

  async finish(): Promise<ConversationId> {
    const record = this.#record;
    if (record === undefined || !this.#isWhole)
      throw this.#invalid("it ends here, without its last line: it was cut off; export it again");
    if (record.toolsSha256 !== null && !this.#hasTools) throw this.#invalid("the conversation's tools are missing");
    await this.#store();
    const isDone = await this.#unfinished.finish(record.id, {
      checks: [{ key: keys.conversation(record.id), version: null }],
      writes: [{ kind: "set", key: keys.conversation(record.id), value: record }],
      join: this.#prompt === undefined ? [] : [this.#prompt],
    });
    if (!isDone) throw exists(record.id);
    return record.id;
  }

  /** Takes away what was stored. */
  async abandon(): Promise<void> {
    if (this.#record !== undefined) await this.#unfinished.discard(this.#record.id);
  }

  #open(line: ExportLine): void {
    if (line.type !== "incipit-conversation")
      throw this.#invalid('an export begins with {"type":"incipit-conversation"}');
    if (line.version > exportVersion)
      throw this.#invalid(`it has version ${line.version}, and this host knows ${exportVersion}; use a newer one`);
  }

  async #begin(line: ExportLine): Promise<void> {
    if (line.type !== "conversation") throw this.#invalid('the second line has the type "conversation"');
    const parsed = storedConversationSchema.safeParse(line.value);
    if (!parsed.success) throw this.#invalid(problemOf(parsed.error));
    const record = parsed.data;
    // What is still being deleted would go with the rest of that.
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
    try {
      const { sha256 } = toolListOf(text);
      if (sha256 !== toolsSha256) throw this.#invalid("these are not the tools that the conversation names");
      this.#writes.push({ kind: "set", key: keys.toolList(sha256), value: text });
      this.#hasTools = true;
    } catch (error) {
      throw ServiceError.is(error) ? error : this.#invalid("it is no list of tools");
    }
  }

  async #takeRecord({ kind, key, value }: Extract<ExportLine, { type: "record" }>, id: string): Promise<void> {
    const check = recordKinds.get(kind);
    if (check === undefined) throw this.#invalid(`there are no records of the kind "${kind}"`);
    const problem = check({ conversationId: id, key, value });
    if (problem !== undefined) throw this.#invalid(problem);
    this.#writes.push({ kind: "set", key: recordKey(kind, id, key), value: z.json().parse(value) });
    const rest = kind === "wire" ? wireRestSchema.safeParse(value).data?.rest : undefined;
    if (rest !== undefined) this.#writes.push(ageWrite(id, key, rest));
    this.#records += 1;
    this.#writesLength += JSON.stringify(value).length;
    if (this.#writes.length >= maxWrites || this.#writesLength >= maxWritesLength) await this.#store();
  }

  async #store(): Promise<void> {
    const writes = this.#writes;
    this.#writes = [];
    this.#writesLength = 0;
    if (writes.length > 0) await this.#storage.atomic([], writes);
  }

  #invalid(what: string): ServiceError {
    const message = `Cannot import the conversation: line ${Math.max(this.#line, 1)}: ${what}`;
    return new ServiceError("INVALID_REQUEST", message);
  }
}

function exists(id: string): ServiceError {
  const message = `There is a conversation "${id}" already, or it is being imported or deleted; delete it first, to bring it back as it was exported`;
  return new ServiceError("CONVERSATION_EXISTS", message);
}
