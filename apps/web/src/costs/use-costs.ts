import type { Cost } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { useState } from "preact/hooks";
import { api } from "../session/api.ts";
import { useLoad, type Loaded } from "../session/use-load.ts";
import { beginningOf, ownZone } from "./days.ts";

export interface Costs {
  readonly loaded: Loaded<readonly Cost[]>;
  readonly known: readonly Cost[];
  readonly reload: () => void;
}

/** Returns each page as it arrives. */
export function useCosts(firstDay: string): Costs {
  const [known, setKnown] = useState<readonly Cost[]>([]);
  const { loaded, reload } = useLoad(
    async (signal) => {
      const costs: Cost[] = [];
      const since = beginningOf(firstDay).toISOString();
      let cursor: string | undefined;
      do {
        const query = { since, zone: ownZone(), ...(cursor === undefined ? {} : { cursor }) };
        const page = await api.call(routes.listCosts, { query, signal });
        costs.push(...page.costs);
        cursor = page.nextCursor;
        if (!signal.aborted) setKnown([...costs]);
      } while (cursor !== undefined);
      return costs;
    },
    [firstDay],
  );
  return { loaded, known, reload };
}
