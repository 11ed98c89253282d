/** Preloaded into a host that runs from source: counts the calls of each function, and writes them on `SIGUSR2`. */
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, Visitor, type ArrowFunctionExpression, type Function as FunctionNode } from "oxc-parser";

const root = join(import.meta.dir, "../..");
const output = process.env["COUNTED_CALLS"] ?? "";
const sources = /[\\/](?:packages|extensions)[\\/][^\\/]+[\\/](?:src[\\/].*|[^\\/]+)\.ts$/;
const places: string[] = [];
const counts = new Map<number, number>();

Object.assign(globalThis, {
  __count(index: number): void {
    counts.set(index, (counts.get(index) ?? 0) + 1);
  },
});

process.on("SIGUSR2", () => {
  const calls = [...counts].map(([index, count]) => ({ place: places[index], count }));
  counts.clear();
  writeFileSync(`${output}.part`, JSON.stringify(calls));
  renameSync(`${output}.part`, output);
});

Bun.plugin({
  name: "count-calls",
  setup(build) {
    build.onLoad({ filter: sources }, async ({ path }) => ({
      contents: path.startsWith(root) ? counted(path, await Bun.file(path).text()) : await Bun.file(path).text(),
      loader: "ts",
    }));
  },
});

function counted(path: string, source: string): string {
  const edits: { readonly at: number; readonly text: string }[] = [];
  const add = ({ body, start }: FunctionNode | ArrowFunctionExpression): void => {
    if (body === null) return;
    const call = `globalThis.__count(${places.length})`;
    places.push(`${path.slice(root.length + 1)}:${source.slice(0, start).split("\n").length}`);
    if (body.type === "BlockStatement") edits.push({ at: body.start + 1, text: `${call};` });
    else edits.push({ at: body.start, text: `(${call},` }, { at: body.end, text: ")" });
  };
  const { program } = parseSync(path, source);
  new Visitor({ FunctionDeclaration: add, FunctionExpression: add, ArrowFunctionExpression: add }).visit(program);
  let text = source;
  const backwards = edits
    .map((edit, order) => ({ edit, order }))
    .toSorted((a, b) => b.edit.at - a.edit.at || b.order - a.order);
  for (const { edit } of backwards) text = text.slice(0, edit.at) + edit.text + text.slice(edit.at);
  return text;
}
