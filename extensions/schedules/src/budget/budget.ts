import type { Log, ServiceReference } from "@incipit/kernel";
import type { ConversationId, PageQuery, Spent, UnattendedCost, UnattendedState } from "@incipit/schema";
import {
  isTransient,
  ServiceError,
  type Chats,
  type ConversationsService,
  type HostDefaults,
  type Page,
  type Profile,
  type ProfilesService,
  type UnattendedService,
} from "@incipit/service-contract";
import { notifyChat } from "../turn/notify-chat.ts";
import { agentSpendingId, spenderOf, totalId, type SpendingLedger } from "./spending-ledger.ts";

export interface DayLimit {
  /** The entry of the ledger that it bounds. */
  readonly spendingId: string;
  /** Ends in "have" or "has". */
  readonly what: string;
  readonly tokens: { readonly max: number | null; readonly key: string };
  readonly usd: { readonly max: number | null; readonly key: string };
}

/** The agent whose budget a turn counts against. */
export interface BudgetedAgent {
  readonly profile: string;
  /** Absolute working folder that defines the agent; `null` for the host's agents. */
  readonly cwd: string | null;
}

export interface SpentBudget {
  readonly error: { readonly code: "BUDGET_SPENT"; readonly message: string };
  /** Chats are notified once per key. */
  readonly key: string;
}

export interface BudgetOptions {
  readonly ledger: SpendingLedger;
  readonly log: Log;
  readonly chats: ServiceReference<Chats>;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly profiles: ServiceReference<ProfilesService>;
  readonly defaults: Pick<HostDefaults, "profiles" | "cwd">;
  readonly timeZone: string;
  readonly maxTokensPerDay: number | null;
  readonly maxUsdPerDay: number | null;
}

/** Limits of autonomous turns: of a schedule, of its agent, and of all together. */
export class Budget implements UnattendedService {
  readonly ledger: SpendingLedger;
  readonly #options: BudgetOptions;

  constructor(options: BudgetOptions) {
    this.ledger = options.ledger;
    this.#options = options;
  }

  async get(): Promise<UnattendedState> {
    const { timeZone, maxTokensPerDay, maxUsdPerDay } = this.#options;
    return { timeZone, maxTokensPerDay, maxUsdPerDay, today: await this.ledger.used(totalId) };
  }

  async costs({ cursor, limit }: PageQuery): Promise<Page<UnattendedCost>> {
    const found = await this.ledger.list({ cursor, limit });
    const items = found.flatMap(({ id, day, spent }): UnattendedCost[] => {
      const schedule = spenderOf(id);
      return schedule === undefined ? [] : [{ day, schedule, ...spent }];
    });
    const last = found.at(-1);
    return last === undefined || found.length < limit ? { items } : { items, nextCursor: last.cursor };
  }

  /** Returns why the budget forbids a run, or `undefined` when it may run. */
  async whySpent(limits: readonly DayLimit[], agent?: BudgetedAgent): Promise<SpentBudget | undefined> {
    const { maxTokensPerDay, maxUsdPerDay } = this.#options;
    const all = {
      spendingId: totalId,
      what: "Autonomous runs have",
      tokens: { max: maxTokensPerDay, key: "unattended.max_tokens_per_day" },
      usd: { max: maxUsdPerDay, key: "unattended.max_usd_per_day" },
    };
    for (const limit of limits) {
      const spent = await this.#look(limit);
      if (spent !== undefined) return spent;
    }
    const ofAgent = agent === undefined ? undefined : await this.#look(await this.#agentLimit(agent));
    return ofAgent ?? this.#look(all);
  }

  isInMoney(limits: readonly DayLimit[]): boolean {
    return this.#options.maxUsdPerDay !== null || limits.some(({ usd }) => usd.max !== null);
  }

  /** Reports the spent budget to the chats, once a day. Rejects with transient errors. */
  async tell(to: readonly string[], { error: { message }, key }: SpentBudget): Promise<void> {
    const { chats, log } = this.#options;
    for (const chat of new Set(to))
      await notifyChat(chats, { to: chat, text: message, key: `budget ${key} ${chat}` }, log);
  }

  /**
   * The profile of the conversation, or of the one to be created; `undefined` without a profile. Rejects with
   * transient errors.
   */
  async agentOf({
    conversationId,
    profile,
    cwd,
  }: {
    readonly conversationId: ConversationId | null;
    readonly profile: string | null;
    readonly cwd: string | null;
  }): Promise<BudgetedAgent | undefined> {
    const planned = { profile, cwd };
    const found =
      conversationId === null
        ? planned
        : await this.#options.conversations
            .get()
            .get(conversationId)
            .catch((error: unknown) => {
              if (isTransient(error)) throw error;
              return planned; // Deleted: it will be created again, or sending fails.
            });
    return found.profile === null ? undefined : { profile: found.profile, cwd: found.cwd };
  }

  async #look(limit: DayLimit): Promise<SpentBudget | undefined> {
    const { spendingId, tokens, usd } = limit;
    if (tokens.max === null && usd.max === null) return undefined;
    const message = budgetReason(await this.ledger.used(spendingId), limit);
    if (message === undefined) return undefined;
    return { error: { code: "BUDGET_SPENT", message }, key: `${spendingId} ${this.ledger.today(spendingId)}` };
  }

  async #agentLimit(agent: BudgetedAgent): Promise<DayLimit> {
    const { maxTokensPerDay = null, maxUsdPerDay = null } = (await this.#budgetOf(agent)) ?? {};
    return {
      spendingId: agentSpendingId(agent.profile),
      what: `Without you, the agent "${agent.profile}" has`,
      tokens: { max: maxTokensPerDay, key: "its budget (max_tokens_per_day)" },
      usd: { max: maxUsdPerDay, key: "its budget (max_usd_per_day)" },
    };
  }

  async #budgetOf({ profile: name, cwd }: BudgetedAgent): Promise<Profile["budget"]> {
    const { profiles, defaults } = this.#options;
    const service = profiles.current;
    if (service === undefined) return defaults.profiles.find((profile) => profile.name === name)?.budget;
    try {
      return (await service.get(name, { cwd: cwd ?? defaults.cwd })).profile.budget;
    } catch (error) {
      // Starting the turn reports it.
      if (ServiceError.is(error) && (error.code === "PROFILE_UNKNOWN" || error.code === "CWD_INVALID"))
        return undefined;
      throw error;
    }
  }
}

/** Mentions unpriced calls, which are in no sum. */
export function budgetReason(
  { tokens, usd, unpriced }: Spent,
  bounds: Omit<DayLimit, "spendingId">,
): string | undefined {
  const { what } = bounds;
  if (bounds.tokens.max !== null && tokens >= bounds.tokens.max)
    return `${what} used ${tokens} tokens today, and ${bounds.tokens.key} allows ${bounds.tokens.max}; it continues tomorrow`;
  if (bounds.usd.max === null || usd < bounds.usd.max) return undefined;
  const calls = unpriced === 1 ? "1 call has" : `${unpriced} calls have`;
  const beside = unpriced === 0 ? "" : ` (${calls} no known price, on top of that)`;
  return `${what} cost ${inDollars(usd)} today${beside}, and ${bounds.usd.key} allows ${inDollars(bounds.usd.max)}; it continues tomorrow`;
}

/** Rounds small amounts to two significant digits. */
function inDollars(usd: number): string {
  return usd === 0 || usd >= 0.01 ? `$${usd.toFixed(2)}` : `$${Number(usd.toPrecision(2))}`;
}
