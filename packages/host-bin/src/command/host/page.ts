import { DataFolder, directFetch, tokenOf } from "@incipit/host/data-folder";
import { createClient, routes } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";

export async function page({ args: { isJson }, output: { outLine, errLine }, host }: Call): Promise<void> {
  const { dataFolder } = await host.load();
  const state = DataFolder.look(dataFolder);
  const url = state.kind === "held" ? state.holder?.url : undefined;
  if (url === undefined)
    throw new Error(
      `No host runs on "${dataFolder}": start it with "incipit serve", which prints such a link, too`,
    );
  const client = createClient({ url, token: tokenOf(dataFolder), fetch: directFetch });
  const link = await client.call(routes.createSignInLink);
  outLine(isJson ? JSON.stringify(link) : link.url);
  if (!isJson) errLine("Open it in a browser within a quarter of an hour; it works once");
}
