import { KernelError } from "@incipit/kernel";
import type { ResponseStreamEvent } from "@incipit/transport-contract";
import { invalidField } from "../calls/invalid-field.ts";
import type { Services } from "../context/services.ts";
import { eventStream } from "../stream/event-stream.ts";
import type { BackgroundHandoff } from "./background-handoff.ts";
import { asBegun } from "./new-response.ts";
import { ResponseWriter } from "./response-writer.ts";
import { fromKept } from "./said.ts";
import type { StoredResponse } from "./stored-response.ts";

/** Start of a complete stream. */
export const beforeAll = -1;

export function encodeResponseEvent(event: ResponseStreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

interface StreamOptions {
  /** Number of the last event to skip. */
  readonly after: number;
  readonly read: () => Promise<StoredResponse>;
  readonly cut: AbortSignal | undefined;
}

/** A disconnect stops nothing, and clients can return. */
export class ResponseStreams {
  readonly #services: Pick<Services, "clock" | "log" | "waitUntil">;
  readonly #background: Pick<BackgroundHandoff, "follow" | "newest">;

  constructor(
    services: Pick<Services, "clock" | "log" | "waitUntil">,
    background: Pick<BackgroundHandoff, "follow" | "newest">,
  ) {
    this.#services = services;
    this.#background = background;
  }

  /** @throws {ServiceError} `INVALID_REQUEST` for a future number. */
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
    // It had ended, or its extension was interrupted: use the stored result.
    for (const event of replayed(await read())) if (event.sequence_number > newest) yield event;
  }
}

function isLast({ type }: ResponseStreamEvent): boolean {
  return type === "response.completed" || type === "response.incomplete" || type === "response.failed";
}

function replayed({ response, said }: StoredResponse): readonly ResponseStreamEvent[] {
  const writer = new ResponseWriter({ base: asBegun(response) });
  return [
    ...writer.begin(),
    ...[...fromKept(said)].flatMap((event) => writer.take(event)),
    ...writer.last(response),
  ];
}
