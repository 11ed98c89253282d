import { sha256Hex } from "@incipit/common";
import { SourceMap } from "node:module";
import { resolve } from "node:path";

const scheme = "incipit-extension:";
/** `    at activate (incipit-extension://acme.weather/0123abcd:12:5)` */
const framePattern = /^(\s+at .*?)(incipit-extension:\/\/([a-z][a-z0-9.-]*)\/[0-9a-f]+):(\d+):(\d+)/;

export function sourceUrlOf(extension: string, text: string): string {
  return `${scheme}//${extension}/${sha256Hex(text).slice(0, 16)}`;
}

/** Returns the extension that threw, or called the code that threw: the one nearest to the top. */
export function extensionOfStack(stack: string): string | undefined {
  for (const line of stack.split("\n")) {
    const id = framePattern.exec(line)?.[3];
    if (id !== undefined) return id;
  }
  return undefined;
}

export interface SourcePlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

export class OriginalPlaces {
  readonly #sourceUrl: string;
  readonly #json: string;
  readonly #cwd: string;
  #map: SourceMap | undefined;

  constructor(sourceUrl: string, { sourceMap, cwd }: { readonly sourceMap: string; readonly cwd: string }) {
    this.#sourceUrl = sourceUrl;
    this.#json = sourceMap;
    this.#cwd = cwd;
  }

  /** `undefined` for generated code, such as the start of a bundle. */
  placeOf(line: number, column: number): SourcePlace | undefined {
    this.#map ??= new SourceMap(JSON.parse(this.#json));
    const entry = this.#map.findEntry(line - 1, column - 1);
    if (!("originalSource" in entry)) return undefined;
    const { originalSource, originalLine, originalColumn } = entry;
    return { file: resolve(this.#cwd, originalSource), line: originalLine + 1, column: originalColumn + 1 };
  }

  topOf(stack: string): SourcePlace | undefined {
    for (const line of stack.split("\n")) {
      const place = this.#placeOfFrame(line);
      if (place !== undefined) return place;
    }
    return undefined;
  }

  originalStack(stack: string): string {
    return stack
      .split("\n")
      .map((frame) => {
        const place = this.#placeOfFrame(frame);
        if (place === undefined) return frame;
        return frame.replace(framePattern, (_, before: string) => `${before}${shownPlace(place)}`);
      })
      .join("\n");
  }

  #placeOfFrame(frame: string): SourcePlace | undefined {
    const [, , sourceUrl, , line, column] = framePattern.exec(frame) ?? [];
    return sourceUrl === this.#sourceUrl ? this.placeOf(Number(line), Number(column)) : undefined;
  }
}

function shownPlace({ file, line, column }: SourcePlace): string {
  return `${file}:${line}:${column}`;
}
