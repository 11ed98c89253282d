import { notifyChat, budgetReason } from "@incipit/gateway-protocol";
import type { Failure, ScheduleDefinition } from "@incipit/schema";
import type { BudgetedAgent } from "@incipit/service-contract";
import type { CronContext } from "./cron-context.ts";
import { keys, storedScheduleSchema } from "./stored.ts";

export interface SpentBudget {
  readonly error: Failure;
  /** Chats are notified once per key. */
  readonly key: string;
}

export class Budget {
  readonly #context: CronContext;

  constructor(context: CronContext) {
    this.#context = context;
  }

  /** `undefined` when it may run. Without a definition, only global limits and the agent's are checked. */
  async whySpent(
    definition?: Pick<ScheduleDefinition, "id" | "maxTokensPerDay" | "maxUsdPerDay">,
    agent?: BudgetedAgent,
  ): Promise<SpentBudget | undefined> {
    const { spending, settings, unattended } = this.#context;
    if (definition !== undefined) {
      const { id, maxTokensPerDay, maxUsdPerDay } = definition;
      const own = await this.#look({
        what: `The schedule "${id}" has`,
        id,
        tokens: { max: maxTokensPerDay, key: `maxTokensPerDay of "${id}"` },
        usd: { max: maxUsdPerDay, key: `maxUsdPerDay of "${id}"` },
      });
      if (own !== undefined) return spent(own, `schedule ${id} ${spending.today}`);
    }
    const all = await this.#look({
      what: "All schedules together have",
      id: undefined,
      tokens: { max: settings.maxTokensPerDay ?? null, key: "cron.max_tokens_per_day" },
      usd: { max: settings.maxUsdPerDay ?? null, key: "cron.max_usd_per_day" },
    });
    if (all !== undefined) return spent(all, `schedules ${spending.today}`);
    const whole = await unattended.current?.whySpent(agent);
    return whole === undefined ? undefined : spent(whole.message, `unattended ${whole.key}`);
  }

  async isInMoney(ids: readonly string[]): Promise<boolean> {
    const { storage, settings, unattended } = this.#context;
    if (settings.maxUsdPerDay !== undefined) return true;
    if (((await unattended.current?.get())?.maxUsdPerDay ?? null) !== null) return true;
    for (const id of new Set(ids)) {
      const schedule = await storage.get(keys.schedule(id), storedScheduleSchema);
      if (schedule !== undefined && schedule.definition.maxUsdPerDay !== null) return true;
    }
    return false;
  }

  /** Once a day. Rejects with transient errors. */
  async tell(chats: readonly string[], { error: { message }, key }: SpentBudget): Promise<void> {
    const { log } = this.#context;
    for (const to of new Set(chats)) {
      const failed = await notifyChat(this.#context.chats, { to, text: message, key: `budget ${key} ${to}` });
      if (failed !== undefined)
        log.error("Nobody was told that a day's budget is spent", { error: failed.message });
    }
  }

  async #look({
    id,
    ...bounds
  }: Parameters<typeof budgetReason>[1] & { readonly id: string | undefined }): Promise<string | undefined> {
    if (bounds.tokens.max === null && bounds.usd.max === null) return undefined;
    return budgetReason(await this.#context.spending.used(id), bounds);
  }
}

function spent(message: string, key: string): SpentBudget {
  return { error: { code: "BUDGET_SPENT", message }, key };
}
