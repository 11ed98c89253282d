import { escapeHiddenLine } from "@incipit/schema/text";
import { routes, type ConfiguredKeyInfo } from "@incipit/transport-contract";
import type { Call } from "../registry/command.ts";
import type { Output } from "../output/output.ts";
import { isTooNarrowFor } from "../output/row-lines.ts";

export async function configuration({ words, args, output, host }: Call<string[]>): Promise<void> {
  const { out, outLine, outExact, errLine } = output;
  const { keys } = await (await host.client()).call(routes.getConfiguration);
  const listed = keys.filter((key) =>
    words.length === 0 ? isWritten(key) : words.every((word) => nameOf(key).includes(word)),
  );
  if (args.isJson) {
    for (const key of listed) outLine(JSON.stringify(key));
    return;
  }
  // The file gets a line above, so that each entry stays on one line and can be copied.
  const isNarrow = isTooNarrowFor(
    listed.map((key) => escapeHiddenLine(lineOf(key))),
    output,
  );
  let above: string | undefined;
  for (const key of listed) {
    if (!isNarrow) outLine(escapeHiddenLine(lineOf(key)));
    else {
      const place = key.origin.kind === "file" ? key.origin.file : placeOf(key);
      if (place !== above) out(`${above === undefined ? "" : "\n"}# ${escapeHiddenLine(place)}\n`);
      above = place;
      outExact(`${narrowLine(key, output)}\n`);
    }
  }
  if (words.length === 0)
    errLine(`(${keys.length - listed.length} more have their defaults: name some, as in "incipit config listen")`);
  else if (listed.length === 0)
    errLine(`No key of ${keys.length} has ${words.map((word) => `"${word}"`).join(" and ")} in its name`);
  if (listed.some(({ isRedacted }) => isRedacted)) errLine("(Secrets are left out)");
}

function isWritten({ origin: { kind } }: ConfiguredKeyInfo): boolean {
  return kind !== "default" && kind !== "not-set";
}

function lineOf(key: ConfiguredKeyInfo): string {
  return `${writtenOf(key)}  # ${placeOf(key)}`;
}

function narrowLine(key: ConfiguredKeyInfo, { width }: Pick<Output, "width">): string {
  const written = escapeHiddenLine(writtenOf(key));
  if (key.origin.kind !== "file") return written;
  const line = `  # line ${key.origin.line}`;
  return Bun.stringWidth(written + line) <= width ? written + line : `${written}\n  ${line}`;
}

function writtenOf(key: ConfiguredKeyInfo): string {
  const name = nameOf(key);
  return key.origin.kind === "not-set" ? `# ${name}` : `${name} = ${JSON.stringify(key.value)}`;
}

function nameOf({ path }: ConfiguredKeyInfo): string {
  return path.map((part) => (/^[\w-]+$/.test(part) ? part : JSON.stringify(part))).join(".");
}

function placeOf({ origin }: ConfiguredKeyInfo): string {
  switch (origin.kind) {
    case "file":
      return `${origin.file}:${origin.line}`;
    case "variable":
      return `variable ${origin.name}`;
    case "flag":
      return origin.name;
    case "default":
      return "default";
    case "not-set":
      return "not set";
  }
}
