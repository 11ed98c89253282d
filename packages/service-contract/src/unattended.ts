import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type { PageQuery, Spent, UnattendedCost, UnattendedState } from "@incipit/schema";
import type { Page } from "./conversations.ts";

/** The agent whose budget a turn counts against. */
export interface BudgetedAgent {
  readonly profile: string;
  /** Absolute working folder that defines the agent; `null` for the host's agents. */
  readonly cwd: string | null;
}

/** An autonomous turn with its usage. */
export interface AutonomousTurn extends Spent {
  /** Absent if the conversation has no profile. */
  readonly agent?: BudgetedAgent | undefined;
  /** Schedules that share the turn; empty for the heartbeat. */
  readonly schedules: readonly string[];
}

/** A day whose budget is used up. */
export interface ExhaustedBudget {
  /** Reason for users. */
  readonly message: string;
  /** Identifies the budget and the day; notify once per key. */
  readonly key: string;
}

/** Usage and budget of autonomous turns. */
export interface UnattendedService {
  get(): Promise<UnattendedState>;
  /**
   * Lists costs by day and schedule, newest day first. The last 31 days are kept. A page may have fewer than
   * `limit` entries and still have a next page.
   */
  costs(page: PageQuery): Promise<Page<UnattendedCost>>;
  /**
   * Returns why no further turn may start today, by the total or the agent's budget, or `undefined` if one may.
   * Check before each turn.
   */
  whySpent(agent?: BudgetedAgent): Promise<ExhaustedBudget | undefined>;
  /**
   * Returns the writes that count a turn, for the commit that ends it. The commit conflicts if another turn was
   * counted in between.
   */
  count(turn: AutonomousTurn): Promise<StorageBatch>;
}

export const unattendedHandle: ServiceHandle<UnattendedService> = defineHandle<UnattendedService>("unattended@1", {
  get: "function",
  costs: "function",
  whySpent: "function",
  count: "function",
});
