import { isUnreachable } from "@incipit/client/session";
import type { JSX } from "preact";
import { problemOf } from "../session/api.ts";
import { words } from "../text/words.ts";

export function Problem({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}): JSX.Element {
  return (
    <div class="problem" role="alert">
      <p>{isUnreachable(error) ? words.state.away : `${words.state.failed}: ${problemOf(error)}`}</p>
      {onRetry !== undefined && (
        <button type="button" onClick={onRetry}>
          {words.state.retry}
        </button>
      )}
    </div>
  );
}
