import type { ConversationId, TurnEvent, TurnId } from "@incipit/schema";
import { ApiClientError, routes, turnAcceptedResponseSchema, type Client } from "@incipit/transport-contract";
import { expect } from "bun:test";
import type { HostProcess } from "../support/host-process.ts";
import { isPrefix, prefixDifference } from "./logical-prefix.ts";
import { pick, type Treatment } from "./quirky-server.ts";

export interface Live {
  readonly host: HostProcess;
  readonly client: Client;
}

const summaryQuestion = "Sum up our conversation so far, as your instructions say.";
const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
/** Long runs may share the processor with other work for minutes. */
const endTimeoutMs = process.env["ENDPOINT_CONVERSATIONS"] === undefined ? 120_000 : 1_800_000;
const compactionFailures = new Set(["MODEL_FAILED", "NOTHING_TO_COMPACT", "CONVERSATION_BUSY"]);

export class RandomConversation implements Treatment {
  readonly id: ConversationId;
  readonly random: () => number;
  isBad = true;
  readonly #models: readonly string[];
  #onEvent: () => void = () => {};
  #live: Live | undefined;
  readonly #inputs: string[] = [];
  #seq = 0;
  #count = 0;
  #stops = 0;
  #last: { readonly endpoint: string; readonly body: string } | undefined;
  readonly #changed: { readonly last: string; readonly body: string }[] = [];

  constructor(id: ConversationId, { random, models }: { random: () => number; models: readonly string[] }) {
    this.id = id;
    this.random = random;
    this.#models = models;
  }

  note(endpoint: string, body: string): void {
    this.#onEvent();
    if (body.includes(summaryQuestion)) return;
    const { endpoint: before, body: last } = this.#last ?? {};
    if (before === endpoint && last !== undefined && !isPrefix(last, body)) this.#changed.push({ last, body });
    this.#last = { endpoint, body };
  }

  begin(live: Live): void {
    this.#live = live;
    this.#onEvent = () => {};
  }

  noteStuck(): void {
    const { client } = this.#live ?? {};
    this.#stops += 1;
    void client?.call(routes.stopConversation, { params: { id: this.id } }).catch(() => undefined);
  }

  async act(live: Live, onEvent: () => void): Promise<void> {
    this.#onEvent = onEvent;
    const dice = this.random();
    const { client } = live;
    const params = { id: this.id };
    if (dice < 0.5) await this.#turn(live, this.#newInput());
    else if (dice < 0.6) await this.#turn(live, this.#newInput(), true);
    else if (dice < 0.68) {
      await this.#send(live, this.#newInput());
      await this.#turn(live, this.#newInput());
    } else if (dice < 0.78) {
      const turnId = await this.#send(live, this.#newInput());
      this.#onEvent = (): void => {
        onEvent();
        this.#onEvent = onEvent;
        this.noteStuck();
      };
      await this.#ended(live, turnId);
    } else if (dice < 0.92)
      await client.call(routes.updateConversation, { params, body: { model: pick(this.#models, this.random) } });
    else
      await client.call(routes.compactConversation, { params }).catch((error: unknown) => {
        if (error instanceof ApiClientError && compactionFailures.has(error.code)) return;
        throw error;
      });
  }

  async recover(live: Live): Promise<void> {
    this.isBad = false;
    await this.#idle(live);
    const events = await this.#turn(live, this.#newInput(20));
    expect(events.at(-1)).toMatchObject({ type: "turn-end", status: "completed" });
    await this.#checkInputs(live);
    await this.#checkPrefixes(live);
  }

  #newInput(maxWords = 600): string {
    this.#count += 1;
    const text = "word ".repeat(this.random() < 0.8 ? 3 : Math.floor(this.random() * maxWords));
    return `Input ${this.#count}: ${text}end`;
  }

  async #turn(live: Live, input: string, hasPicture = false): Promise<readonly TurnEvent[]> {
    return this.#ended(live, await this.#send(live, input, hasPicture));
  }

  async #send({ host }: Live, input: string, hasPicture = false): Promise<TurnId> {
    const parts = [
      { type: "text", text: input },
      { type: "file", mediaType: "image/png", data: pixel, filename: "pixel.png" },
    ];
    const accepted = await host.json(`/conversations/${this.id}/turns`, {
      body: { input: hasPicture ? parts : input },
      headers: { prefer: "respond-async" },
    });
    const { turnId } = turnAcceptedResponseSchema.parse(accepted);
    this.#inputs.push(input);
    return turnId;
  }

  async #ended({ client }: Live, turnId: TurnId): Promise<readonly TurnEvent[]> {
    const events: TurnEvent[] = [];
    const signal = AbortSignal.timeout(endTimeoutMs);
    try {
      for await (const event of client.followEvents(this.id, { afterSeq: this.#seq, signal })) {
        this.#seq = event.seq;
        events.push(event);
        if (event.type === "turn-end" && event.turnId === turnId) return events;
      }
    } catch (cause) {
      if (!signal.aborted) throw cause;
    }
    const { conversation } = await client.call(routes.getConversation, { params: { id: this.id } });
    const seen = JSON.stringify([conversation, events.slice(-3)]);
    throw new Error(`Turn ${turnId} did not end, after ${this.#stops} stops: ${seen}`);
  }

  async #idle({ client }: Live): Promise<void> {
    const signal = AbortSignal.timeout(endTimeoutMs);
    const isIdle = async (): Promise<boolean> => {
      const { conversation } = await client.call(routes.getConversation, { params: { id: this.id } });
      return conversation.status === "idle" && conversation.lastSeq === this.#seq;
    };
    if (await isIdle()) return;
    for await (const event of client.followEvents(this.id, { afterSeq: this.#seq, signal })) {
      this.#seq = event.seq;
      if (await isIdle()) return;
    }
  }

  async #checkInputs({ client }: Live): Promise<void> {
    const stored: string[] = [];
    for (let cursor: string | undefined; ;) {
      const query = { limit: 1_000, ...(cursor === undefined ? {} : { cursor }) };
      const page = await client.call(routes.listMessages, { params: { id: this.id }, query });
      for (const { role, parts, carriedFrom } of page.messages)
        if (role === "user" && carriedFrom === undefined)
          stored.push(...parts.flatMap((part) => (part.type === "text" ? [part.text] : [])));
      cursor = page.nextCursor;
      if (cursor === undefined) break;
    }
    const said = stored.filter((text) => text.startsWith("Input "));
    const numbers = said.map((text) => Number(/\d+/.exec(text)?.[0]));
    expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
    // One more acknowledgement may have been lost with its host.
    expect(this.#inputs.filter((input) => !said.includes(input))).toEqual([]);
  }

  async #checkPrefixes({ client }: Live): Promise<void> {
    if (this.#changed.length === 0) return;
    const { steps } = await client.call(routes.auditConversation, {
      params: { id: this.id },
      query: { limit: 1_000 },
    });
    const recorded: { readonly body: string; readonly isNamed: boolean }[] = [];
    for (const { id: stepId, verdict, purpose } of steps) {
      if (verdict === "unsent" || purpose === "compaction") continue;
      const { body } = await client.call(routes.getStepRequest, { params: { id: this.id, stepId } });
      recorded.push({ body, isNamed: verdict !== "held" });
    }
    const bodies = recorded.map(({ body }) => body);
    for (const { last, body } of this.#changed) {
      const isNamed = recorded.some((request, end) => {
        const begin = end === 0 ? -1 : bodies.lastIndexOf(last, end - 1);
        return request.body === body && begin >= 0 && recorded.slice(begin + 1, end + 1).some((one) => one.isNamed);
      });
      if (!isNamed) throw new Error(`The audit does not name that this changed: ${prefixDifference(last, body)}`);
    }
  }
}
