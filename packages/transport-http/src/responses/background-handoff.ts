import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ResponseStreamEvent } from "@incipit/transport-contract";
import type { TokenOwner } from "../request/caller.ts";
import type { StoredResponse } from "./stored-response.ts";

/** Background responses of a generation, which its successor shows but does not take over. */
export interface BackgroundHandoff {
  /** `undefined` if not running here; the end is stored before that. */
  find(id: string): Promise<StoredResponse | undefined>;
  /** Returns the number of the newest event; `undefined` if the response does not run in this process. */
  newest(id: string): Promise<number | undefined>;
  /** Follows the events of a response; there are none if it does not run in this process. */
  follow(id: string, after: number): AsyncIterable<ResponseStreamEvent>;
  /** Resolves when its end is stored, or if not running here. */
  cancel(id: string, options: { readonly isForgotten: boolean }): Promise<void>;
  count(owner: TokenOwner): Promise<number>;
}

/** Internal: for the next generation. */
export const backgroundHandoffHandle: ServiceHandle<BackgroundHandoff> = defineHandle<BackgroundHandoff>(
  "background-hand-over@1",
  { find: "function", newest: "function", follow: "function", cancel: "function", count: "function" },
);
