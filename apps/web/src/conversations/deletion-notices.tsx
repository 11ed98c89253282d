import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useCommands } from "../controls/commands.ts";
import { Button } from "../controls/fields.tsx";
import { Problem } from "../controls/problem.tsx";
import { words } from "../text/words.ts";
import { erase, isPending, undoDeletion, type Deletion } from "./deletions.ts";

/** Paused while the notice has pointer or focus. */
const undoSeconds = 20;

export function DeletionNotices({ deletions }: { readonly deletions: readonly Deletion[] }): JSX.Element {
  useCommands(
    deletions.map(({ id, title }) => ({
      id: `undo-${id}`,
      label: words.commands.undoDeletion(title),
      run: () => void undoDeletion(id).catch(() => undefined),
    })),
  );
  return (
    <div class="notices" role="region" aria-label={words.deletion.label}>
      <div role="status">
        {deletions.map((deletion) => (
          <Notice key={deletion.id} deletion={deletion} />
        ))}
      </div>
    </div>
  );
}

/** In every tab; one counts down, another takes over when it is closed. */
function Notice({ deletion: { id, title } }: { readonly deletion: Deletion }): JSX.Element {
  const said = words.deletion;
  const isCounting = useHeld(`deleting:${id}`, true);
  const [isUnderHand, setIsUnderHand] = useState(false);
  useHeld(handOf(id), isUnderHand);
  const [secondsLeft, setSecondsLeft] = useState(undoSeconds);
  const [isErasing, setIsErasing] = useState(false);
  const [error, setError] = useState<unknown>();
  const eraseWhen = (free: Promise<void>): void => {
    setError(undefined);
    setIsErasing(true);
    free
      .then(() => (isPending(id) ? erase(id) : undefined))
      .catch(setError)
      .finally(() => setIsErasing(false));
  };
  const isWaiting = !isCounting || isUnderHand || isErasing || error !== undefined;
  useEffect(() => {
    if (isWaiting) return undefined;
    const timer = setTimeout(() => {
      if (secondsLeft > 1) setSecondsLeft(secondsLeft - 1);
      else eraseWhen(letGo(handOf(id)));
    }, 1_000);
    return () => clearTimeout(timer);
  }, [secondsLeft, isWaiting]);
  const undo = (): void => {
    setError(undefined);
    undoDeletion(id).catch(setError);
  };
  const eraseNow = (): void => eraseWhen(Promise.resolve());
  return (
    <div
      class="notice"
      onMouseEnter={() => setIsUnderHand(true)}
      onMouseLeave={() => setIsUnderHand(false)}
      onFocusIn={() => setIsUnderHand(true)}
      onFocusOut={() => setIsUnderHand(false)}
    >
      <p>
        <span dir="auto">{said.deleted(title)}</span>{" "}
        <span class="quiet" aria-hidden="true">
          {isCounting ? said.erasedIn(secondsLeft) : said.erasedSoon}
        </span>
        <span class="unseen">{said.erasedIn(undoSeconds)}</span>
      </p>
      <div class="row">
        <Button text={said.undo} class="main" onClick={undo} />
        <Button text={said.eraseNow} class="plain" onClick={eraseNow} />
      </div>
      {error !== undefined && <Problem error={error} onRetry={eraseNow} />}
    </div>
  );
}

/** Held by a tab whose notice has pointer or focus. */
function handOf(id: string): string {
  return `deletion-in-hand:${id}`;
}

/** Without TLS on other hosts than localhost, each tab counts down separately. */
function locks(): LockManager | undefined {
  return "locks" in navigator ? navigator.locks : undefined;
}

function useHeld(name: string, isWanted: boolean): boolean {
  const [isHeld, setIsHeld] = useState(false);
  useEffect(() => {
    if (!isWanted) return undefined;
    const left = new AbortController();
    const untilLeft = new Promise<void>((resolve) => left.signal.addEventListener("abort", () => resolve()));
    const hold = (): Promise<void> => {
      setIsHeld(true);
      return untilLeft;
    };
    const held = locks()?.request(name, { signal: left.signal }, hold) ?? hold();
    held.catch(() => undefined);
    return () => {
      left.abort();
      setIsHeld(false);
    };
  }, [name, isWanted]);
  return isHeld;
}

async function letGo(name: string): Promise<void> {
  await locks()?.request(name, () => undefined);
}
