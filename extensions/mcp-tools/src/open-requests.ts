import { parseJSONRPCMessage, type JSONRPCMessage } from "@modelcontextprotocol/client";
import { mendedAnswer, type OpenRequest } from "./mended-answer.ts";
import { plainObject, textOf, withoutNulls, type PlainObject } from "./plain-object.ts";
import { shownBeginning, wrongAnswer } from "./wrong-answer.ts";

type Id = string | number;

interface Waiting extends OpenRequest {
  readonly id: Id;
}

/**
 * Our requests that wait for an answer, and what servers send in place of one: read leniently, so that an answer in a wrong shape is
 * taken, or fails its request at once with the reason, and never leaves it waiting.
 */
export class OpenRequests {
  /** By the text of their id: some servers answer 1 with "1". */
  readonly #waiting = new Map<string, Waiting>();

  /** Notes what is sent. */
  note(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    const params: PlainObject = { ...message.params };
    if ("id" in message) this.#waiting.set(String(message.id), { id: message.id, method: message.method, params });
    else if (message.method === "notifications/cancelled") this.#waiting.delete(String(params["requestId"]));
  }

  isWaiting(id: Id): boolean {
    return this.#waiting.has(String(id));
  }

  /**
   * Returns the messages in a value: several in a batch, none in an answer to a request that was answered before.
   * @throws {SyntaxError} for what is no message.
   */
  read(value: unknown): readonly JSONRPCMessage[] {
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

  /** Fails the request that a line was to answer, which is no JSON; no message: it names none. */
  readBroken(line: string): readonly JSONRPCMessage[] {
    const [, text, number] = /^\s*\{.*?"id"\s*:\s*(?:"([^"]*)"|(-?\d+))/s.exec(line.slice(0, 10_000)) ?? [];
    const waiting = this.#waiting.get(text ?? number ?? "");
    return waiting === undefined
      ? []
      : [this.fail(waiting.id, `with a line that is not JSON: ${shownBeginning(line)}`)];
  }

  /** Fails a request. @param how Read behind the name of its method: `with HTTP status 202 and no answer`. */
  fail(id: Id, how: string): JSONRPCMessage {
    const method = this.#waiting.get(String(id))?.method ?? "a request";
    this.#waiting.delete(String(id));
    return wrongAnswer(id, `answered "${method}" ${how}`);
  }

  #readOne(value: unknown): readonly JSONRPCMessage[] {
    const given = plainObject(value);
    if (given === undefined) throw new SyntaxError("It is not an object");
    const message = withoutNulls(given);
    return typeof message["method"] === "string" ? [readCall(message["method"], message)] : this.#readAnswer(given);
  }

  #readAnswer(given: PlainObject): readonly JSONRPCMessage[] {
    const { id, result, error } = withoutNulls(given);
    if (result === undefined && error === undefined && id === undefined)
      throw new SyntaxError("It is not a message");
    const waiting = this.#requestOf(id);
    if (waiting === undefined) {
      if (typeof id === "string" || typeof id === "number") return []; // Late, or a second time.
      throw new SyntaxError("It answers nothing");
    }
    this.#waiting.delete(String(waiting.id));
    return [readAnswer(given, waiting)];
  }

  /** An answer without an id is that to the only request that waits. */
  #requestOf(id: unknown): Waiting | undefined {
    if (typeof id === "string" || typeof id === "number") return this.#waiting.get(String(id));
    const [only, ...others] = this.#waiting.values();
    return others.length === 0 ? only : undefined;
  }
}

function readCall(method: string, { id, params }: PlainObject): JSONRPCMessage {
  const members = plainObject(params);
  return parseJSONRPCMessage({
    jsonrpc: "2.0",
    ...(id === undefined ? {} : { id }),
    method,
    ...(members === undefined ? {} : { params: mendedParams(method, withoutNulls(members)) }),
  });
}

function mendedParams(method: string, { _meta: meta, ...params }: PlainObject): PlainObject {
  const kept = { ...params, ...(plainObject(meta) === undefined ? {} : { _meta: meta }) };
  return method === "notifications/progress" ? { ...kept, ...progressOf(params) } : kept;
}

/** Numbers of a progress that come as texts. */
function progressOf(params: PlainObject): PlainObject {
  const numbers = ["progressToken", "progress", "total"].flatMap((name) => {
    const value = params[name];
    return typeof value === "string" && /^\d+(\.\d+)?$/.test(value) ? [[name, Number(value)]] : [];
  });
  return Object.fromEntries(numbers);
}

function readAnswer(given: PlainObject, { id, method, params }: Waiting): JSONRPCMessage {
  const { result, error } = given;
  const isError = error !== undefined && error !== null;
  if (isError && (result === undefined || result === null || saysSomething(error))) return failure(id, error);
  const mended = result === undefined ? undefined : mendedAnswer(result, { method, params });
  if (mended !== undefined) return { jsonrpc: "2.0", id, result: { ...mended } };
  return wrongAnswer(id, `answered "${method}" with ${kindOf(result)}`);
}

/** Some servers send an empty error beside a result. */
function saysSomething(error: unknown): boolean {
  const members = plainObject(error);
  if (members === undefined) return Array.isArray(error) ? error.length > 0 : Boolean(error);
  const { code, message } = members;
  return Boolean(code) || (typeof message === "string" && message !== "") || message instanceof Object;
}

/** The code of JSON-RPC for what a server does not say more of. */
const internalError = -32_603;

function failure(id: Id, error: unknown): JSONRPCMessage {
  const { code, message, data } = plainObject(error) ?? { message: error };
  const number = typeof code === "string" && code.trim() !== "" ? Number(code) : code;
  const said = textOf(message) ?? (message === undefined || message === null ? undefined : JSON.stringify(message));
  return {
    jsonrpc: "2.0",
    id,
    error: {
      code: typeof number === "number" && Number.isSafeInteger(number) ? number : internalError,
      message: said ?? textOf(data) ?? "it does not say why",
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
