import { routes, type Client, type ExtensionInfo } from "@incipit/transport-contract";
import { resolve } from "node:path";
import { suggestion } from "@incipit/common/suggestion";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { isAgreed } from "../questions/is-agreed.ts";
import { hanging } from "../output/error-text.ts";
import type { Output } from "../output/output.ts";
import { isTooNarrowFor } from "../output/row-lines.ts";
import { addExtension, granting } from "./add-extension.ts";
import { dev } from "./dev.ts";
import { drawGraph } from "./draw-graph.ts";
import { describeSwap, detailsLead, detailsOf, lineOf, listHeader, listLead } from "./extension-text.ts";

const actions = {
  list: [],
  graph: [],
  show: ["ID"],
  load: ["ID"],
  unload: ["ID"],
  remove: ["ID"],
  add: ["PATH"],
  dev: ["PATH"],
  swap: ["ID", "[PATH]"],
} as const satisfies Record<string, readonly string[]>;
type Action = keyof typeof actions;

const edgeLead = 6;

export async function extensions(client: Client, args: Arguments, output: Output): Promise<number> {
  const { action, first, second } = understood(args.words);
  const [kind] = args.extensionKinds;
  if (kind !== undefined) throw new UsageError(`"--${kind}" is for "extensions new", which begins one`);
  const { out, outLine, errLine } = output;
  const isNarrow = isTooNarrowFor([listHeader], output);
  const show = (extension: ExtensionInfo): void =>
    args.isJson
      ? outLine(JSON.stringify(extension))
      : output.outRow(
          lineOf(extension, { isNamed: isNarrow, isScreen: output.isScreen }),
          isNarrow ? undefined : listLead,
        );
  const params = { id: first };
  switch (action) {
    case "list": {
      if (!args.isJson && !isNarrow) output.outRow(listHeader);
      for (const extension of (await client.call(routes.listExtensions)).extensions) show(extension);
      return 0;
    }
    case "graph": {
      const { extensions: all } = await client.call(routes.listExtensions);
      if (args.isJson) outLine(JSON.stringify(all));
      else
        for (const row of drawGraph(all).trimEnd().split("\n"))
          output.outRow(row, row.startsWith(" ") ? edgeLead : undefined);
      return 0;
    }
    case "show": {
      const { extension } = await client.call(routes.getExtension, { params });
      if (args.isJson) outLine(JSON.stringify(extension));
      else for (const row of detailsOf(extension).trimEnd().split("\n")) output.outRow(row, detailsLead);
      return 0;
    }
    case "unload": {
      show((await client.call(routes.unloadExtension, { params })).extension);
      return 0;
    }
    case "remove": {
      const { extension, stored } = await client.call(routes.removeExtension, { params });
      if (args.isJson) show(extension);
      else
        outLine(
          `Removed "${first}" and its grant; what it has stored is kept${stored === 0 ? "" : ` (entries: ${stored})`}`,
        );
      if (stored > 0 && !args.isGranted && (await isAgreed("Delete what it has stored? [y/N] ", output))) {
        await client.call(routes.deleteExtensionData, { params });
        outLine(`Deleted what "${first}" had stored`);
      }
      return 0;
    }
    case "load": {
      const { extension } = await client.call(routes.loadExtension, { params });
      show(extension);
      if (extension.phase === "active") return 0;
      errLine(`"${first}" did not start: it is ${extension.phase}`);
      return 1;
    }
    case "add": {
      const extension = await addExtension(resolve(first), { client, args, output });
      if (extension === undefined) return 1;
      show(extension);
      return 0;
    }
    case "swap": {
      const path = second === undefined ? {} : { path: resolve(second) };
      const report = await granting({ args, output }, (grant) =>
        client.call(routes.swapExtension, { params, body: { ...path, ...grant } }),
      );
      if (report === undefined) return 1;
      if (args.isJson) outLine(JSON.stringify(report));
      else out(`${hanging(describeSwap(first, report))}\n`);
      return report.outcome === "swapped" || report.outcome === "loaded" ? 0 : 1;
    }
    case "dev":
      return dev(resolve(first), { client, args, output });
  }
}

function understood(words: readonly string[]): {
  readonly action: Action;
  readonly first: string;
  readonly second: string | undefined;
} {
  const [word = "list", first, second] = words;
  const names = Object.keys(actions);
  if (!isAction(word))
    throw new UsageError(`There is no "extensions ${word}"${suggestion(word, [...names, "new", "types"])}`);
  const takes: readonly string[] = actions[word];
  const needed = takes.filter((name) => !name.startsWith("["));
  if (needed.length > Math.max(0, words.length - 1))
    throw new UsageError(`Which extension? Write: incipit extensions ${[word, ...takes].join(" ")}`);
  const stray = words.slice(1)[takes.length];
  if (stray !== undefined) throw new UsageError(`"extensions ${word}" takes no "${stray}"`);
  return { action: word, first: first ?? "", second };
}

function isAction(word: string): word is Action {
  return Object.hasOwn(actions, word);
}
