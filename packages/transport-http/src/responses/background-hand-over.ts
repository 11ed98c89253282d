import { defineHandle, type ServiceHandle } from "@incipit/kernel";
import type { ResponseStreamEvent } from "@incipit/transport-contract";
import type { TokenOwner } from "../request/caller.ts";
import type { StoredResponse } from "./stored-response.ts";

/** What a generation has running in the background: its successor shows it, and leaves it to that. */
export interface BackgroundHandOver {
  /** As it is by now; `undefined`: it does not run there. Its end is stored before that. */
  find(id: string): Promise<StoredResponse | undefined>;
  /** The number of its newest event; `undefined`: it does not run there. */
  newest(id: string): Promise<number | undefined>;
  /** Events behind a number, to the last; none: it does not run there. */
  follow(id: string, after: number): AsyncIterable<ResponseStreamEvent>;
  /** Resolves when its end is stored, or it is not there. */
  cancel(id: string, options: { readonly isForgotten: boolean }): Promise<void>;
  /** So many of one token run there. */
  count(owner: TokenOwner): Promise<number>;
}

/** For the next generation alone. */
export const backgroundHandOverHandle: ServiceHandle<BackgroundHandOver> = defineHandle<BackgroundHandOver>(
  "background-hand-over@1",
  { find: "function", newest: "function", follow: "function", cancel: "function", count: "function" },
);
