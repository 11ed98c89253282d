import { Spacer, type Terminal } from "@earendil-works/pi-tui";
import { Terminal as Emulator } from "@xterm/headless";
import { stepIdSchema, turnIdSchema } from "@incipit/schema";
import { expect, test } from "bun:test";
import { Highlighter } from "../style/highlight.ts";
import { createStyle } from "../style/style.ts";
import { Block } from "../transcript/block.ts";
import { TurnWriter } from "../transcript/turn-writer.ts";
import { LogScreen } from "./log-screen.ts";
import { WholeScreen } from "./whole-screen.ts";

const style = createStyle({ depth: 16, scheme: () => "dark" });

class EmulatedTerminal implements Terminal {
  readonly emulator: Emulator;
  kittyProtocolActive = false;
  #onResize = (): void => {};

  constructor(columns: number, rows: number) {
    this.emulator = new Emulator({ cols: columns, rows, scrollback: 10_000, allowProposedApi: true });
  }

  get columns(): number {
    return this.emulator.cols;
  }

  get rows(): number {
    return this.emulator.rows;
  }

  start(_: (data: string) => void, onResize: () => void): void {
    this.#onResize = onResize;
  }

  resize(columns: number, rows: number): void {
    this.emulator.resize(columns, rows);
    this.#onResize();
  }

  write(data: string): void {
    this.emulator.write(data);
  }

  async settled(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.emulator.write("", resolve);
    await promise;
  }

  lines(): readonly string[] {
    const { active } = this.emulator.buffer;
    return Array.from(
      { length: this.rows },
      (_, row) => active.getLine(active.baseY + row)?.translateToString(true) ?? "",
    );
  }

  stop(): void {}
  async drainInput(): Promise<void> {}
  moveBy(): void {}
  hideCursor(): void {}
  showCursor(): void {}
  clearLine(): void {}
  clearFromCursor(): void {}
  clearScreen(): void {}
  setTitle(): void {}
  setProgramStatus(): void {}
  setProgress(): void {}
}

const of = {
  seq: 1,
  turnId: turnIdSchema.parse("01890000-0000-7000-8000-000000000001"),
  at: "2026-01-01T00:00:00.000Z",
  stepId: stepIdSchema.parse("01890000-0000-7000-8000-000000000002"),
  partId: "text",
};

const paragraph = (name: string): string =>
  `${name} begins ${Array.from({ length: 60 }, (_, index) => `${name}word${index}`).join(" ")} and ${name} ends.`;
const answer = [
  paragraph("One"),
  `\`\`\`ts\n${Array.from({ length: 14 }, (_, index) => `const code${index} = ${index};`).join("\n")}\n\`\`\``,
  paragraph("Two"),
  Array.from({ length: 12 }, (_, index) => `- entry${index} with some words in it`).join("\n"),
  paragraph("Three"),
].join("\n\n");
const sizes = [
  [80, 24],
  [50, 24],
  [79, 12],
  [30, 24],
  [120, 30],
  [49, 20],
  [31, 20],
  [160, 24],
  [20, 10],
  [60, 24],
] as const;

for (const kind of ["main", "alternate"] as const)
  test(`an answer streamed during many resizes leaves no stale row on the ${kind} screen`, async () => {
    const terminal = new EmulatedTerminal(80, 24);
    const stage = kind === "main" ? new LogScreen(terminal, { isXtermJs: () => true }) : new WholeScreen(terminal);
    const looks = { style, highlighter: new Highlighter(style) };
    const writer = new TurnWriter({
      print: (block) => stage.print(block),
      maxRows: () => Math.max(1, terminal.rows - 8),
      looks,
      failureAdvice: () => undefined,
    });
    stage.beforeFrame = () => writer.flush();
    stage.bottom.addChild(writer.live);
    stage.bottom.addChild(new Spacer(1));
    stage.bottom.addChild(
      new Block((width) => ["─".repeat(width), "editor text", "─".repeat(width), "the status"]),
    );
    stage.start();
    void writer.take({ ...of, type: "text-start", text: "" });
    const size = 40;
    for (let at = 0, turn = 0; at < answer.length; at += size, turn += 1) {
      void writer.take({ ...of, type: "text-delta", text: answer.slice(at, at + size) });
      stage.renderNow();
      await terminal.settled();
      const [columns, rows] = sizes[turn % sizes.length] ?? [80, 24];
      terminal.resize(columns, rows);
      await terminal.settled();
      stage.renderNow();
      await terminal.settled();

      const lines = terminal.lines();
      expect({ at, columns, borders: lines.filter((line) => /^─+$/.test(line)) }).toEqual({
        at,
        columns,
        borders: ["─".repeat(columns), "─".repeat(columns)],
      });
      const words = lines.join("\n").match(/\b(?:One|Two|Three)word\d+\b/g) ?? [];
      expect([at, columns, words.length]).toEqual([at, columns, new Set(words).size]);
      for (const once of ["editor text", "the status"])
        expect([at, columns, lines.filter((line) => line.includes(once)).length]).toEqual([at, columns, 1]);
    }
    void writer.take({ ...of, type: "text-end", text: answer });
    stage.renderNow();
    await terminal.settled();
    stage.stop();
  });
