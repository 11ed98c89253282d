import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useCommands } from "../controls/commands.ts";
import { Problem } from "../controls/problem.tsx";
import { words } from "../text/words.ts";
import { erase, undoDeletion, useDeletions, type Deletion } from "./deletions.ts";

/** So long a deletion can be undone; it does not run out under somebody's hand. */
const undoSeconds = 20;

/** What was deleted, as long as that can be undone. */
export function DeletionNotices(): JSX.Element {
  const deletions = useDeletions();
  useCommands(
    deletions.map(({ id, title }) => ({
      id: `undo-${id}`,
      label: words.commands.undoDeletion(title),
      run: () => undoDeletion(id),
    })),
  );
  return (
    <div class="notices" role="region" aria-label={words.deletion.label}>
      <div role="status">
        {deletions.map((deletion) => (
          <HeldNotice key={deletion.id} deletion={deletion} />
        ))}
      </div>
    </div>
  );
}

/** One tab of a browser shows it and counts; when that is closed, another one begins to. */
function HeldNotice({ deletion }: { readonly deletion: Deletion }): JSX.Element | null {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    // A page that came over a network without TLS has no locks: each of its tabs counts then.
    if (!("locks" in navigator)) {
      setIsHeld(true);
      return undefined;
    }
    const left = new AbortController();
    const untilLeft = new Promise<void>((resolve) => left.signal.addEventListener("abort", () => resolve()));
    navigator.locks
      .request(`deleting:${deletion.id}`, { signal: left.signal }, () => {
        setIsHeld(true);
        return untilLeft;
      })
      .catch(() => undefined); // It was left before it was its turn.
    return () => left.abort();
  }, [deletion.id]);
  return isHeld ? <Notice deletion={deletion} /> : null;
}

function Notice({ deletion: { id, title } }: { readonly deletion: Deletion }): JSX.Element {
  const said = words.deletion;
  const [secondsLeft, setSecondsLeft] = useState(undoSeconds);
  const [isHeldUp, setIsHeldUp] = useState(false);
  const [isErasing, setIsErasing] = useState(false);
  const [error, setError] = useState<unknown>();
  const eraseNow = (): void => {
    setError(undefined);
    setIsErasing(true);
    erase(id)
      .catch(setError)
      .finally(() => setIsErasing(false));
  };
  useEffect(() => {
    if (isHeldUp || isErasing || error !== undefined) return undefined;
    const timer = setTimeout(() => {
      if (secondsLeft > 1) setSecondsLeft(secondsLeft - 1);
      else eraseNow();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, isHeldUp, isErasing, error]);
  return (
    <div
      class="notice"
      onMouseEnter={() => setIsHeldUp(true)}
      onMouseLeave={() => setIsHeldUp(false)}
      onFocusIn={() => setIsHeldUp(true)}
      onFocusOut={() => setIsHeldUp(false)}
    >
      <p>
        <span dir="auto">{said.deleted(title)}</span>{" "}
        <span class="quiet" aria-hidden="true">
          {said.erasedIn(secondsLeft)}
        </span>
        <span class="unseen">{said.erasedIn(undoSeconds)}</span>
      </p>
      <div class="row">
        <button type="button" class="main" onClick={() => undoDeletion(id)}>
          {said.undo}
        </button>
        <button type="button" class="plain" onClick={eraseNow}>
          {said.eraseNow}
        </button>
      </div>
      {error !== undefined && <Problem error={error} onRetry={eraseNow} />}
    </div>
  );
}
