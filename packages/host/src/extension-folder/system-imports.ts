import { isBuiltin } from "node:module";
import { lineAt } from "./macro-import.ts";

export interface SystemImport {
  readonly module: string;
  readonly file: string;
  readonly line: number;
}

/** Runtime modules that `isBuiltin` does not list. */
const otherModules: ReadonlySet<string> = new Set(["bun", "node-fetch", "@vercel/fetch"]);

export function isSystemModule(module: string): boolean {
  return isBuiltin(module) || otherModules.has(module) || /^(node|bun):/.test(module);
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [/^[./]|^(node:)?(fs|path)(\/|$)/, "host.fs"],
  [/^(node:)?child_process$/, "host.spawn"],
  [/^(node:)?(https?|http2|net|tls|dgram|dns|undici|ws|node-fetch)(\/|$)/, "host.net or host.listen"],
  [/^(node:|bun:)sqlite$/, "host.storage"],
  [/^(node:)?(process|os)$/, "host.env"],
  [/^(node:)?timers(\/|$)/, "host.clock"],
];

export function systemRemedy(module: string): string {
  const instead = remedies.find(([pattern]) => pattern.test(module))?.[1] ?? "the host API";
  return `use ${instead}, or grant "system"`;
}

const marker = "incipit:here";

/** Ignores comments and strings with the same text. */
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

/** A file written by hand has fewer occurrences. */
const maxPlaces = 20;

function placesOf(quoted: string, text: string): readonly number[] {
  const places: number[] = [];
  for (let at = text.indexOf(quoted); at !== -1 && places.length < maxPlaces; at = text.indexOf(quoted, at + 1)) {
    places.push(at + 1);
  }
  return places;
}
