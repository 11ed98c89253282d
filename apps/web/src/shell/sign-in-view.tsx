import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "../controls/fields.tsx";
import { words } from "../text/words.ts";
import type { SignedOutReason } from "../session/signed-out.ts";
import type { LookOutcome } from "../session/use-session.ts";

interface SignInViewProps {
  readonly problem?: string | undefined;
  /** Absent before the first sign-in. */
  readonly reason?: SignedOutReason;
  /** Another tab may have signed in, or an unreachable host may be back. */
  readonly onLook: () => Promise<LookOutcome>;
}

export function SignInView({ problem, reason, onLook }: SignInViewProps): JSX.Element {
  const { session, state } = words;
  const [looked, setLooked] = useState<"asking" | LookOutcome>();
  useEffect(() => {
    const look = (): void => {
      if (!document.hidden) void onLook();
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
      <p class="row">
        <Button
          text={session.again}
          aria-describedby="looked"
          onClick={() => {
            setLooked("asking");
            void onLook().then(setLooked);
          }}
        />
        <span id="looked" class="quiet" role="status">
          {looked === undefined ? "" : session.looked[looked]}
        </span>
      </p>
    </main>
  );
}
