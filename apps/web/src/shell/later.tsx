import type { ComponentType, JSX } from "preact";
import { Problem } from "../controls/problem.tsx";
import { useLoad } from "../session/use-load.ts";
import { words } from "../text/words.ts";

interface LaterProps<Props> {
  readonly load: () => Promise<ComponentType<Props>>;
  readonly props: Props & JSX.IntrinsicAttributes;
}

export function Later<Props>({ load, props }: LaterProps<Props>): JSX.Element {
  const loaded = useLoad(load, [load]);
  if (loaded.state === "ready") return <loaded.value {...props} />;
  return (
    <main id="content" tabIndex={-1} aria-label={words.state.loading}>
      {loaded.state === "loading" ? (
        <p class="quiet">{words.state.loading}</p>
      ) : (
        // Browsers cache a failed import; only a reload retries it.
        <Problem error={loaded.error} onRetry={() => location.reload()} />
      )}
    </main>
  );
}
