import type { Manifest } from "@incipit/kernel";

export interface ScaffoldName {
  /** From the folder; the id is `my.NAME`. */
  readonly name: string;
  /** `open_weather`, where "-" is not allowed; distinct from the host's own variables. */
  readonly word: string;
  readonly folder: string;
}

export interface ScaffoldKind {
  /** Such as `the tool "weather_greet"`. */
  readonly gives: (name: ScaffoldName) => string;
  readonly manifest: (name: ScaffoldName) => Omit<Manifest, "id" | "version" | "api">;
  readonly code: (name: ScaffoldName) => Readonly<Record<string, string>>;
  readonly test: (name: ScaffoldName) => string;
  /** Commands to try it once loaded; `shown` is the shell-quoted folder. */
  readonly next: (name: ScaffoldName, shown: string) => readonly string[];
}
