import { isJsonTextTooDeep } from "@incipit/kernel";
import { lazySchema } from "@incipit/schema";
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
} from "../failures/call-failure.ts";
import { parsedJson } from "../requests/json-object.ts";
import type { EmbeddingsFormat, EndpointVendor } from "../vendor/endpoint-vendor.ts";
import type { CallAddress, EndpointOptions } from "./endpoint-provider.ts";
import { WireCall } from "../requests/wire-call.ts";

export interface EmbedCallOptions
  extends Pick<CallAddress, "baseUrl" | "key" | "headers">, Pick<EndpointOptions, "id" | "net"> {
  readonly vendor: Pick<EndpointVendor, "keyHeader">;
  readonly format: EmbeddingsFormat;
}

/** 2,048 texts with 3,072 numbers each take 34 MB as base64, and about 75 MB as digits. */
const maxAnswerBytes = 96 * 1_048_576;

const errorSchema = lazySchema(() => z.object({ error: z.object({ message: z.string() }) }));

/** Never rejects. */
export async function embedCall(request: EmbeddingRequest, options: EmbedCallOptions): Promise<EmbeddingReply> {
  const { id, vendor, format, key, headers, net, baseUrl } = options;
  const { model, signal, observe } = request;
  const wire = new WireCall({ key, keyHeader: vendor.keyHeader, headers, net, observe });
  const { hideKey } = wire;
  const state = (): CallState => ({ provider: id, outcome: wire.outcome, hasContent: true, hideKey });
  const failed = ({ message, ...failure }: ModelFailure): EmbeddingReply => ({
    kind: "failed",
    error: signal.aborted ? stopped : { ...failure, message: hideKey(message) },
  });
  const refusal = format.refusal?.(request);
  if (refusal !== undefined) {
    const message = `Cannot ask "${id}" for embeddings: ${refusal}`;
    return failed({ code: "BAD_REQUEST", message, isRetryable: false });
  }
  try {
    const response = await wire.send(`${baseUrl.replace(/\/$/, "")}/${format.path(model)}`, {
      headers: new Headers({ "content-type": "application/json" }),
      body: JSON.stringify(format.toBody(request)),
      signal,
    });
    const body = await textOf(response, wire);
    if (body === undefined) return failed(wire.outcome.kind === "too-large" ? tooLarge(id) : cutOff(state()));
    if (!response.ok) return failed(refusalOf(response, body, state()));
    const odd = badResponse(state(), "it has not one embedding for each text");
    return format.toReply(answerOf(body), request) ?? failed(odd);
  } catch (error) {
    return failed(thrownFailure(error instanceof Error ? error : new Error(String(error)), state()));
  }
}

/** `undefined` for a truncated body; `wire` has the cause. */
async function textOf({ body }: Response, wire: WireCall): Promise<string | undefined> {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const reader = body?.getReader();
  try {
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read()) {
      sizeBytes += next.value.byteLength;
      if (sizeBytes > maxAnswerBytes) {
        wire.tooLarge();
        reader?.cancel().catch(() => undefined);
        return undefined;
      }
      pieces.push(next.value);
    }
  } catch (error) {
    wire.broken(error);
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

/** Parses the answer without `parsedJson`, whose limit of values embeddings exceed. */
function answerOf(body: string): unknown {
  try {
    return isJsonTextTooDeep(body) ? undefined : JSON.parse(body);
  } catch {
    return undefined;
  }
}
