import { DataFolder, directFetch, type Holder, tokenOf } from "@incipit/host/data-folder";
import { createClient, type Client } from "@incipit/transport-contract";

export function clientOf(holder: Holder, dataFolder: string): Client | undefined {
  const { url } = holder;
  if (url === undefined) return undefined;
  return createClient({ url, token: tokenOf(dataFolder), fetch: fetchOf(holder, dataFolder) });
}

/** Another process, perhaps of another user, may have taken the host's port and must not receive the token. */
function fetchOf(holder: Holder, dataFolder: string): typeof directFetch {
  return async (url, init) => {
    if (DataFolder.isHeldBy(dataFolder, holder)) return directFetch(url, init);
    throw new Error("it has ended");
  };
}
