import { ApiClientError, createClient, type Client } from "@incipit/transport-contract";

/** The host that serves this page; the browser's cookie signs each call. */
export const api: Client = createClient({ url: location.origin });

export function isSignedOut(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNAUTHORIZED";
}

export function isAway(error: unknown): boolean {
  return error instanceof ApiClientError && error.code === "UNREACHABLE";
}

/** What a person is told of something that went wrong. */
export function problemOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
