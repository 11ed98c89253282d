import type { JsonValue } from "@incipit/kernel";
import { lazySchema, type CallId } from "@incipit/schema";
import { ServiceError, type ModelCallsService } from "@incipit/service-contract";
import {
  responseInputItemSchema,
  responseSchema,
  type ResponseInputItem,
  type ResponseObject,
} from "@incipit/transport-contract";
import * as z from "zod";
import { invalidField } from "../calls/invalid-field.ts";
import type { GivenItem } from "../client-conversations/client-items.ts";
import type { TokenOwner } from "../request/caller.ts";
import { interrupted } from "./interrupted.ts";
import { named } from "./new-response.ts";
import { callIdIn, responseIdOf } from "./response-ids.ts";
import { storedOutputSchema } from "./said.ts";

const maxChain = 1_000;

const storedResponseSchema = lazySchema(() =>
  z.object({
    kind: z.literal("response"),
    owner: z.string().nullable(),
    input: z.array(responseInputItemSchema),
    response: responseSchema,
    said: z.array(storedOutputSchema).default([]),
  }),
);
export type StoredResponse = z.infer<typeof storedResponseSchema>;

export function toJson(stored: StoredResponse): JsonValue {
  return z.json().parse(stored);
}

export async function keepResponse(calls: ModelCallsService, stored: StoredResponse): Promise<void> {
  const callId = callIdIn(stored.response.id);
  if (callId === undefined) throw new TypeError(`"${stored.response.id}" is not the id of a response`);
  await calls.keep(callId, toJson(stored));
}

export interface StoredResponsesOptions {
  readonly calls: ModelCallsService;
  readonly owner: TokenOwner;
  readonly running: (id: string) => Promise<StoredResponse | undefined>;
}

/** Stored with the record of their call, and private to their token. */
export class StoredResponses {
  readonly #calls: ModelCallsService;
  readonly #owner: TokenOwner;
  readonly #running: StoredResponsesOptions["running"];

  constructor({ calls, owner, running }: StoredResponsesOptions) {
    this.#calls = calls;
    this.#owner = owner;
    this.#running = running;
  }

  keep(input: readonly ResponseInputItem[], response: ResponseObject): Promise<void> {
    return keepResponse(this.#calls, {
      kind: "response",
      owner: this.#owner,
      input: [...input],
      response,
      said: [],
    });
  }

  /** @throws {ServiceError} `CALL_UNKNOWN` if unknown, deleted, or another owner's. */
  async get(id: string): Promise<StoredResponse> {
    const found = id.startsWith("resp_") ? await this.#find(id) : undefined;
    if (found !== undefined) return found;
    const message = `No response "${id.slice(0, 100)}" for this token: it was not stored, was deleted, or has expired`;
    throw new ServiceError("CALL_UNKNOWN", message);
  }

  async delete(id: string): Promise<void> {
    const { response } = await this.get(id);
    const callId = callIdIn(response.id);
    if (callId !== undefined) await this.#calls.forget(callId);
  }

  /**
   * Includes the response itself.
   * @throws {ServiceError} as `get`.
   */
  async history(id: string): Promise<readonly ResponseInputItem[]> {
    const said: ResponseInputItem[][] = [];
    for (let next: string | null = id; next !== null;) {
      if (said.length === maxChain)
        throw invalidField(
          "previous_response_id",
          `has more than ${maxChain} responses before it: send the history itself`,
        );
      const { input, response }: StoredResponse = await this.get(next);
      if (response.status !== "completed" && response.status !== "incomplete")
        throw invalidField(
          "previous_response_id",
          `names "${response.id}", which is ${response.status}: continue from a completed response`,
        );
      if (response.conversation !== null)
        throw invalidField(
          "previous_response_id",
          `names "${response.id}", which belongs to a conversation: continue with \`conversation\`: "${response.conversation.id}"`,
        );
      said.push([...input, ...response.output.map(asInput)]);
      next = response.previous_response_id;
    }
    return said.toReversed().flat();
  }

  /** @throws {ServiceError} `INVALID_REQUEST` for an unknown item. */
  async resolved(items: readonly ResponseInputItem[], field = "input"): Promise<readonly GivenItem[]> {
    return Promise.all(
      items.map(async (item, index) => {
        if (item.type !== "item_reference") return item;
        const found = await this.#find(item.id);
        const named = found?.response.output.find(({ id }) => id === item.id);
        if (named !== undefined) return asInput(named);
        const rule = `"${item.id.slice(0, 100)}" is not an item of a response of yours that is stored: send the item itself`;
        throw invalidField(`${field}.${index}.id`, rule);
      }),
    );
  }

  async #find(id: string): Promise<StoredResponse | undefined> {
    const callId = callIdIn(id);
    if (callId === undefined) return undefined;
    // The end is stored before a response stops running.
    const running = await this.#running(responseIdOf(callId));
    if (running !== undefined) return running.owner === this.#owner ? running : undefined;
    const { data } = storedResponseSchema.safeParse(await this.#calls.kept(callId));
    if (data?.owner !== this.#owner) return undefined;
    const isOver = data.response.status !== "queued" && data.response.status !== "in_progress";
    return isOver ? data : { ...data, response: await this.#withEnd(data.response, callId) };
  }

  /** Uses the record of the call, so that a response without a stored end is not in progress forever. */
  async #withEnd(response: ResponseObject, callId: CallId): Promise<ResponseObject> {
    const call = await this.#calls.get(callId);
    const begun = named(response, { callId, model: call.model });
    if (call.status === "running") return { ...begun, status: "in_progress" };
    const { code, message } = call.status === "completed" ? unstored : interrupted;
    return { ...begun, status: "failed", error: { code, message } };
  }
}

const unstored = {
  code: "storage_failed",
  message: "The model finished, but the host stopped before storing its answer: send the request again",
};

function asInput(item: ResponseObject["output"][number]): GivenItem {
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
