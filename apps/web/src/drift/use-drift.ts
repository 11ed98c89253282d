import type { ConversationId, PromptDrift } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { useEffect } from "preact/hooks";
import { api } from "../session/api.ts";
import { useLoad, type Loaded } from "../session/use-load.ts";
import { useRefresh } from "../session/use-refresh.ts";

/** File changes raise no event. */
const askedAgainMs = 30_000;

/** Also refreshed when the page becomes visible. */
export function useDrift(
  id: ConversationId,
  keys: readonly unknown[],
): { readonly loaded: Loaded<PromptDrift | null>; readonly reload: () => void } {
  const { loaded, reload } = useLoad(
    async (signal) => (await api.call(routes.getDrift, { params: { id }, signal })).drift,
    [id, ...keys],
  );
  useRefresh(reload, askedAgainMs);
  useEffect(() => {
    const askAgain = (): void => {
      if (!document.hidden) reload();
    };
    addEventListener("focus", askAgain);
    return () => removeEventListener("focus", askAgain);
  }, [reload]);
  return { loaded, reload };
}
