import { budgetReason, type DaySpending } from "@incipit/gateway-protocol";
import type { Storage, StorageBatch } from "@incipit/kernel";
import type { PageQuery, UnattendedCost, UnattendedState } from "@incipit/schema";
import type {
  BudgetedAgent,
  Page,
  Profile,
  ExhaustedBudget,
  UnattendedService,
  AutonomousTurn,
} from "@incipit/service-contract";

export interface UnattendedOptions {
  readonly storage: Storage;
  readonly days: DaySpending;
  readonly timeZone: string;
  readonly maxTokens: number | null;
  readonly maxUsd: number | null;
  readonly budgetOf: (agent: BudgetedAgent) => Promise<Profile["budget"]>;
}

const heartbeatId = "heartbeat";
const schedulePrefix = "schedule ";
const agentPrefix = "agent ";

export class Unattended implements UnattendedService {
  readonly #options: UnattendedOptions;

  constructor(options: UnattendedOptions) {
    this.#options = options;
  }

  async get(): Promise<UnattendedState> {
    const { days, timeZone, maxTokens: maxTokensPerDay, maxUsd: maxUsdPerDay } = this.#options;
    return { timeZone, maxTokensPerDay, maxUsdPerDay, today: await days.used() };
  }

  async costs({ cursor, limit }: PageQuery): Promise<Page<UnattendedCost>> {
    const found = await this.#options.days.list({ cursor, limit });
    const items = found.flatMap(({ id, day, spent }): UnattendedCost[] =>
      id === "" || id.startsWith(agentPrefix)
        ? []
        : [{ day, schedule: id === heartbeatId ? null : id.slice(schedulePrefix.length), ...spent }],
    );
    const last = found.at(-1);
    return last === undefined || found.length < limit ? { items } : { items, nextCursor: last.cursor };
  }

  async whySpent(agent?: BudgetedAgent): Promise<ExhaustedBudget | undefined> {
    const { days, maxTokens, maxUsd } = this.#options;
    const ofAgent = agent === undefined ? undefined : await this.#whyAgentSpent(agent);
    if (ofAgent !== undefined || (maxTokens === null && maxUsd === null)) return ofAgent;
    const message = budgetReason(await days.used(), {
      what: "What ran without you has",
      tokens: { max: maxTokens, key: "unattended.max_tokens_per_day" },
      usd: { max: maxUsd, key: "unattended.max_usd_per_day" },
    });
    return message === undefined ? undefined : { message, key: days.today };
  }

  async #whyAgentSpent(agent: BudgetedAgent): Promise<ExhaustedBudget | undefined> {
    const { days, budgetOf } = this.#options;
    const { maxTokensPerDay = null, maxUsdPerDay = null } = (await budgetOf(agent)) ?? {};
    if (maxTokensPerDay === null && maxUsdPerDay === null) return undefined;
    const { profile } = agent;
    const message = budgetReason(await days.used(`${agentPrefix}${profile}`), {
      what: `Without you, the agent "${profile}" has`,
      tokens: { max: maxTokensPerDay, key: "its budget (max_tokens_per_day)" },
      usd: { max: maxUsdPerDay, key: "its budget (max_usd_per_day)" },
    });
    return message === undefined ? undefined : { message, key: `${agentPrefix}${profile} ${days.today}` };
  }

  async count({ schedules, agent, ...spent }: AutonomousTurn): Promise<StorageBatch> {
    const ids = schedules.length === 0 ? [heartbeatId] : schedules.map((id) => `${schedulePrefix}${id}`);
    const { checks, writes } = await this.#options.days.count(
      spent,
      ids,
      agent === undefined ? [] : [`${agentPrefix}${agent.profile}`],
    );
    return this.#options.storage.batch(checks, writes);
  }
}
