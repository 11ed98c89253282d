import type { TokenScope } from "@incipit/schema";
import type * as z from "zod";

/**
 * Required permission. `open`: no token. A scope: any token with it. `owner`: only the host's own token or a
 * signed-in browser.
 */
export type RouteAccess = "open" | "owner" | TokenScope;

/** A route of the HTTP API. */
export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** With parameters as `:name`. */
  readonly path: string;
  readonly access: RouteAccess;
  /** An additional scope, for a route that changes data of one scope and returns data of another. */
  readonly alsoNeeds?: TokenScope;
  readonly summary: string;
  /** 200 by default. */
  readonly status?: number;
  /** Schema of the answer; for a stream, of each event. */
  readonly response: z.ZodType;
  /** One key per `:name` of the path. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers that affect the answer, in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** Treats a missing body as an empty object. */
  readonly isBodyOptional?: true;
  /** Answers with server-sent events: `id` is `seq`, `event` is `type`, `data` is the event as JSON. */
  readonly isStream?: true;
  /** Answers with JSON Lines; `response` is the schema of each line. */
  readonly isLines?: true;
  /** Accepts JSON Lines in place of a body: the schema of each line. */
  readonly bodyLines?: z.ZodType;
  /** The last parameter matches the rest of the path, including slashes. */
  readonly takesRest?: true;
  /**
   * With `stream: true` in the body, answers with server-sent events of this schema. In OpenAI's protocol, `[DONE]`
   * follows the last one.
   */
  readonly chunk?: z.ZodType;
  /** Uses a vendor's protocol, including its error format. */
  readonly dialect?: "openai" | "anthropic";
  /** Answer in place of a stream if the request prefers not to wait. */
  readonly asyncAnswer?: { readonly status: number; readonly response: z.ZodType };
}
