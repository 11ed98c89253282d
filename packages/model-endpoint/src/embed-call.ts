import { isJsonTextTooDeep } from "@incipit/kernel";
import { embeddingVectorSchema, lazySchema } from "@incipit/schema";
import type { EmbeddingReply, EmbeddingRequest, ModelFailure } from "@incipit/service-contract";
import * as z from "zod";
import {
  badResponse,
  cutOff,
  refusedFailure,
  stopped,
  thrownFailure,
  tooLarge,
  type CallState,
} from "./call-failure.ts";
import { parsedJson } from "./json-object.ts";
import type { CallAddress, EndpointOptions } from "./endpoint-provider.ts";
import type { EndpointVendor } from "./endpoint-vendor.ts";
import { WireCall } from "./wire-call.ts";

export interface EmbedCallOptions
  extends Pick<CallAddress, "baseUrl" | "key" | "headers">, Pick<EndpointOptions, "id" | "net"> {
  readonly vendor: Pick<EndpointVendor, "keyHeader">;
}

/** Largest answer: 2,048 texts with 3,072 numbers each take 34 MB as base64, and some 75 MB as digits. */
const maxAnswerBytes = 96 * 1_048_576;

/** What OpenAI's API answers: https://platform.openai.com/docs/api-reference/embeddings/create */
const answerSchema = lazySchema(() =>
  z.object({
    data: z.array(z.object({ index: z.int().nonnegative(), embedding: embeddingVectorSchema })).min(1),
    model: z.string().nullish(),
    usage: z.object({ prompt_tokens: z.int().nullish() }).nullish(),
  }),
);

const errorSchema = lazySchema(() => z.object({ error: z.object({ message: z.string() }) }));

/** One request of `POST /embeddings` as OpenAI knows it, and its answer. Never rejects. */
export async function embedCall(request: EmbeddingRequest, options: EmbedCallOptions): Promise<EmbeddingReply> {
  const { id, vendor, key, headers, net, baseUrl } = options;
  const { signal, observe } = request;
  const wire = new WireCall({ key, keyHeader: vendor.keyHeader, headers, net, observe });
  const hideKey = (text: string): string => (key === undefined ? text : text.replaceAll(key, "[key]"));
  const state = (): CallState => ({ provider: id, outcome: wire.outcome, hasContent: true, hideKey });
  const failed = ({ message, ...failure }: ModelFailure): EmbeddingReply => ({
    kind: "failed",
    error: signal.aborted ? stopped : { ...failure, message: hideKey(message) },
  });
  try {
    const response = await wire.send(`${baseUrl.replace(/\/$/, "")}/embeddings`, {
      headers: new Headers({ "content-type": "application/json" }),
      body: JSON.stringify(bodyOf(request)),
      signal,
    });
    const body = await textOf(response, wire);
    if (body === undefined) return failed(wire.outcome.kind === "too-large" ? tooLarge(id) : cutOff(state()));
    if (!response.ok) return failed(refusalOf(response, body, state()));
    return embedded(request, body) ?? failed(badResponse(state(), "it has not one embedding for each text"));
  } catch (error) {
    return failed(thrownFailure(error instanceof Error ? error : new Error(String(error)), state()));
  }
}

function bodyOf({ model, input, encodingFormat, dimensions, vendorFields }: EmbeddingRequest): object {
  return {
    model,
    input,
    ...(encodingFormat === undefined ? {} : { encoding_format: encodingFormat }),
    ...(dimensions === undefined ? {} : { dimensions }),
    ...vendorFields,
  };
}

/** `undefined`: it did not come whole, which `wire` knows of. */
async function textOf({ body }: Response, wire: WireCall): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      sizeBytes += next.value.byteLength;
      if (sizeBytes > maxAnswerBytes) {
        wire.tooLarge();
        reader?.cancel().catch(() => undefined); // Nobody waits for the end of what is not read.
        return undefined;
      }
      pieces.push(next.value);
    }
  } catch {
    wire.broken();
    return undefined;
  }
  return Buffer.concat(pieces).toString();
}

function refusalOf({ status, statusText, headers }: Response, body: string, state: CallState): ModelFailure {
  const said = errorSchema.safeParse(parsedJson(body)).data?.error.message;
  const message = said ?? (statusText === "" ? `HTTP status ${status}` : statusText);
  return refusedFailure(
    { status, message, headers: Object.fromEntries(headers), body, isRead: said !== undefined },
    state,
  );
}

/** Not `parsedJson`: vectors have more numbers than a message may have values. */
function answerOf(body: string): unknown {
  try {
    return isJsonTextTooDeep(body) ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}

/** `undefined`: it is no answer to this request. */
function embedded({ input }: EmbeddingRequest, body: string): EmbeddingReply | undefined {
  const { data: answer } = answerSchema.safeParse(answerOf(body));
  if (answer === undefined) return undefined;
  const sorted = answer.data.toSorted((a, b) => a.index - b.index);
  const isList = typeof input !== "string" && typeof input[0] !== "number";
  if (sorted.length !== (isList ? input.length : 1) || sorted.some(({ index }, at) => index !== at))
    return undefined;
  const { model, usage } = answer;
  return {
    kind: "embedded",
    vectors: sorted.map(({ embedding }) => embedding),
    inputTokens: usage?.prompt_tokens ?? null,
    responseModel: model ?? null,
  };
}
