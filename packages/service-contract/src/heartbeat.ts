import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { Heartbeat, HeartbeatWake, PageQuery } from "@incipit/schema";
import type { Page } from "./conversations.ts";

/** Wakes a model now and then, which looks whether something needs attention. Every method rejects with a {@link ServiceError}. */
export interface HeartbeatService {
  get(): Promise<Heartbeat>;
  /** Newest first; those that asked a model, and the last one of the others. The last 200 are kept. */
  wakes(page: PageQuery): Promise<Page<HeartbeatWake>>;
  /** Wakes it now, also outside its hours. Resolves once that is stored: it outlives the host. */
  wake(): Promise<HeartbeatWake>;
}

export const heartbeatHandle: ServiceHandle<HeartbeatService> = defineHandle<HeartbeatService>("heartbeat@1", {
  get: "function",
  wakes: "function",
  wake: "function",
});
