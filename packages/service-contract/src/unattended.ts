import { defineHandle, type ServiceHandle, type StorageBatch } from "@incipit/kernel";
import type { PageQuery, Spent, UnattendedCost, UnattendedState } from "@incipit/schema";
import type { Page } from "./conversations.ts";

/** Whose turns are counted, beside whoever has asked for them. */
export interface BudgetedAgent {
  /** Its name. */
  readonly profile: string;
  /** The working folder, absolute, in which it has that name; `null`: the host's. */
  readonly cwd: string | null;
}

/** A turn that no person has asked for, and what it came to. */
export interface UnattendedTurn extends Spent {
  /** Absent: its conversation has no profile. */
  readonly agent?: BudgetedAgent | undefined;
  /** Those that it was for, which share it; none: it was the heartbeat's. */
  readonly schedules: readonly string[];
}

/** A day on which nothing more is asked. */
export interface SpentDay {
  /** Why, for people. */
  readonly message: string;
  /** Names the bound and the day: whoever is told is told once of each. */
  readonly key: string;
}

/** What models cost when nobody has asked them, and one bound for all of it. */
export interface UnattendedService {
  get(): Promise<UnattendedState>;
  /** By day and schedule, the newest day first; the last 31 days are kept. A page may have fewer than `limit`, and others behind it. */
  costs(page: PageQuery): Promise<Page<UnattendedCost>>;
  /**
   * Why nothing more may be asked of a model today, by the bound of all or by that of the agent; `undefined`: it may. To be
   * asked before each turn.
   */
  whySpent(agent?: BudgetedAgent): Promise<SpentDay | undefined>;
  /** What counts a turn, for the commit that ends it; that conflicts when another one was counted meanwhile. */
  count(turn: UnattendedTurn): Promise<StorageBatch>;
}

export const unattendedHandle: ServiceHandle<UnattendedService> = defineHandle<UnattendedService>("unattended@1", {
  get: "function",
  costs: "function",
  whySpent: "function",
  count: "function",
});
