import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { PageQuery, UnattendedCost, UnattendedState } from "@incipit/schema";
import type { Page } from "./conversations.ts";

/** Usage and budget of autonomous turns. */
export interface UnattendedService {
  get(): Promise<UnattendedState>;
  /**
   * Lists costs by day and schedule, newest day first. The last 31 days are kept. A page may have fewer than
   * `limit` entries and still have a next page.
   */
  costs(page: PageQuery): Promise<Page<UnattendedCost>>;
}

export const unattendedHandle: ServiceHandle<UnattendedService> = defineHandle<UnattendedService>("unattended@1", {
  get: "function",
  costs: "function",
});
