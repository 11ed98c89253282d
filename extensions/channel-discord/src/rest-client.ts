import { boundedBody, tryParseJson } from "@incipit/common";
import { deadlineAround, lostCall, shownLine, type UnansweredCall } from "@incipit/common/http";
import type { Clock, Net, NetFetchOptions } from "@incipit/kernel";
import * as z from "zod";
import { RateLimits } from "./rate-limits.ts";

export type CallFailure =
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly code: number;
      readonly why: string;
      readonly retryAfterMs: number | undefined;
    }
  | UnansweredCall;

export class CallError extends Error {
  readonly failure: CallFailure;

  constructor(failure: CallFailure) {
    super(failure.why);
    this.failure = failure;
  }
}

export interface RestCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly body?: unknown;
  readonly file?: {
    readonly name: string;
    readonly mediaType: string;
    readonly bytes: Uint8Array<ArrayBuffer>;
  };
  /** Omits the bot token: the path contains its own. */
  readonly isOpen?: boolean;
}

export interface RestClientOptions {
  readonly token: string;
  readonly root: string;
  readonly net: Net;
  readonly clock: Clock;
}

interface Waiting {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

const userAgent = "DiscordBot (https://www.npmjs.com/package/@incipit/host, 0.1.0)";
const downloadTimeoutMs = 120_000;
/** Maximum size of an answer: more than a hundred messages of maximum size. */
const maxAnswerBytes = 16_777_216;

const refusalSchema = z.looseObject({
  message: z.string().default(""),
  code: z.int().default(0),
  errors: z.unknown().optional(),
  retry_after: z.number().nonnegative().optional(),
  global: z.boolean().default(false),
});

/** Client of Discord's REST API, version 10. Does not retry. */
export class RestClient {
  readonly #options: RestClientOptions;
  readonly #limits: RateLimits;

  constructor(options: RestClientOptions) {
    this.#options = options;
    this.#limits = new RateLimits(options.clock);
  }

  async call(call: RestCall, { timeoutMs, signal }: Waiting): Promise<unknown> {
    const waitMs = this.#limits.waitMs(call);
    if (waitMs > 0)
      throw new CallError({
        kind: "refused",
        status: 429,
        code: 0,
        why: "its rate limit is reached",
        retryAfterMs: waitMs,
      });
    return this.#within({ timeoutMs, signal }, async (stop) => {
      const answer = await this.#fetch(call, stop);
      const text = new TextDecoder().decode(
        await boundedBody(answer, { maxBytes: maxAnswerBytes, what: "Discord's answer" }),
      );
      const refusal = answer.ok ? undefined : this.#refusal(answer.status, text);
      this.#limits.note(call, answer, refusal);
      if (refusal !== undefined) throw new CallError({ kind: "refused", ...refusal });
      const given: unknown = text === "" ? undefined : JSON.parse(text);
      return given;
    });
  }

  async download(
    url: string,
    { maxBytes, signal }: { readonly maxBytes: number; readonly signal: AbortSignal },
  ): Promise<Uint8Array<ArrayBuffer>> {
    try {
      return await this.#within({ timeoutMs: downloadTimeoutMs, signal }, async (stop) => {
        const answer = await this.#options.net.fetch(url, { signal: stop });
        if (answer.ok) return boundedBody(answer, { maxBytes, what: "The file" });
        await answer.body?.cancel();
        throw new CallError({
          kind: "refused",
          status: answer.status,
          code: 0,
          why: `it answered ${answer.status}`,
          retryAfterMs: undefined,
        });
      });
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CallError)
        throw new Error(`Cannot read the file from Discord: ${error.message}`, { cause: error });
      throw error;
    }
  }

  async #within<Result>(
    { timeoutMs, signal }: Waiting,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const { root, token, clock } = this.#options;
    try {
      return await deadlineAround({ timeoutMs, signal, clock }, work);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof CallError) throw error;
      throw new CallError(lostCall(error, { service: "Discord", root, token }));
    }
  }

  async #fetch({ method, path, body, file, isOpen = false }: RestCall, signal: AbortSignal): Promise<Response> {
    const { root, token, net } = this.#options;
    const content = await contentOf(body, file);
    return net.fetch(`${root}/api/v10${path}`, {
      method,
      headers: {
        ...content.headers,
        "user-agent": userAgent,
        ...(isOpen ? {} : { authorization: `Bot ${token}` }),
      },
      ...(content.body === undefined ? {} : { body: content.body }),
      signal,
    });
  }

  #refusal(status: number, text: string): Omit<Refusal, "kind"> {
    const parsed = refusalSchema.safeParse(tryParseJson(text));
    const said = parsed.success ? parsed.data : nothingSaid;
    const { message, code, errors, retry_after: retryAfterS, global: isGlobal } = said;
    const detail = detailOf(errors);
    const reason = message === "" ? "no reason" : message;
    const why = shownLine(detail === undefined ? reason : `${reason}: ${detail}`, this.#options.token);
    const retryAfterMs = retryAfterS === undefined ? undefined : Math.ceil(retryAfterS * 1_000);
    return { status, code, why: code === 0 ? why : `${why} (${code})`, retryAfterMs, isGlobal };
  }
}

type Refusal = Extract<CallFailure, { kind: "refused" }> & { readonly isGlobal: boolean };

const nothingSaid: z.output<typeof refusalSchema> = { message: "", code: 0, global: false };
const reasonsSchema = z.tuple([z.looseObject({ message: z.string() })], z.unknown());
const deepestDetail = 10;

/** https://docs.discord.com/developers/reference#error-messages */
function detailOf(errors: unknown, path = "", depth = 0): string | undefined {
  if (typeof errors !== "object" || errors === null || depth > deepestDetail) return undefined;
  for (const [key, value] of Object.entries(errors)) {
    const reasons = key === "_errors" ? reasonsSchema.safeParse(value) : undefined;
    if (reasons?.success === true) return `${path} ${reasons.data[0].message}`.trim();
    const found = detailOf(value, path === "" ? key : `${path}.${key}`, depth + 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** https://docs.discord.com/developers/reference#uploading-files */
async function contentOf(
  body: unknown,
  file: RestCall["file"],
): Promise<Pick<NetFetchOptions, "body"> & { readonly headers: Readonly<Record<string, string>> }> {
  if (file !== undefined) {
    const form = new FormData();
    form.append("payload_json", JSON.stringify(body));
    form.append("files[0]", new Blob([file.bytes], { type: file.mediaType }), file.name);
    const encoded = new Response(form);
    const headers = { "content-type": encoded.headers.get("content-type") ?? "" };
    return { headers, body: new Uint8Array(await encoded.arrayBuffer()) };
  }
  if (body === undefined) return { headers: {} };
  return { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
}
