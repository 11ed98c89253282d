import type { Clock } from "@incipit/kernel";
import { conversationIdSchema, type ApiErrorCode, type ConversationId, type NextAction } from "@incipit/schema";
import { ServiceError } from "@incipit/service-contract";
import type { Route, RouteName, routes } from "@incipit/transport-contract";
import type { Context } from "hono";
import type * as z from "zod";
import { answer, type DeepReadonly } from "../answer/answer.ts";
import type { ApiEnv, Caller } from "./caller.ts";
import { check, readBody } from "./read-body.ts";

export interface RouteCallOptions<Query, Body, Answer> {
  readonly route: Omit<Route, "query" | "body" | "response"> & {
    readonly query?: Query;
    readonly body?: Body;
    readonly response: Answer;
  };
  readonly late: AbortSignal;
  readonly clock: Clock;
}

interface IdOptions {
  readonly of: string;
  readonly param?: string;
  readonly code: ApiErrorCode;
  readonly next: NextAction;
}

/** A request to a route: its parts as the route's schemas read them, and its answer. */
export class RouteCall<Query extends z.ZodObject, Body extends z.ZodObject, Answer extends z.ZodType> {
  readonly context: Context<ApiEnv>;
  /** Aborts when the answer is late, but not when the client leaves. */
  readonly late: AbortSignal;
  readonly #options: RouteCallOptions<Query, Body, Answer>;

  constructor(context: Context<ApiEnv>, options: RouteCallOptions<Query, Body, Answer>) {
    this.context = context;
    this.late = options.late;
    this.#options = options;
  }

  /** Aborts when the answer is late or the client leaves. */
  get signal(): AbortSignal {
    return AbortSignal.any([this.late, this.context.req.raw.signal]);
  }

  get caller(): Caller | undefined {
    return this.context.get("caller");
  }

  header(name: string): string | undefined {
    return this.context.req.header(name);
  }

  /** @throws {ServiceError} `INVALID_REQUEST` for a NUL or a lone surrogate, which no id or storage key contains. */
  param(name: string): string {
    const given = this.context.req.param(name) ?? "";
    if (!given.includes("\0") && given.isWellFormed()) return given;
    const message = `${JSON.stringify(given)} in the path contains a NUL or half a surrogate pair; no such resource exists`;
    throw new ServiceError("INVALID_REQUEST", message);
  }

  /** @throws {ServiceError} `INVALID_REQUEST` unless a UUID; `CONVERSATION_UNKNOWN` for a UUID of another version. */
  conversationId(): ConversationId {
    const given = this.param("id");
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(given))
      throw new ServiceError("INVALID_REQUEST", `"${given}" is not a conversation id: it must be a UUID`);
    const next = { action: "list-conversations" } as const;
    return this.id(conversationIdSchema, { of: "conversation", param: "id", code: "CONVERSATION_UNKNOWN", next });
  }

  /** @throws {ServiceError} with the code, for an invalid id. */
  id<Id extends z.ZodType>(schema: Id, { of, param = `${of}Id`, code, next }: IdOptions): z.output<Id> {
    const given = this.param(param);
    const id = schema.safeParse(given);
    if (id.success) return id.data;
    throw new ServiceError(code, `No ${of} has the id "${given}"`, { next });
  }

  /** @throws {ServiceError} `INVALID_REQUEST`. */
  query(): z.output<Query> {
    return check(declared(this.#options.route.query), this.context.req.query());
  }

  /** @throws {ServiceError} `INVALID_REQUEST`, `BODY_TOO_LARGE`, `TIMEOUT`. */
  body({ isOptional = false }: { readonly isOptional?: boolean } = {}): Promise<z.output<Body>> {
    const { route, clock } = this.#options;
    return readBody(this.context.req.raw, declared(route.body), { clock, signal: this.late, isOptional });
  }

  answer(value: DeepReadonly<z.output<Answer>>): Response {
    return answer(this.#options.route, value);
  }
}

/** What every call has. */
export type AnyCall = Omit<RouteCall<never, never, never>, "query" | "body" | "answer">;

function declared<Schema>(schema: Schema | undefined): Schema {
  if (schema === undefined) throw new TypeError("The route declares no schema for what its handler reads");
  return schema;
}

type SchemaOf<Target, Key extends "query" | "body"> =
  Target extends Readonly<Record<Key, infer Schema extends z.ZodObject>> ? Schema : never;

interface Handles<Call> {
  answer(call: Call): Response | Promise<Response>;
}

/** The handler of some route. `createApp` passes each one the call of its own route, which the compiler cannot tell. */
export type Handler = Handles<RouteCall<z.ZodObject, z.ZodObject, z.ZodType>>["answer"];

export type Handlers = {
  readonly [Name in RouteName]: Handles<
    RouteCall<
      SchemaOf<(typeof routes)[Name], "query">,
      SchemaOf<(typeof routes)[Name], "body">,
      (typeof routes)[Name]["response"]
    >
  >["answer"];
};
