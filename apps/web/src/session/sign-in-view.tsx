import type { JSX } from "preact";
import { useEffect } from "preact/hooks";
import { words } from "../text/words.ts";
import type { SignedOutReason } from "./signed-out.ts";

interface SignInViewProps {
  readonly problem?: string | undefined;
  /** Absent: nobody was signed in here. */
  readonly reason?: SignedOutReason;
  /** Looks whether another tab has signed in meanwhile. */
  readonly onLook: () => void;
}

/** What somebody sees whom the host does not know. */
export function SignInView({ problem, reason, onLook }: SignInViewProps): JSX.Element {
  const { session, state } = words;
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) onLook();
    };
    addEventListener("focus", look);
    document.addEventListener("visibilitychange", look);
    return () => {
      removeEventListener("focus", look);
      document.removeEventListener("visibilitychange", look);
    };
  }, [onLook]);
  const why = { left: session.left, ended: session.ended, none: session.why }[reason ?? "none"];
  return (
    <main class="sign-in" id="content">
      <h1>{session.title}</h1>
      {problem === undefined ? (
        <p role={reason === undefined ? undefined : "status"}>{why}</p>
      ) : (
        <p role="alert">{`${state.failed}: ${problem}`}</p>
      )}
      <p>{session.how}</p>
      <pre tabIndex={0}>{session.command}</pre>
      <p>{session.orSource}</p>
      <pre tabIndex={0}>{session.sourceCommand}</pre>
      <p class="quiet">{session.once}</p>
      <button type="button" onClick={() => location.reload()}>
        {session.again}
      </button>
    </main>
  );
}
