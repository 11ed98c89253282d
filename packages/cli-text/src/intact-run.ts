import type { AuditedStep } from "@incipit/schema";
import { count } from "./audit-text.ts";

/** Steps shown at each end of a longer run. */
const shownAtEnds = 3;
const longestWhole = 10;

export interface IntactRunOptions {
  readonly out: (text: string, verdict: AuditedStep["verdict"]) => void;
  readonly all: string;
}

/** Cache breaks must not scroll away in long runs with an intact prefix. */
export class IntactRun {
  readonly #options: IntactRunOptions;
  #texts: string[] = [];

  constructor(options: IntactRunOptions) {
    this.#options = options;
  }

  add({ verdict }: AuditedStep, text: string): void {
    const isQuiet = verdict === "held" && text.indexOf("\n") === text.length - 1;
    if (isQuiet) {
      this.#texts.push(text);
      return;
    }
    this.end();
    this.#options.out(text, verdict);
  }

  end(): void {
    const texts = this.#texts;
    this.#texts = [];
    if (texts.length === 0) return;
    const { out, all } = this.#options;
    if (texts.length <= longestWhole) {
      out(texts.join(""), "held");
      return;
    }
    const left = texts.length - 2 * shownAtEnds;
    const between = `     …  ${count(left)} more with an intact prefix (${all} has all)\n`;
    out([...texts.slice(0, shownAtEnds), between, ...texts.slice(-shownAtEnds)].join(""), "held");
  }
}
