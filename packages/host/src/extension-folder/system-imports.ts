import { isBuiltin } from "node:module";
import { lineAt } from "./macro-import.ts";

/** An import that needs the power of the whole process, and where it is written. */
export interface SystemImport {
  /** Such as `node:fs` or `bun`; or a file outside the extension's folder. */
  readonly module: string;
  /** Path relative to the extension's folder. */
  readonly file: string;
  /** Counted from 1. */
  readonly line: number;
}

/** Modules of the runtime that it does not name as such. */
const otherModules: ReadonlySet<string> = new Set(["bun", "node-fetch", "@vercel/fetch"]);

export function isSystemModule(module: string): boolean {
  return isBuiltin(module) || otherModules.has(module) || /^(node|bun):/.test(module);
}

/** What an author uses in place of a module; the others have no equal. */
const remedies: readonly (readonly [RegExp, string])[] = [
  [/^[./]|^(node:)?(fs|path)(\/|$)/, "host.fs"],
  [/^(node:)?child_process$/, "host.spawn"],
  [/^(node:)?(https?|http2|net|tls|dgram|dns|undici|ws|node-fetch)(\/|$)/, "host.net or host.listen"],
  [/^(node:|bun:)sqlite$/, "host.storage"],
  [/^(node:)?(process|os)$/, "host.env"],
  [/^(node:)?timers(\/|$)/, "host.clock"],
];

/** What to do about an import that is refused. */
export function systemRemedy(module: string): string {
  const instead = remedies.find(([pattern]) => pattern.test(module))?.[1] ?? "what host offers";
  return `use ${instead}, or grant "system"`;
}

const marker = "incipit:here";

/** Line of the import of `module`, counted from 1. A comment or a string that reads like one is not taken for it. */
export function lineOfImport(text: string, module: string, loader: Bun.JavaScriptLoader): number {
  const transpiler = new Bun.Transpiler({ loader });
  const isImport = (index: number): boolean => {
    const changed = text.slice(0, index) + marker + text.slice(index + module.length);
    try {
      return transpiler.scanImports(changed).some(({ path }) => path === marker);
    } catch {
      return false;
    }
  };
  const places = [`"${module}"`, `'${module}'`, `\`${module}\``].flatMap((quoted) => placesOf(quoted, text));
  const found = places.toSorted((a, b) => a - b).find(isImport) ?? places[0];
  return found === undefined ? 1 : lineAt(text, found);
}

/** Enough for a file that is written by people; a longer search would cost more than the line is worth. */
const maxPlaces = 20;

function placesOf(quoted: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(quoted); at !== -1 && places.length < maxPlaces; at = text.indexOf(quoted, at + 1)) {
    places.push(at + 1);
  }
  return places;
}
