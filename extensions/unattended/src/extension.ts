import { DaySpending, ownTimeZone } from "@incipit/gateway-protocol";
import { defineExtension, type Extension } from "@incipit/kernel";
import { hostDefaultsHandle, profilesHandle, unattendedHandle } from "@incipit/service-contract";
import { agentBudget } from "./agent-budget.ts";
import { configuration } from "./configuration.ts";
import { Unattended } from "./unattended.ts";

const keptDays = 31;

const extension: Extension = defineExtension(
  {
    id: "unattended",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true },
    dependsOn: { required: ["host-defaults@1"], optional: ["profiles@1"] },
    provides: ["unattended@1"],
  },
  { configuration },
  (host, { unattended }) => {
    const { max_usd_per_day: maxUsd, max_tokens_per_day: maxTokens } = unattended;
    const storage = host.storage("spent");
    const defaults = host.getService(hostDefaultsHandle).get();
    let made: Unattended | undefined;
    // Created lazily: determining the machine's time zone takes longer than everything else here.
    const service = (): Unattended => {
      if (made !== undefined) return made;
      const timeZone = unattended.time_zone ?? ownTimeZone();
      const days = new DaySpending({ storage, clock: host.clock, timeZone, keptDays });
      const budgets = { defaults, profiles: host.getService(profilesHandle) };
      const bounds = { maxTokens: maxTokens ?? null, maxUsd: maxUsd ?? null };
      made = new Unattended({
        storage,
        days,
        timeZone,
        ...bounds,
        budgetOf: (agent) => agentBudget(agent, budgets),
      });
      return made;
    };
    host.provideService(unattendedHandle, {
      get: () => service().get(),
      costs: (page) => service().costs(page),
      whySpent: (agent) => service().whySpent(agent),
      count: (turn) => service().count(turn),
    });
  },
);

export default extension;
