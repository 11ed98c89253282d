import { routes } from "@incipit/transport-contract";
import { api, isSignedOut, problemOf } from "./api.ts";
import { keepPageKey } from "./page-key.ts";

export type SignedIn = { readonly isSignedIn: true } | { readonly isSignedIn: false; readonly problem?: string };

/** Removes the code from the address bar and history. */
export function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? undefined;
  if (code !== undefined) history.replaceState(null, "", location.pathname);
  return code;
}

/** Exchanges the one-time code, if given. @throws if the host is unreachable; the code stays valid. */
export async function signIn(code: string | undefined): Promise<SignedIn> {
  if (code !== undefined) {
    try {
      const { key } = await api.call(routes.signIn, { body: { code } });
      keepPageKey(key);
      return { isSignedIn: true };
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      // A used link is fine if this browser is already signed in.
      const now = await isKnown();
      return now ? { isSignedIn: true } : { isSignedIn: false, problem: problemOf(error) };
    }
  }
  return (await isKnown()) ? { isSignedIn: true } : { isSignedIn: false };
}

async function isKnown(): Promise<boolean> {
  try {
    await api.call(routes.listProfiles);
    return true;
  } catch (error) {
    if (isSignedOut(error)) return false;
    throw error;
  }
}
