import { DataFolder, directFetch, type Holder, tokenOf } from "@incipit/host/data-folder";
import { createClient, type Client } from "@incipit/transport-contract";

/** A client of the host that runs on the data folder; `undefined`: it has no HTTP API. */
export function clientOf(holder: Holder, dataFolder: string): Client | undefined {
  const { url } = holder;
  if (url === undefined) return undefined;
  return createClient({ url, token: tokenOf(dataFolder), fetch: fetchOf(holder, dataFolder) });
}

/** Asks this host for as long as it is there: whoever has its port behind it, such as another user, gets no token and no word. */
function fetchOf(holder: Holder, dataFolder: string): typeof directFetch {
  return async (url, init) => {
    if (DataFolder.isHeldBy(dataFolder, holder)) return directFetch(url, init);
    throw new Error("it has ended");
  };
}
