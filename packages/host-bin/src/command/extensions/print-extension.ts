import type { ExtensionInfo } from "@incipit/transport-contract";
import { isTooNarrowFor } from "../output/row-lines.ts";
import type { Call } from "../registry/command.ts";
import { lineOf, listHeader, listLead } from "./extension-text.ts";

export function printExtension(extension: ExtensionInfo, { args, output }: Pick<Call, "args" | "output">): void {
  const isNarrow = isTooNarrowFor([listHeader], output);
  if (args.isJson) output.outLine(JSON.stringify(extension));
  else
    output.outRow(
      lineOf(extension, { isNamed: isNarrow, isScreen: output.isScreen }),
      isNarrow ? undefined : listLead,
    );
}
