import type { TokenScope } from "@incipit/schema";
import type * as z from "zod";

/**
 * Who may ask. `open`: everybody, without a token. A scope: each token that has it. `owner`: only who has the host's own token, or
 * is signed in to its page.
 */
export type RouteAccess = "open" | "owner" | TokenScope;

/** One route of the HTTP API, as data. */
export interface Route {
  readonly method: "GET" | "PUT" | "POST" | "PATCH" | "DELETE";
  /** Parameters as `:name`. */
  readonly path: string;
  readonly access: RouteAccess;
  /** A scope that a token needs beside that one: the route does what the one opens, and shows what the other does. */
  readonly alsoNeeds?: TokenScope;
  readonly summary: string;
  readonly status: number;
  /** The schema of the answer; where that is a stream, of each event. */
  readonly response: z.ZodType;
  /** One key for each `:name` of the path. */
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Headers that change the answer; names in lower case. */
  readonly headers?: z.ZodObject;
  readonly body?: z.ZodObject;
  /** No body is an empty object. */
  readonly isBodyOptional?: true;
  /** Answers with server-sent events: `id` is `seq`, `event` is `type`, `data` is the event as JSON. */
  readonly isStream?: true;
  /** Answers with JSON Lines; `response` is the schema of each. */
  readonly isLines?: true;
  /** Takes JSON Lines in place of a body: the schema of each. */
  readonly bodyLines?: z.ZodType;
  /** Its last parameter takes the rest of the path, slashes and all. */
  readonly takesRest?: true;
  /** Answers with server-sent events when the body has `stream: true`: the schema of each. In OpenAI's protocol, `[DONE]` comes behind the last one. */
  readonly chunk?: z.ZodType;
  /** Speaks a vendor's protocol: its errors have that shape, too. */
  readonly dialect?: "openai" | "anthropic";
  /** What a stream answers instead when the request prefers not to wait. */
  readonly asyncAnswer?: { readonly status: number; readonly response: z.ZodType };
}
