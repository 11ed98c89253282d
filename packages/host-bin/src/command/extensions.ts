import { routes, type Client, type ExtensionInfo } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "./arguments.ts";
import type { Output } from "./ask.ts";

/** `extensions [list]`, `load ID`, `unload ID`. */
export async function extensions(client: Client, args: Arguments, { out }: Output): Promise<number> {
  const [, action = "list", id] = args.words;
  const show = (list: readonly ExtensionInfo[]): void => {
    for (const extension of list) out(args.isJson ? `${JSON.stringify(extension)}\n` : `${line(extension)}\n`);
  };
  if (action === "list") {
    show((await client.call(routes.listExtensions)).extensions);
    return 0;
  }
  if (action !== "load" && action !== "unload")
    throw new UsageError(`There is no "extensions ${action}"; there are list, load and unload`);
  if (id === undefined) throw new UsageError(`Which extension? Write: incipit extensions ${action} ID`);
  const route = action === "load" ? routes.loadExtension : routes.unloadExtension;
  show([(await client.call(route, { params: { id } })).extension]);
  return 0;
}

function line({ id, version, phase, waitsFor, lastError }: ExtensionInfo): string {
  const waiting = waitsFor.length === 0 ? "" : `  waits for ${waitsFor.join(", ")}`;
  return `${id.padEnd(22)} ${version.padEnd(8)} ${phase}${waiting}${lastError === null ? "" : `  ${lastError.message}`}`;
}
