import type { JsonValue } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
import { ServiceError, type ModelCallsService } from "@incipit/service-contract";
import {
  responseInputItemSchema,
  responseSchema,
  type ResponseInputItem,
  type ResponseObject,
} from "@incipit/transport-contract";
import * as z from "zod";
import { invalidField } from "../calls/invalid-field.ts";
import { callIdIn } from "./response-ids.ts";

/** Whose a response is: the id of a token; `null`: the host's own, or its page's. */
export type ResponseOwner = string | null;

/** So many responses go on from one another. */
const maxChain = 1_000;

const storedResponseSchema = lazySchema(() =>
  z.object({
    kind: z.literal("response"),
    owner: z.string().nullable(),
    /** What came with it alone. */
    input: z.array(responseInputItemSchema),
    response: responseSchema,
  }),
);
type StoredResponse = z.infer<typeof storedResponseSchema>;

/** Responses that clients can ask for later, and go on from: each with the record of its call, and of the token that made it. */
export class StoredResponses {
  readonly #calls: ModelCallsService;
  readonly #owner: ResponseOwner;

  constructor(calls: ModelCallsService, owner: ResponseOwner) {
    this.#calls = calls;
    this.#owner = owner;
  }

  async keep(input: readonly ResponseInputItem[], response: ResponseObject): Promise<void> {
    const callId = callIdIn(response.id);
    if (callId === undefined) throw new TypeError(`"${response.id}" is no id of a response`);
    const value: JsonValue = z.json().parse({ kind: "response", owner: this.#owner, input, response });
    await this.#calls.keep(callId, value);
  }

  /** @throws {ServiceError} `CALL_UNKNOWN`: there is none, it was deleted, or it is somebody else's. */
  async get(id: string): Promise<StoredResponse> {
    const found = id.startsWith("resp_") ? await this.#find(id) : undefined;
    if (found !== undefined) return found;
    const message = `There is no response "${id.slice(0, 100)}" of yours: it was not stored, was deleted, or its record has ended`;
    throw new ServiceError("CALL_UNKNOWN", message);
  }

  /** @throws {ServiceError} as `get`. */
  async delete(id: string): Promise<void> {
    const { response } = await this.get(id);
    const callId = callIdIn(response.id);
    if (callId !== undefined) await this.#calls.forget(callId);
  }

  /** All that was said up to a response and with it. @throws {ServiceError} as `get`. */
  async history(id: string): Promise<readonly ResponseInputItem[]> {
    const said: ResponseInputItem[][] = [];
    for (let next: string | null = id; next !== null;) {
      if (said.length === maxChain)
        throw invalidField(
          "previous_response_id",
          `has more than ${maxChain} responses before it: send the history itself`,
        );
      const { input, response }: StoredResponse = await this.get(next);
      said.push([...input, ...response.output.map(asInput)]);
      next = response.previous_response_id;
    }
    return said.toReversed().flat();
  }

  /** Items in place of what names them. @throws {ServiceError} `INVALID_REQUEST` for one that is not kept. */
  async resolved(items: readonly ResponseInputItem[]): Promise<readonly ResponseInputItem[]> {
    return Promise.all(
      items.map(async (item, index) => {
        if (item.type !== "item_reference") return item;
        const found = await this.#find(item.id);
        const named = found?.response.output.find(({ id }) => id === item.id);
        if (named !== undefined) return asInput(named);
        const rule = `"${item.id.slice(0, 100)}" is no item of a response of yours that is stored: send the item itself`;
        throw invalidField(`input.${index}.id`, rule);
      }),
    );
  }

  async #find(id: string): Promise<StoredResponse | undefined> {
    const callId = callIdIn(id);
    const { data } = storedResponseSchema.safeParse(
      callId === undefined ? undefined : await this.#calls.kept(callId),
    );
    return data?.owner === this.#owner ? data : undefined;
  }
}

function asInput(item: ResponseObject["output"][number]): ResponseInputItem {
  switch (item.type) {
    case "message":
      return {
        type: "message",
        role: "assistant",
        content: item.content.map(({ text }) => ({ type: "output_text", text })),
      };
    case "function_call": {
      const { call_id, name, arguments: input } = item;
      return { type: "function_call", call_id, name, arguments: input };
    }
    case "reasoning":
      return { type: "reasoning", summary: item.summary };
  }
}
