import type { ConversationId, PromptDrift } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { useEffect } from "preact/hooks";
import { api } from "../session/api.ts";
import { useLoad, useRefresh, type Loaded } from "../session/use-load.ts";

/** Interval of checking for drift, because changes of files emit no event. */
const askedAgainMs = 30_000;

/** Also refreshed when the page becomes visible. */
export function useDrift(id: ConversationId, keys: readonly unknown[]): Loaded<PromptDrift | null> {
  const loaded = useLoad(
    async (signal) => (await api.call(routes.getDrift, { params: { id }, signal })).drift,
    [id, ...keys],
  );
  const { reload } = loaded;
  useRefresh(reload, askedAgainMs);
  useEffect(() => {
    const askAgain = (): void => {
      if (!document.hidden) reload();
    };
    addEventListener("focus", askAgain);
    return () => removeEventListener("focus", askAgain);
  }, [reload]);
  return loaded;
}
