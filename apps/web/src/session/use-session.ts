import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { routes } from "@incipit/transport-contract";
import { problemOf, api, isSignedOut } from "./api.ts";
import { keepPageKey } from "./api.ts";
import { onSignedOut, type SignedOutReason } from "./signed-out.ts";

export type Session =
  | SignedIn
  | { readonly isSignedIn: false; readonly reason: SignedOutReason }
  | { readonly isSignedIn: "asking" }
  | { readonly isSignedIn: "unknown"; readonly problem: string };

/** `away`: host unreachable. */
export type LookOutcome = "known" | "unknown" | "away";

export function useSession(): { readonly session: Session; readonly look: () => Promise<LookOutcome> } {
  const [session, setSession] = useState<Session>({ isSignedIn: "asking" });
  /** Kept until the host has answered; it may be unreachable at first. */
  const code = useRef<string>(undefined);
  const looking = useRef<Promise<LookOutcome>>(undefined);
  const look = useCallback((): Promise<LookOutcome> => {
    const ask = async (): Promise<LookOutcome> => {
      try {
        const now = await signIn(code.current);
        code.current = undefined;
        const isNews = now.isSignedIn || now.problem !== undefined;
        setSession((before) => (isNews || before.isSignedIn !== false ? now : before));
        return now.isSignedIn ? "known" : "unknown";
      } catch (error) {
        const problem = problemOf(error);
        setSession((before) => (before.isSignedIn === "asking" ? { isSignedIn: "unknown", problem } : before));
        return "away";
      }
    };
    looking.current ??= ask().finally(() => (looking.current = undefined));
    return looking.current;
  }, []);
  useEffect(() => {
    // Opening a link in this tab changes only the fragment, without a page load.
    const takeLink = (): void => {
      const given = takeSignInCode();
      if (given === undefined) return;
      const before = looking.current ?? Promise.resolve();
      void before.then(() => {
        code.current = given;
        return look();
      });
    };
    code.current = takeSignInCode();
    void look();
    addEventListener("hashchange", takeLink);
    const stop = onSignedOut((reason) => {
      // Another request may have noticed the sign-out first; `left` takes precedence.
      setSession((before) => {
        const isNews = before.isSignedIn === true || (reason === "left" && before.isSignedIn === false);
        return isNews ? { isSignedIn: false, reason } : before;
      });
    });
    return () => {
      removeEventListener("hashchange", takeLink);
      stop();
    };
  }, []);
  return { session, look };
}

type SignedIn = { readonly isSignedIn: true } | { readonly isSignedIn: false; readonly problem?: string };

/** Removes the code from the address bar and history. */
function takeSignInCode(): string | undefined {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? undefined;
  if (code !== undefined) history.replaceState(null, "", location.pathname);
  return code;
}

/** Exchanges the one-time code, if given. @throws if the host is unreachable; the code stays valid. */
async function signIn(code: string | undefined): Promise<SignedIn> {
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
