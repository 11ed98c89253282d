import { routes, type Client, type ExtensionInfo } from "@incipit/transport-contract";
import { UsageError, type Arguments } from "./arguments.ts";
import type { Output } from "./output.ts";

/** `extensions [list]`, `load ID`, `unload ID`. */
export async function extensions(client: Client, args: Arguments, { out, err }: Output): Promise<number> {
  const [action = "list", id, tooMany = action === "list" ? id : undefined] = args.words;
  if (tooMany !== undefined) throw new UsageError(`"extensions ${action}" takes no "${tooMany}"`);
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
  const { extension } = await client.call(route, { params: { id } });
  show([extension]);
  if (action === "load" && extension.phase !== "active") {
    err(`"${id}" did not start: it is ${extension.phase}\n`);
    return 1;
  }
  return 0;
}

function line({ id, version, phase, waitsFor, lastError }: ExtensionInfo): string {
  const waiting = waitsFor.length === 0 ? "" : `  waits for ${waitsFor.join(", ")}`;
  return `${id.padEnd(22)} ${version.padEnd(8)} ${phase}${waiting}${lastError === null ? "" : `  ${lastError.message}`}`;
}
