import type { Manifest } from "@incipit/kernel";

/** What an author begins with. */
export interface ScaffoldName {
  /** `open-weather`: after the folder; the id is `my.open-weather`. */
  readonly name: string;
  /** `open_weather`: where there may be no "-", and of none of the host's own variables. */
  readonly word: string;
  /** Absolute. */
  readonly folder: string;
}

/** One kind of extension that `extensions new` writes. */
export interface ScaffoldKind {
  /** What it gives, in a line: `the tool "weather_greet"`. */
  readonly gives: (name: ScaffoldName) => string;
  /** What the manifest has beside `id`, `version` and `api`. */
  readonly manifest: (name: ScaffoldName) => Omit<Manifest, "id" | "version" | "api">;
  /** By path: `src/index.ts` among them. */
  readonly code: (name: ScaffoldName) => Readonly<Record<string, string>>;
  /** `src/index.test.ts`. */
  readonly test: (name: ScaffoldName) => string;
  /** Commands with which one sees it at work, once it is loaded; `shown` is the folder as it is written in a shell. */
  readonly next: (name: ScaffoldName, shown: string) => readonly string[];
}
