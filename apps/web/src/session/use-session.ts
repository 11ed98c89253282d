import { useCallback, useEffect, useRef, useState } from "preact/hooks";
import { problemOf } from "./api.ts";
import { signIn, takeSignInCode, type SignedIn } from "./sign-in.ts";
import { onSignedOut, type SignedOutReason } from "./signed-out.ts";

export type Session =
  | SignedIn
  | { readonly isSignedIn: false; readonly reason: SignedOutReason }
  | { readonly isSignedIn: "asking" }
  | { readonly isSignedIn: "unknown"; readonly problem: string };

/** What the host has said when it was asked once more; `away`: nothing. */
export type LookOutcome = "known" | "unknown" | "away";

/** Whether this browser is signed in, and what asks the host again. */
export function useSession(): { readonly session: Session; readonly look: () => Promise<LookOutcome> } {
  const [session, setSession] = useState<Session>({ isSignedIn: "asking" });
  /** What a link had, until the host has answered it: it may be away at first. */
  const code = useRef<string>(undefined);
  const looking = useRef<Promise<LookOutcome>>(undefined);
  const look = useCallback((): Promise<LookOutcome> => {
    const ask = async (): Promise<LookOutcome> => {
      try {
        const now = await signIn(code.current);
        code.current = undefined;
        // Why this browser was signed out stays said while that is all there is to say.
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
    // A link that is opened in this very tab changes the fragment alone: nothing is loaded.
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
      // Another question may have heard first that the host does not know this browser any more: who left has left.
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
