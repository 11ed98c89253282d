import { type ExtensionInfo, routes } from "@incipit/transport-contract";
import { resolve } from "node:path";
import { isAgreed } from "../questions/is-agreed.ts";
import { hanging } from "../output/error-text.ts";
import { isTooNarrowFor } from "../output/row-lines.ts";
import type { Call } from "../registry/command.ts";
import { granting } from "./add-extension.ts";
import { describeSwap, detailsLead, detailsOf, listHeader } from "./extension-text.ts";
import { printExtension } from "./print-extension.ts";

const edgeLead = 6;

export async function listExtensions({ args, output, host }: Call): Promise<void> {
  const { extensions } = await (await host.client()).call(routes.listExtensions);
  if (!args.isJson && !isTooNarrowFor([listHeader], output)) output.outRow(listHeader);
  for (const extension of extensions) printExtension(extension, { args, output });
}

export async function showGraph({ args, output, host }: Call): Promise<void> {
  const { extensions } = await (await host.client()).call(routes.listExtensions);
  if (args.isJson) output.outLine(JSON.stringify(extensions));
  else
    for (const row of drawGraph(extensions).trimEnd().split("\n"))
      output.outRow(row, row.startsWith(" ") ? edgeLead : undefined);
}

export async function showExtension({ words: [id], args, output, host }: Call<[id: string]>): Promise<void> {
  const { extension } = await (await host.client()).call(routes.getExtension, { params: { id } });
  if (args.isJson) output.outLine(JSON.stringify(extension));
  else for (const row of detailsOf(extension).trimEnd().split("\n")) output.outRow(row, detailsLead);
}

export async function loadExtension({ words: [id], args, output, host }: Call<[id: string]>): Promise<number> {
  const { extension } = await (await host.client()).call(routes.loadExtension, { params: { id } });
  printExtension(extension, { args, output });
  if (extension.phase === "active") return 0;
  output.errLine(`"${id}" did not start: it is ${extension.phase}`);
  return 1;
}

export async function unloadExtension({ words: [id], args, output, host }: Call<[id: string]>): Promise<void> {
  const { extension } = await (await host.client()).call(routes.unloadExtension, { params: { id } });
  printExtension(extension, { args, output });
}

export async function removeExtension(call: Call<[id: string], "isGranted">): Promise<void> {
  const { args, output, host } = call;
  const [id] = call.words;
  const client = await host.client();
  const { extension, stored } = await client.call(routes.removeExtension, { params: { id } });
  if (args.isJson) printExtension(extension, { args, output });
  else
    output.outLine(
      `Removed "${id}" and its grant; its stored data is kept${stored === 0 ? "" : ` (entries: ${stored})`}`,
    );
  if (stored > 0 && !args.isGranted && (await isAgreed("Delete its stored data? [y/N] ", output))) {
    await client.call(routes.deleteExtensionData, { params: { id } });
    output.outLine(`Deleted the stored data of "${id}"`);
  }
}

export async function swapExtension(call: Call<[id: string, path?: string], "isGranted">): Promise<number> {
  const { args, output, host } = call;
  const [id, given] = call.words;
  const client = await host.client();
  const path = given === undefined ? {} : { path: resolve(given) };
  const report = await granting({ args, output }, (grant) =>
    client.call(routes.swapExtension, { params: { id }, body: { ...path, ...grant } }),
  );
  if (report === undefined) return 1;
  if (args.isJson) output.outLine(JSON.stringify(report));
  else output.out(`${hanging(describeSwap(id, report))}\n`);
  return report.outcome === "swapped" || report.outcome === "loaded" ? 0 : 1;
}

/** Under each extension: `──` required, `┄┄` optional, `<-` reads contributions. */
export function drawGraph(extensions: readonly ExtensionInfo[]): string {
  const providers = (service: string): readonly ExtensionInfo[] =>
    extensions.filter(({ provides }) => provides.includes(service));
  const name = ({ id, phase, generation }: ExtensionInfo): string =>
    phase === "active" ? `${id} #${generation}` : `${id} (${phase})`;
  const edgesOf = (extension: ExtensionInfo): readonly string[] => {
    const edge = (line: string, service: string, missing: string): string => {
      const from = providers(service).map(({ id }) => id);
      return `${line} ${service}  ${from.length === 0 ? missing : from.join(", ")}`;
    };
    return [
      ...extension.requires.map((service) =>
        edge("──", service, extension.waitsFor.includes(service) ? "nobody provides it!" : "(the host itself)"),
      ),
      ...extension.uses.map((service) => edge("┄┄", service, "(the host itself, or nobody)")),
      ...extension.reads.map((point) => {
        const from = extensions.filter(({ contributes }) => contributes.includes(point)).map(({ id }) => id);
        return `<- ${point}  ${from.join(", ") || "(nobody)"}`;
      }),
    ];
  };
  const drawn = extensions.map((extension) => {
    const edges = edgesOf(extension);
    const rows = edges.map((edge, index) => `${index === edges.length - 1 ? "  └" : "  ├"}${edge}\n`);
    return `${name(extension)}\n${rows.join("")}`;
  });
  return `${drawn.join("")}── requires   ┄┄ uses when there   <- reads what is contributed\n`;
}
