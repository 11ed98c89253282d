import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { Heartbeat, HeartbeatWake, PageQuery } from "@incipit/schema";
import type { Page } from "./conversations.ts";

/**
 * Periodically runs a turn that checks whether anything needs attention. Every method rejects with a {@link
 * ServiceError}.
 */
export interface HeartbeatService {
  get(): Promise<Heartbeat>;
  /** Lists wakes, newest first: all that called a model, and the latest of the others. The last 200 are kept. */
  wakes(page: PageQuery): Promise<Page<HeartbeatWake>>;
  /** Starts a wake now, also outside the configured hours. Resolves once it is stored; it survives a restart. */
  wake(): Promise<HeartbeatWake>;
}

export const heartbeatHandle: ServiceHandle<HeartbeatService> = defineHandle<HeartbeatService>("heartbeat@1", {
  get: "function",
  wakes: "function",
  wake: "function",
});
