import type { ComponentType, JSX } from "preact";
import { Problem } from "../controls/problem.tsx";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";

interface LaterProps<Props> {
  /** The same function each time: another one loads anew. */
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props & JSX.IntrinsicAttributes;
}

/** A view that is loaded once somebody opens it: the first one stays small. */
export function Later<Props>({ load, props }: LaterProps<Props>): JSX.Element {
  const { loaded } = useLoad(load, [load]);
  if (loaded.state === "ready") return <loaded.value {...props} />;
  return (
    <main id="content" tabIndex={-1} aria-label={words.state.loading}>
      {loaded.state === "loading" ? (
        <p class="quiet">{words.state.loading}</p>
      ) : (
        // A chunk that could not be had is asked for again by a reload alone.
        <Problem error={loaded.error} onRetry={() => location.reload()} />
      )}
    </main>
  );
}
