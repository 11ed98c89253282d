/** Page code that runs wherever EventSource exists. */
import { turnEventSchema, type TurnEvent, type TurnEventType } from "@incipit/schema";

/** The used subset of EventSource (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface EventSourceLike {
  addEventListener(type: string, listener: (event: { readonly data?: unknown }) => void): void;
  close(): void;
}

const shown: readonly TurnEventType[] = ["turn-start", "text-delta", "turn-end"];

/** The text of each turn of a conversation as it grows. */
export class Transcript {
  readonly turns = new Map<string, string>();
  readonly ended = new Set<string>();
  readonly numbers: number[] = [];
  readonly #onChange: () => void;

  constructor(source: EventSourceLike, onChange: () => void) {
    this.#onChange = onChange;
    for (const type of shown) {
      source.addEventListener(type, ({ data }) => this.#take(turnEventSchema.parse(JSON.parse(String(data)))));
    }
  }

  #take(event: TurnEvent): void {
    this.numbers.push(event.seq);
    const text = this.turns.get(event.turnId) ?? "";
    this.turns.set(event.turnId, event.type === "text-delta" ? text + event.text : text);
    if (event.type === "turn-end") this.ended.add(event.turnId);
    this.#onChange();
  }
}
