import { plainObject, asString, withoutNulls, type PlainObject } from "../json/plain-object.ts";
import type { RpcCall, RpcFailure, RpcId as Id, RpcMessage } from "./rpc-message.ts";
import { oneLine } from "../text/one-line.ts";
import { wrongAnswer } from "./wrong-answer.ts";

export interface OpenRequest {
  readonly method: string;
  readonly params: PlainObject;
}

export interface OpenRequestsOptions {
  /** `undefined` when impossible. */
  readonly mend: (result: unknown, request: OpenRequest) => PlainObject | undefined;
  /** Absent: unchanged. */
  readonly mendParams?: (method: string, params: PlainObject) => PlainObject;
}

interface Waiting extends OpenRequest {
  readonly id: Id;
}

/** Reads leniently: a malformed answer is repaired, or fails its request with the reason, so that none stays open. */
export class OpenRequests {
  /** By the text of their id: some programs answer 1 with "1". */
  readonly #waiting = new Map<string, Waiting>();
  readonly #options: OpenRequestsOptions;

  constructor(options: OpenRequestsOptions) {
    this.#options = options;
  }

  note(message: object): void {
    const { id, method, params } = plainObject(message) ?? {};
    if (typeof method !== "string") return;
    const members = plainObject(params) ?? {};
    if (typeof id === "string" || typeof id === "number")
      this.#waiting.set(String(id), { id, method, params: members });
    else if (method === "notifications/cancelled") this.forget(members["requestId"]);
  }

  forget(id: unknown): void {
    this.#waiting.delete(String(id));
  }

  isWaiting(id: Id): boolean {
    return this.#waiting.has(String(id));
  }

  /** Several for a batch, none for a repeated answer. @throws {SyntaxError} when the value is no message. */
  read(value: unknown): readonly RpcMessage[] {
    if (!Array.isArray(value)) return this.#readOne(value);
    const readable = value.flatMap((one: unknown) => {
      try {
        return [this.#readOne(one)];
      } catch {
        return [];
      }
    });
    if (readable.length === 0) throw new SyntaxError("It is a list without a message");
    return readable.flat();
  }

  /** Returns nothing when the line names no request. */
  readBroken(line: string): readonly RpcMessage[] {
    const [, text, number] = /^\s*\{.*?"id"\s*:\s*(?:"([^"]*)"|(-?\d+))/s.exec(line.slice(0, 10_000)) ?? [];
    const waiting = this.#waiting.get(text ?? number ?? "");
    return waiting === undefined ? [] : [this.fail(waiting.id, `with a line that is not JSON: ${oneLine(line)}`)];
  }

  /** @param how Follows the name of the method: `with HTTP status 202 and no answer`. */
  fail(id: Id, how: string): RpcFailure {
    const method = this.#waiting.get(String(id))?.method ?? "a request";
    this.#waiting.delete(String(id));
    return wrongAnswer(id, `answered "${method}" ${how}`);
  }

  #readOne(value: unknown): readonly RpcMessage[] {
    const given = plainObject(value);
    if (given === undefined) throw new SyntaxError("It is not an object");
    const message = withoutNulls(given);
    return typeof message["method"] === "string"
      ? [this.#readCall(message["method"], message)]
      : this.#readAnswer(given);
  }

  #readAnswer(given: PlainObject): readonly RpcMessage[] {
    const { id, result, error } = withoutNulls(given);
    if (result === undefined && error === undefined && id === undefined)
      throw new SyntaxError("It is not a message");
    const waiting = this.#requestOf(id);
    if (waiting === undefined) {
      if (typeof id === "string" || typeof id === "number") return []; // Late or repeated.
      throw new SyntaxError("It answers nothing");
    }
    this.#waiting.delete(String(waiting.id));
    return [this.#answered(given, waiting)];
  }

  /** An answer without an id belongs to the only open request. */
  #requestOf(id: unknown): Waiting | undefined {
    if (typeof id === "string" || typeof id === "number") return this.#waiting.get(String(id));
    const [only, ...others] = this.#waiting.values();
    return others.length === 0 ? only : undefined;
  }

  /** @throws {SyntaxError} for an invalid id. */
  #readCall(method: string, { id, params }: PlainObject): RpcCall {
    if (id !== undefined && typeof id !== "string" && typeof id !== "number")
      throw new SyntaxError("Its id is neither a text nor a number");
    const members = plainObject(params);
    if (members === undefined) return { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method };
    const { _meta: meta, ...others } = withoutNulls(members);
    const kept = { ...others, ...(plainObject(meta) === undefined ? {} : { _meta: meta }) };
    const mended = this.#options.mendParams?.(method, kept) ?? kept;
    return { jsonrpc: "2.0", ...(id === undefined ? {} : { id }), method, params: mended };
  }

  #answered(given: PlainObject, { id, method, params }: Waiting): RpcMessage {
    const { result, error } = given;
    const isError = error !== undefined && error !== null;
    if (isError && (result === undefined || result === null || saysSomething(error))) return failure(id, error);
    const mended = result === undefined ? undefined : this.#options.mend(result, { method, params });
    if (mended !== undefined) return { jsonrpc: "2.0", id, result: mended };
    return wrongAnswer(id, `answered "${method}" with ${kindOf(result)}`);
  }
}

/** Returns whether an error has content: some programs send an empty one with a result. */
function saysSomething(error: unknown): boolean {
  const members = plainObject(error);
  if (members === undefined) return Array.isArray(error) ? error.length > 0 : Boolean(error);
  const { code, message } = members;
  return Boolean(code) || (typeof message === "string" && message !== "") || message instanceof Object;
}

/** Unspecified error in JSON-RPC. */
const internalError = -32_603;

function failure(id: Id, error: unknown): RpcFailure {
  const { code, message, data } = plainObject(error) ?? { message: error };
  const number = typeof code === "string" && code.trim() !== "" ? Number(code) : code;
  const said =
    asString(message) ?? (message === undefined || message === null ? undefined : JSON.stringify(message));
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: typeof number === "number" && Number.isSafeInteger(number) ? number : internalError,
      message: said ?? asString(data) ?? "it does not say why",
      ...(data === undefined ? {} : { data }),
    },
  };
}

function kindOf(result: unknown): string {
  if (result === undefined) return "neither a result nor an error";
  if (result === null) return "null as its result";
  if (Array.isArray(result)) return "a list as its result";
  return typeof result === "object"
    ? "a result that does not have what was asked for"
    : `a ${typeof result} as its result`;
}
