import { DaySpending, ownTimeZone } from "@incipit/gateway-protocol";
import { defineExtension, type Extension } from "@incipit/kernel";
import { unattendedHandle } from "@incipit/service-contract";
import { configuration } from "./configuration.ts";
import { Unattended } from "./unattended.ts";

/** Days are shown for as long. */
const keptDays = 31;

const extension: Extension = defineExtension(
  {
    id: "unattended",
    version: "0.1.0",
    api: "^1",
    capabilities: { storage: true },
    provides: ["unattended@1"],
  },
  { configuration },
  (host, { unattended }) => {
    const {
      time_zone: timeZone = ownTimeZone(),
      max_usd_per_day: maxUsd,
      max_tokens_per_day: maxTokens,
    } = unattended;
    const storage = host.storage("spent");
    const days = new DaySpending({ storage, clock: host.clock, timeZone, keptDays });
    const bounds = { maxTokens: maxTokens ?? null, maxUsd: maxUsd ?? null };
    host.provideService(unattendedHandle, new Unattended({ storage, days, timeZone, ...bounds }));
  },
);

export default extension;
