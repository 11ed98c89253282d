import { KernelError } from "@incipit/kernel";
import type { ResponseStreamEvent } from "@incipit/transport-contract";
import { invalidField } from "../calls/invalid-field.ts";
import type { Services } from "../context/services.ts";
import { eventStream } from "../stream/event-stream.ts";
import type { BackgroundHandOver } from "./background-hand-over.ts";
import { asBegun } from "./new-response.ts";
import { ResponseWriter } from "./response-writer.ts";
import { fromKept } from "./said.ts";
import type { StoredResponse } from "./stored-response.ts";

/** Where a stream begins that has everything. */
export const beforeAll = -1;

export function encodeResponseEvent(event: ResponseStreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

interface StreamOptions {
  /** The number of the last event that is left out. */
  readonly after: number;
  /** Gives it as it is by then. */
  readonly read: () => Promise<StoredResponse>;
  /** Cuts it when it aborts: who follows may not any more. `undefined`: that does not happen. */
  readonly cut: AbortSignal | undefined;
}

/** Streams of responses in the background. Who leaves one stops nothing, and may come back. */
export class ResponseStreams {
  readonly #services: Pick<Services, "clock" | "log" | "waitUntil">;
  readonly #background: Pick<BackgroundHandOver, "follow" | "newest">;

  constructor(
    services: Pick<Services, "clock" | "log" | "waitUntil">,
    background: Pick<BackgroundHandOver, "follow" | "newest">,
  ) {
    this.#services = services;
    this.#background = background;
  }

  /** @throws {ServiceError} `INVALID_REQUEST` for a number that is not reached. */
  async reopen(id: string, options: StreamOptions): Promise<Response> {
    const newest = (await this.#background.newest(id)) ?? replayed(await options.read()).length - 1;
    if (options.after > newest)
      throw invalidField("starting_after", `must be the number of an event that exists: the newest is ${newest}`);
    return this.open(id, options);
  }

  open(id: string, options: StreamOptions): Response {
    const { clock, log, waitUntil } = this.#services;
    const over = Promise.withResolvers<void>();
    waitUntil(over.promise);
    const encoder = new TextEncoder();
    return eventStream(this.#events(id, options), {
      clock,
      abort: new AbortController(),
      cut: options.cut,
      encode: (event) => encoder.encode(encodeResponseEvent(event)),
      onEnd: (failure) => {
        over.resolve();
        if (failure === undefined) return;
        log.error("A stream of a response was cut off", {
          error: failure instanceof Error ? failure.message : "not an error",
        });
      },
    });
  }

  async *#events(id: string, { after, read }: StreamOptions): AsyncGenerator<ResponseStreamEvent> {
    let newest = after;
    try {
      for await (const event of this.#background.follow(id, after)) {
        newest = event.sequence_number;
        yield event;
        if (isLast(event)) return;
      }
    } catch (error) {
      if (!KernelError.is(error) || error.code !== "GENERATION_GONE") throw error;
    }
    // It had ended before, or the part of the host that it ran in was cut off: what is stored says how.
    for (const event of replayed(await read())) if (event.sequence_number > newest) yield event;
  }
}

function isLast({ type }: ResponseStreamEvent): boolean {
  return type === "response.completed" || type === "response.incomplete" || type === "response.failed";
}

/** All events of one that has ended, as they were told. */
function replayed({ response, said }: StoredResponse): readonly ResponseStreamEvent[] {
  const writer = new ResponseWriter({ base: asBegun(response) });
  return [
    ...writer.begin(),
    ...[...fromKept(said)].flatMap((event) => writer.take(event)),
    ...writer.last(response),
  ];
}
