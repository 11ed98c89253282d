import { routes, type Client } from "@incipit/transport-contract";
import { shaText, tokenText, trustText } from "@incipit/cli-text";
import { suggestion } from "@incipit/common/suggestion";
import { UsageError, type Arguments } from "../arguments/arguments.ts";
import { explainNew } from "./explain-new.ts";
import type { Output } from "../output/output.ts";
import { editTemplate } from "./edit.ts";
import { lintPrompt } from "./lint.ts";
import { previewBody } from "./preview-body.ts";
import { setTemplate } from "./set.ts";
import { diffVersions, listVersions, removeTemplate, restoreVersion, showVersion } from "./versions.ts";

const actions: ReadonlyMap<string, number> = new Map([
  ["show", 1],
  ["set", 1],
  ["edit", 0],
  ["lint", 1],
  ["preview", 1],
  ["explain", 1],
  ["versions", 0],
  ["diff", 2],
  ["restore", 1],
  ["remove", 0],
]);

const textActions: ReadonlySet<string> = new Set(["set", "lint", "preview", "explain"]);

const changes: ReadonlySet<string> = new Set(["set", "edit", "restore", "remove"]);

export async function prompt(client: Client, args: Arguments, output: Output): Promise<number> {
  const [action = "show", ...rest] = args.words;
  const { outLine, outExact, errLine } = output;
  const maxWords = actions.get(action);
  if (maxWords === undefined)
    throw new UsageError(`There is no "prompt ${action}"${suggestion(action, [...actions.keys()])}`);
  const tooMany = rest[maxWords];
  if (tooMany !== undefined) {
    const quote = maxWords > 0 && textActions.has(action) ? "; put a text in quotes" : "";
    throw new UsageError(`"prompt ${action}" takes no "${tooMany}"${quote}`);
  }
  if (args.note !== undefined && !changes.has(action))
    throw new UsageError(`"--note" means nothing to "prompt ${action}"; it is for ${[...changes].join(", ")}`);
  if (args.isGranted && action !== "edit")
    throw new UsageError(`"--yes" means nothing to "prompt ${action}"; it is for edit`);
  switch (action) {
    case "show": {
      if (rest.length > 0) return showVersion(client, args, output);
      const inForce = await client.call(routes.getSystemPrompt);
      const { template, source, version } = inForce;
      if (args.isJson) outLine(JSON.stringify(inForce));
      else outExact(`${template}\n`);
      if (!args.isJson) errLine(`(${source}${version === null ? "" : `, version ${version}`})`);
      return 0;
    }
    case "set":
      return setTemplate(client, args, output);
    case "edit":
      return editTemplate(client, args, output);
    case "lint":
      return lintPrompt(client, args, output);
    case "versions":
      return listVersions(client, args, output);
    case "diff":
      return diffVersions(client, args, output);
    case "restore":
      return restoreVersion(client, args, output);
    case "remove":
      return removeTemplate(client, args, output);
    case "explain":
      return explainNew(client, args, output);
    case "preview": {
      const body = await previewBody(args);
      const { systemPrompt, explain } = await client.call(routes.previewSystemPrompt, { body });
      if (args.isJson) outLine(JSON.stringify({ systemPrompt, explain }));
      else outExact(`${systemPrompt}\n`);
      if (args.isJson) return 0;
      for (const { type, name, kind, trust, source } of explain.variables)
        if (kind === "value" && trust !== null && trust !== "trusted")
          errLine(`[${type}:${name}] is told as the working folder says it, and ${trustText[trust]}: ${source}`);
      for (const { type, name, reason, detail } of explain.variables)
        if (reason !== null)
          errLine(`[${type}:${name}] is blank: ${reason}${detail === null ? "" : ` (${detail})`}`);
      errLine(
        shaText(
          explain.sha256,
          (hash) => `(${explain.sizeBytes} bytes, ${tokenText(explain.tokens)}, SHA-256 ${hash})`,
          output.isScreen ? output.errWidth : Infinity,
        ),
      );
      return 0;
    }
    default:
      return 2;
  }
}
