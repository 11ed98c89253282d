import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { problemOf } from "./api.ts";
import { signIn, takeSignInCode, type SignedIn } from "./sign-in.ts";
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
