import { DeadlineError, errorMessage, withDeadline, type StorageWrite } from "@incipit/kernel";
import { conversationIdSchema, type ConversationId } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import { indexDeletes, possibleIndexDeletes } from "./filter-index.ts";
import type { OrchestratorContext } from "../context/orchestrator-context.ts";
import type { LoadedConversation } from "../conversation/loaded-conversation.ts";
import type { LoadedConversations } from "./loaded-conversations.ts";
import { deleteRecords } from "../store/record-kinds.ts";
import { withServiceErrors } from "../failures/service-errors.ts";
import { storedEntries, childIds } from "../store/read-page.ts";
import { deletionSchema, keys, type Deletion } from "../store/stored.ts";
import type { BusyConversations, TurnJobs } from "../turn/turn-jobs.ts";
import * as z from "zod";

const endTimeoutMs = 30_000;

interface DeletionOptions {
  readonly loaded: LoadedConversations;
  readonly jobs: TurnJobs;
  readonly held: BusyConversations;
  readonly stopping: AbortSignal;
}

/**
 * One commit removes the conversation and records the deletion; small batches delete the rest, resumed at the next
 * start.
 */
export class ConversationDeletions {
  readonly #context: OrchestratorContext;
  readonly #options: DeletionOptions;
  readonly #running = new Map<ConversationId, Promise<void>>();

  constructor(context: OrchestratorContext, options: DeletionOptions) {
    this.#context = context;
    this.#options = options;
  }

  /**
   * Concurrent calls share one deletion.
   *
   * @throws {ServiceError} `CONVERSATION_UNKNOWN`; `TIMEOUT`, with nothing deleted; `STORAGE_FAILED`.
   */
  delete(id: ConversationId): Promise<void> {
    const begun = this.#running.get(id);
    if (begun !== undefined) return begun;
    const deleted = withServiceErrors(() => this.#delete(id)).catch((cause: unknown) => {
      if (!this.#options.stopping.aborted) throw cause;
      const message = "The host is stopping; the deletion continues after the next start";
      throw new ServiceError("SERVICE_UNAVAILABLE", message, { cause });
    });
    const running = deleted.finally(() => this.#running.delete(id));
    this.#running.set(id, running);
    return running;
  }

  /** From a previous host run or generation. Never rejects. */
  async finishAll(own: ReadonlySet<string>): Promise<void> {
    try {
      for await (const { key, value } of storedEntries(this.#context, keys.allDeleting, deletionSchema)) {
        const id = key.slice(keys.allDeleting.length);
        if (!own.has(id) && this.#canFinish(value)) await this.#finish(id, value);
      }
    } catch (error) {
      const message = errorMessage(error);
      this.#context.log.error("A conversation could not be deleted to its end; the next start tries again", {
        error: message,
      });
    }
  }

  async #delete(id: ConversationId): Promise<void> {
    const { storage, clock } = this.#context;
    const deletion: Deletion = { startedAt: new Date(clock.now()).toISOString(), isPromptLeft: false };
    const writes: readonly StorageWrite[] = [
      { kind: "set", key: keys.deleting(id), value: deletion },
      { kind: "delete", key: keys.conversation(id) },
    ];
    try {
      await this.#end(await this.#options.loaded.load(id), writes);
    } catch (error) {
      if (!ServiceError.is(error) || !(await this.#canGoOn(id, error))) throw error;
      await storage.atomic([], [...writes, ...(await possibleIndexDeletes(storage, id))]);
    }
    await this.#finish(id, deletion);
  }

  /** Unreadable conversations and unfinished deletions can be deleted. */
  async #canGoOn(id: ConversationId, { code }: ServiceError): Promise<boolean> {
    if (code === "STORED_DATA_DAMAGED") return true;
    if (code !== "CONVERSATION_UNKNOWN") return false;
    const left = await this.#context.storage.get(keys.deleting(id), deletionSchema);
    return left !== undefined && this.#canFinish(left);
  }

  #canFinish({ isPromptLeft }: Deletion): boolean {
    return !isPromptLeft || this.#context.systemPrompt.current !== undefined;
  }

  async #end(conversation: LoadedConversation, writes: readonly StorageWrite[]): Promise<void> {
    const { id } = conversation.record;
    conversation.work.close();
    this.#options.loaded.hide(id);
    try {
      const deadline = { timeoutMs: endTimeoutMs, clock: this.#context.clock };
      await withDeadline(() => this.#options.jobs.endAll(conversation), deadline);
      const { record } = conversation;
      const row = record.parent === null ? [] : [keys.task(record.parent.conversationId, id)];
      const rowDeletes = row.map((key) => ({ kind: "delete", key }) as const);
      await conversation.log.end([...writes, ...indexDeletes(record), ...rowDeletes]);
      this.#options.loaded.drop(id);
    } catch (error) {
      conversation.work.reopen();
      if (!(error instanceof DeadlineError)) throw error;
      const message = `Cannot delete conversation "${id}": its turn did not end within ${endTimeoutMs / 1_000} s; nothing was deleted, try again`;
      throw new ServiceError("TIMEOUT", message, { cause: error });
    } finally {
      this.#options.loaded.show(id);
    }
  }

  #oneTask(id: string): Promise<readonly string[]> {
    return childIds(this.#context, id, { limit: 1 });
  }

  /** Deletes the task's row last, so that an interrupted deletion of its caller finds it. */
  async #deleteTask(callerId: string, id: ConversationId): Promise<void> {
    try {
      await this.#options.held.hold(id, () => this.delete(id));
    } catch (error) {
      if (!ServiceError.is(error) || error.code !== "CONVERSATION_UNKNOWN") throw error;
    }
    await this.#context.storage.delete(keys.task(callerId, id));
  }

  async #finish(id: string, deletion: Deletion): Promise<void> {
    const { storage, systemPrompt, erasure, log } = this.#context;
    for (let [task] = await this.#oneTask(id); task !== undefined; [task] = await this.#oneTask(id))
      await this.#deleteTask(id, conversationIdSchema.parse(task));
    await deleteRecords(storage, id, { signal: this.#options.stopping });
    for await (const { key, value } of storedEntries(this.#context, keys.allActive, ownerSchema))
      if (value.conversationId === id) await storage.delete(key);
    const builder = systemPrompt.current;
    await builder?.forget(id);
    await erasure.current?.eraseDeleted();
    if (builder !== undefined) {
      await storage.delete(keys.deleting(id));
      return;
    }
    await storage.set(keys.deleting(id), { ...deletion, isPromptLeft: true });
    log.warn("The prompt of a deleted conversation is deleted at the next start with a prompt builder", {
      conversationId: id,
    });
  }
}

const ownerSchema = z.looseObject({ conversationId: z.string() });
