import { isUnreachable } from "@incipit/client/session";
import type { JSX } from "preact";
import { useState } from "preact/hooks";
import { problemOf } from "../session/api.ts";
import type { Loaded } from "../session/use-load.ts";
import { words } from "../text/words.ts";
import { Button } from "./fields.tsx";

interface ProblemProps {
  readonly error: unknown;
  readonly onRetry?: () => void;
}

export function Problem({ error, onRetry }: ProblemProps): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>{isUnreachable(error) ? words.state.away : `${words.state.failed}: ${problemOf(error)}`}</p>
      {onRetry !== undefined && <Button text={words.state.retry} onClick={onRetry} />}
    </div>
  );
}

/** Draws nothing once loaded. */
export function Pending({ of: loaded }: { readonly of: Loaded<unknown> }): JSX.Element | null {
  if (loaded.state === "loading") return <p class="quiet">{words.state.loading}</p>;
  return loaded.state === "failed" ? <Problem error={loaded.error} onRetry={loaded.reload} /> : null;
}

interface Trying {
  /** Returns whether `work` succeeded. A text that it returns becomes `done`. */
  readonly trying: (work: () => Promise<unknown>) => Promise<boolean>;
  readonly isRunning: boolean;
  /** Shows the error of the latest `work`. */
  readonly problem: JSX.Element | undefined;
  /** Outcome of the latest `work`, if it succeeded. */
  readonly done: string;
  readonly announce: (done: string) => void;
}

/** For actions whose outcome is shown where they were started. */
export function useTrying(): Trying {
  const [error, setError] = useState<unknown>();
  const [done, setDone] = useState("");
  const [isRunning, setIsRunning] = useState(false);
  const announce = (text: string): void => {
    setError(undefined);
    setDone(text);
  };
  const trying = async (work: () => Promise<unknown>): Promise<boolean> => {
    announce("");
    setIsRunning(true);
    try {
      const result = await work();
      if (typeof result === "string") setDone(result);
      return true;
    } catch (cause) {
      setError(cause);
      return false;
    } finally {
      setIsRunning(false);
    }
  };
  const problem = error === undefined ? undefined : <Problem error={error} />;
  return { trying, isRunning, problem, done, announce };
}
