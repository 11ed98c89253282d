import type { Clock, FileSystem, Log, ServiceReference, Storage, StorageWrite } from "@incipit/kernel";
import type { ConversationId, Failure, ScheduleDefinition } from "@incipit/schema";
import {
  codeOf,
  isTransient,
  replyWithNote,
  type ConversationsService,
  type TurnOutcome,
} from "@incipit/service-contract";
import type { DayLimit } from "../budget/budget.ts";
import { heartbeatId } from "../budget/spending-ledger.ts";
import type { RunEnding, ScheduleKind } from "../engine/engine-context.ts";
import type { ScheduleStore } from "../engine/schedule-store.ts";
import { keys, storedReferenceSchema, storedRunSchema, type StoredRun } from "../engine/stored.ts";
import type { ActiveHours } from "../times/times.ts";
import { isQuiet } from "../turn/quiet-reply.ts";
import { responseKey, storedResponseSchema } from "./respond-tool.ts";
import { readTaskFile } from "./task-file.ts";

export interface HeartbeatOptions {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly fs: Pick<FileSystem, "readFile">;
  readonly conversations: ServiceReference<ConversationsService>;
  /** The folder of the task file. */
  readonly cwd: string;
  readonly timeZone: string;
  readonly activeHours: ActiveHours | undefined;
  /** Starts a conversation anew each day, so that a wake does not resend earlier days. */
  readonly isDaily: boolean;
}

/** A task in a file, whose quiet replies are for nobody, one wake at a time. */
export class HeartbeatKind implements ScheduleKind {
  readonly subject = "The heartbeat";
  readonly timeZone: string;
  readonly activeHours: ActiveHours | undefined;
  readonly isDaily: boolean;
  readonly maxRuns = 1;
  readonly maxOpen = 1;
  readonly behind = busy;
  readonly missed = { code: "MISSED", message: "The host was not running at that time" };
  readonly keptRuns = 200;
  readonly keepsOneSkipped = true;
  readonly maxReplyLength = Number.POSITIVE_INFINITY;
  readonly spendingGroups: readonly string[] = [];
  readonly #options: HeartbeatOptions;

  constructor(options: HeartbeatOptions) {
    this.timeZone = options.timeZone;
    this.activeHours = options.activeHours;
    this.isDaily = options.isDaily;
    this.#options = options;
  }

  title(): string {
    return "Heartbeat";
  }

  spendingId(): string {
    return heartbeatId;
  }

  limits(definition?: ScheduleDefinition): readonly DayLimit[] {
    if (definition === undefined) return [];
    const tokens = { max: definition.maxTokensPerDay, key: "heartbeat.max_tokens_per_day" };
    const usd = { max: definition.maxUsdPerDay, key: "heartbeat.max_usd_per_day" };
    return [{ spendingId: heartbeatId, what: "The heartbeat has", tokens, usd }];
  }

  async message(definition: ScheduleDefinition, store: ScheduleStore): Promise<string | Failure> {
    const text = await this.taskText(definition);
    if (typeof text !== "string") {
      if (text.code === fileUnusable) this.#options.log.warn("The heartbeat did not run", { error: text.message });
      return text;
    }
    const id = await store.conversationOf(definition);
    return id !== undefined && (await this.#isBusy(id)) ? busy : text;
  }

  /** Returns the text of the task file, or why there is nothing to do. */
  async taskText({ task: file }: ScheduleDefinition): Promise<string | Failure> {
    const { fs, cwd, signal, clock } = this.#options;
    const read = await readTaskFile(fs, { file, cwd, signal });
    if (read.kind !== "tasks")
      return { code: read.kind === "nothing" ? "NOTHING_TO_DO" : fileUnusable, message: read.why };
    const { timeZone } = this;
    const at = new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "short" });
    return `[HEARTBEAT] ${at.format(clock.now())} (${timeZone})\n\n${file}:\n\n${read.text}`;
  }

  /** Any reply except a quiet one is an alert; the response tool's `notify` takes precedence. */
  async ending(run: StoredRun, outcome: TurnOutcome): Promise<RunEnding> {
    const { storage } = this.#options;
    const { status, error, reply } = outcome;
    const key = responseKey(run.id);
    const response = await storage.get(key, storedResponseSchema);
    const writes: StorageWrite[] = response === undefined ? [] : [{ kind: "delete", key }];
    const silent = { status, error, quiet: false, repeated: false, text: undefined, writes };
    if (status !== "completed") return silent;
    if (response === undefined ? isQuiet(reply) : !response.notify) {
      await this.#putAway(run);
      return { ...silent, quiet: true };
    }
    if (reply.trim() === "")
      return {
        ...silent,
        status: "failed",
        error: { code: "EMPTY_REPLY", message: "The model answered with nothing" },
      };
    const before = await storage.get(keys.alert(heartbeatId), storedReferenceSchema);
    const lastAlert = before === undefined ? undefined : await storage.get(keys.run(before.runId), storedRunSchema);
    const repeated = lastAlert?.reply === reply;
    const said = replyWithNote(outcome);
    writes.push({ kind: "set", key: keys.alert(heartbeatId), value: { runId: run.id } });
    return { ...silent, repeated, text: repeated ? `The same again: ${said}` : said };
  }

  async #isBusy(id: ConversationId): Promise<boolean> {
    try {
      return (await this.#options.conversations.get().get(id)).status !== "idle";
    } catch (error) {
      if (isTransient(error)) throw error;
      return false; // Sending reports why the conversation is unusable.
    }
  }

  /** Archives a `fresh` conversation that reported nothing. */
  async #putAway({ conversation, conversationId }: StoredRun): Promise<void> {
    if (conversation !== "fresh" || conversationId === null) return;
    try {
      await this.#options.conversations.get().update(conversationId, { archived: true });
    } catch (error) {
      if (codeOf(error) !== "CONVERSATION_UNKNOWN") throw error; // The user deleted it.
    }
  }
}

const fileUnusable = "FILE_UNUSABLE";
const busy: Failure = { code: "CONVERSATION_BUSY", message: "Something was running in its conversation" };
