import type { Storage } from "@incipit/kernel";
import {
  wakeIdSchema,
  type ConversationId,
  type Heartbeat,
  type HeartbeatWake,
  type PageQuery,
  type ScheduleDefinition,
  type WakeOutcome,
} from "@incipit/schema";
import { ServiceError, type HeartbeatService as Service, type Page } from "@incipit/service-contract";
import type { Budget } from "../budget/budget.ts";
import { heartbeatId } from "../budget/spending-ledger.ts";
import type { Engine } from "../engine/engine.ts";
import { keys, storedNothingSchema, storedRunSchema, type StoredRun } from "../engine/stored.ts";
import { timestamp } from "../times/time-zone.ts";
import type { HeartbeatKind } from "./heartbeat-kind.ts";
import { responseKey, type HeartbeatResponse, type Responses } from "./respond-tool.ts";

export interface HeartbeatServiceOptions {
  readonly storage: Storage;
  readonly budget: Budget;
  readonly kind: HeartbeatKind;
  readonly engine: Engine;
  readonly definition: ScheduleDefinition;
  readonly isEnabled: boolean;
}

export class HeartbeatService implements Service, Responses {
  readonly #options: HeartbeatServiceOptions;

  constructor(options: HeartbeatServiceOptions) {
    this.#options = options;
  }

  async get(): Promise<Heartbeat> {
    const { engine, budget, isEnabled } = this.#options;
    const { store } = engine;
    const [stored, conversationId, lastWake, lastAlert, today] = await Promise.all([
      store.find(heartbeatId),
      this.#conversation(),
      store.lastRun(heartbeatId),
      store.lastAlert(heartbeatId),
      budget.ledger.used(heartbeatId),
    ]);
    const nextMs = isEnabled ? (stored?.value.nextMs ?? null) : null;
    return {
      enabled: isEnabled,
      nextAt: nextMs === null ? null : timestamp(nextMs),
      conversationId: conversationId ?? null,
      lastWake: lastWake === undefined ? null : wakeView(lastWake),
      lastAlert: lastAlert === undefined ? null : wakeView(lastAlert),
      tokensToday: today.tokens,
      usdToday: today.usd,
      unpricedToday: today.unpriced,
    };
  }

  async wakes(page: PageQuery): Promise<Page<HeartbeatWake>> {
    const found = await this.#options.engine.store.runs(heartbeatId, page);
    return { ...found, items: found.items.map(wakeView) };
  }

  async wake(): Promise<HeartbeatWake> {
    const { engine, kind, definition } = this.#options;
    const text = await kind.taskText(definition);
    if (typeof text !== "string")
      throw new ServiceError("INVALID_REQUEST", `The heartbeat was skipped: ${text.message}`);
    for (;;) {
      const stored = await engine.store.find(heartbeatId);
      if (stored === undefined)
        throw new ServiceError("SERVICE_UNAVAILABLE", "The heartbeat could not be stored yet; try again later");
      if (await engine.claims.isBehind(heartbeatId))
        throw new ServiceError("CONVERSATION_BUSY", "A wake is under way; wait for its end");
      const run = await engine.claims.claimNow(stored, text);
      if (run === undefined) continue; // Claimed concurrently.
      engine.wake(run);
      return wakeView(run);
    }
  }

  async isForWakes(conversationId: string): Promise<boolean> {
    return conversationId === (await this.#conversation()) || (await this.#openWake(conversationId)) !== undefined;
  }

  async respond({ conversationId, notify }: HeartbeatResponse): Promise<boolean> {
    const wake = await this.#openWake(conversationId);
    if (wake === undefined) return false;
    await this.#options.storage.set(responseKey(wake.id), { notify });
    return true;
  }

  #conversation(): Promise<ConversationId | undefined> {
    const { engine, definition } = this.#options;
    return engine.store.conversationOf(definition);
  }

  async #openWake(conversationId: string): Promise<StoredRun | undefined> {
    const { storage } = this.#options;
    const prefix = keys.pending(heartbeatId);
    const [open] = await storage.list({ prefix, limit: 1 }, storedNothingSchema);
    if (open === undefined) return undefined;
    const wake = await storage.get(keys.run(open.key.slice(prefix.length)), storedRunSchema);
    // In an existing conversation, the id is stored shortly after the message is sent.
    const place = wake?.conversationId ?? (await this.#conversation());
    return place === conversationId ? wake : undefined;
  }
}

function wakeView(run: StoredRun): HeartbeatWake {
  const { id, occurrences, conversationId, turnId, endedMs, reply, repeated, tokens, usd, unpriced, error } = run;
  return {
    id: wakeIdSchema.parse(id),
    dueAt: timestamp(occurrences[0]?.dueMs ?? run.claimedMs),
    outcome: endedMs === null ? null : outcomeOf(run),
    conversationId,
    turnId,
    endedAt: endedMs === null ? null : timestamp(endedMs),
    reply,
    repeated,
    tokens,
    usd,
    unpriced,
    error,
  };
}

const outcomes: Readonly<Record<string, WakeOutcome>> = {
  MISSED: "missed",
  BUDGET_SPENT: "budget",
  NOTHING_TO_DO: "empty",
  CONVERSATION_BUSY: "busy",
};

function outcomeOf({ status, quiet, error }: StoredRun): WakeOutcome {
  switch (status) {
    case "completed":
      return quiet ? "quiet" : "alert";
    case "skipped":
      return outcomes[error?.code ?? ""] ?? "failed";
    case "cancelled":
    case "interrupted":
      return status;
    case "waiting":
    case "running":
    case "failed":
      return "failed";
  }
}
