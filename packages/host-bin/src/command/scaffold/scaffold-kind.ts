import type { Manifest } from "@incipit/kernel";

export interface ScaffoldName {
  /** `open-weather`, from the folder; the id is `my.open-weather`. */
  readonly name: string;
  /** `open_weather`, where "-" is not allowed; distinct from the host's own variables. */
  readonly word: string;
  readonly folder: string;
}

/** A kind of extension that `extensions new` writes. */
export interface ScaffoldKind {
  /** What the extension provides: `the tool "weather_greet"`. */
  readonly gives: (name: ScaffoldName) => string;
  /** Manifest without `id`, `version` and `api`. */
  readonly manifest: (name: ScaffoldName) => Omit<Manifest, "id" | "version" | "api">;
  /** Files by path, including `src/index.ts`. */
  readonly code: (name: ScaffoldName) => Readonly<Record<string, string>>;
  readonly test: (name: ScaffoldName) => string;
  /** Commands to try it once loaded; `shown` is the shell-quoted folder. */
  readonly next: (name: ScaffoldName, shown: string) => readonly string[];
}
