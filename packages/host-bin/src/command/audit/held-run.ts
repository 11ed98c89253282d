import type { AuditedStep } from "@incipit/schema";
import type { Output } from "../output/output.ts";
import { count } from "./audit-text.ts";

/** Steps that are shown at each end of a longer run of steps that held. */
const shownAtEnds = 3;
const longestWhole = 10;

/** Writes the texts of steps, and of many that held in a row the first and the last ones: what broke must not scroll away. */
export class HeldRun {
  readonly #output: Output;
  #texts: string[] = [];

  constructor(output: Output) {
    this.#output = output;
  }

  add({ verdict }: AuditedStep, text: string): void {
    const isQuiet = verdict === "held" && text.indexOf("\n") === text.length - 1;
    if (isQuiet) {
      this.#texts.push(text);
      return;
    }
    this.end();
    this.#output.out(verdict === "broken" ? { style: "warning", text } : text);
  }

  end(): void {
    const texts = this.#texts;
    this.#texts = [];
    if (texts.length <= longestWhole) {
      this.#output.out(texts.join(""));
      return;
    }
    const left = texts.length - 2 * shownAtEnds;
    const between = `     …  ${count(left)} more that held (--json has all)\n`;
    this.#output.out([...texts.slice(0, shownAtEnds), between, ...texts.slice(-shownAtEnds)].join(""));
  }
}
