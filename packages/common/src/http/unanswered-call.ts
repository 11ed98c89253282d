import { KernelError } from "@incipit/kernel";
import { singleLine } from "@incipit/schema";
import { TooLarge } from "./bounded-body.ts";
import { Late } from "./deadline.ts";

export type UnansweredCall =
  /** The request was not sent. */
  | { readonly kind: "unreached"; readonly why: string }
  /** The request may have been processed. */
  | { readonly kind: "unanswered"; readonly why: string };

interface Called {
  readonly service: string;
  readonly root: string;
  /** Never shown. */
  readonly token: string;
}

const maxShownLength = 300;

const unreachedCodes = new Set([
  "CERT_HAS_EXPIRED",
  "CERT_NOT_YET_VALID",
  "DEPTH_ZERO_SELF_SIGNED_CERT",
  "EADDRNOTAVAIL",
  "EAI_AGAIN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETDOWN",
  "ENETUNREACH",
  "ENOTFOUND",
  "ERR_TLS_CERT_ALTNAME_INVALID",
  "SELF_SIGNED_CERT_IN_CHAIN",
  "UNABLE_TO_GET_ISSUER_CERT_LOCALLY",
  "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
]);

/** Describes a call without an answer. The reason contains no URL and no token. */
export function lostCall(error: unknown, { service, root, token }: Called): UnansweredCall {
  if (KernelError.is(error) && error.code === "CAPABILITY_DENIED")
    return { kind: "unreached", why: shownLine(error.message, token) };
  if (error instanceof Late || error instanceof TooLarge) return { kind: "unanswered", why: error.message };
  if (error instanceof SyntaxError) return { kind: "unanswered", why: `the response did not come from ${service}` };
  const code = codeOf(error);
  if (code !== undefined && unreachedCodes.has(code))
    return { kind: "unreached", why: `${root} cannot be reached (${code})` };
  return { kind: "unanswered", why: `the connection ended before the answer (${code ?? "no reason"})` };
}

/** Makes a service's message safe to show, on one line. */
export function shownLine(text: string, token: string): string {
  return singleLine(text.replaceAll(token, "[token]")).slice(0, maxShownLength);
}

/** Returns the code of an error, or of its nearest cause that has one. */
function codeOf(error: unknown): string | undefined {
  for (let at = error; at instanceof Error; at = at.cause)
    if ("code" in at && typeof at.code === "string") return at.code;
  return undefined;
}
