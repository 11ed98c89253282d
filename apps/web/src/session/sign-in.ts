import { routes } from "@incipit/transport-contract";
import { api, isSignedOut } from "./api.ts";
import { keepPageKey } from "./page-key.ts";

export type SignedIn = { readonly isSignedIn: true } | { readonly isSignedIn: false; readonly problem?: string };

/** Whether the address holds a code of a link that the host printed. */
export function hasSignInCode(): boolean {
  return new URLSearchParams(location.hash.slice(1)).has("code");
}

/** Takes the one-time code out of the address, exchanges it, and tells whether this browser is signed in. */
export async function signIn(): Promise<SignedIn> {
  const code = new URLSearchParams(location.hash.slice(1)).get("code");
  if (code !== null) {
    // Before anything else: the code must not stay in the address bar or the history.
    history.replaceState(null, "", location.pathname);
    try {
      const { key } = await api.call(routes.signIn, { body: { code } });
      keepPageKey(key);
      return { isSignedIn: true };
    } catch (error) {
      if (!isSignedOut(error)) throw error;
      // A link that was opened a second time does no harm where the first has signed this browser in.
      const now = await isKnown();
      return now ? { isSignedIn: true } : { isSignedIn: false, problem: messageOf(error) };
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

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
