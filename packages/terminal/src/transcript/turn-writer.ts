import type { Message, TurnEvent } from "@incipit/schema";
import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import type { Style } from "../style/style.ts";
import { Block } from "./block.ts";
import { messageBlocks, noticeBlock, reasoningBlock, saidBlock, userBlock, type Level } from "./message-blocks.ts";
import { StreamedMarkdown } from "./streamed-markdown.ts";
import { callText, toolBlock, type EndedCall } from "./tool-block.ts";

export interface TurnWriterOptions {
  readonly print: (block: Component) => void;
  /** Rows that the live part may have. */
  readonly maxRows: () => number;
  readonly style: Style;
}

interface OpenCall {
  readonly name: string;
  readonly sinceMs: number;
}

/** Writes a conversation as it goes on: what is finished is printed once, and what still changes is drawn below it. */
export class TurnWriter {
  readonly #options: TurnWriterOptions;
  /** What still changes. */
  readonly live: Component;
  #said: StreamedMarkdown | undefined;
  #thought = "";
  readonly #calls = new Map<string, OpenCall>();
  /** The newest output of a tool, whole. */
  #lastOutput: string | undefined;
  #isFirstPart = true;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
    this.live = new LivePart(() => this.#liveRows(), options.maxRows);
  }

  get lastOutput(): string | undefined {
    return this.#lastOutput;
  }

  past(messages: readonly Message[], { hasOlder }: { readonly hasOlder: boolean }): void {
    if (hasOlder) this.#notice("There is more before this: /history shows it");
    for (const message of messages)
      for (const block of messageBlocks(message, this.#options.style)) this.#options.print(block);
  }

  take(event: TurnEvent): void {
    const { print, style } = this.#options;
    switch (event.type) {
      case "turn-start":
        this.#isFirstPart = true;
        return print(userBlock(event.input, style));
      case "text-start":
        this.#said = new StreamedMarkdown();
        return this.#said.add(event.text);
      case "text-delta":
        return this.#said?.add(event.text);
      case "text-end":
        return this.#endText();
      case "reasoning-delta":
        this.#thought += event.text;
        return;
      case "reasoning-end":
        this.#thought = "";
        if (event.text.trim() !== "") print(reasoningBlock(event.text, style));
        return;
      case "tool-call-start":
        this.#calls.set(event.toolCallId, { name: event.name, sinceMs: performance.now() });
        return;
      case "tool-call-end":
        return this.#endCall(event);
      case "tools-resolve":
        for (const problem of event.problems) this.#notice(problem, "warning");
        return;
      case "step-retry":
        return this.#notice(
          `${event.error.message}; trying again in ${Math.ceil(event.waitMs / 1_000)} s`,
          "warning",
        );
      case "compaction-start":
        return this.#notice("The conversation is summed up, and goes on with the summary");
      case "compaction-end":
        return event.error === undefined
          ? this.#notice("It was summed up; the prompt is built anew", "good")
          : this.#notice(`${event.error.message}; it goes on as it is`, "warning");
      case "turn-end":
        return this.#endTurn(event);
      default:
        return;
    }
  }

  /** Prints what can no longer change of an answer that is being written. */
  flush(): void {
    for (const text of this.#said?.takeDone() ?? []) this.#printSaid(text);
  }

  #endText(): void {
    for (const text of [...(this.#said?.takeDone() ?? []), ...(this.#said?.takeRest() ?? [])])
      this.#printSaid(text);
    this.#said = undefined;
  }

  /** Blocks of one answer have an empty line between them. */
  #printSaid(text: string): void {
    const { print, style } = this.#options;
    if (!this.#isFirstPart) print(new Block(() => [""]));
    this.#isFirstPart = false;
    print(saidBlock(text, style));
  }

  #endCall(event: Extract<TurnEvent, { type: "tool-call-end" }>): void {
    const { print, style } = this.#options;
    const since = this.#calls.get(event.toolCallId)?.sinceMs;
    this.#calls.delete(event.toolCallId);
    this.#lastOutput = event.error?.message ?? event.output;
    const call: EndedCall = {
      name: event.name,
      input: event.input,
      output: event.output,
      problem: event.error?.message,
      ...(since === undefined ? {} : { ms: performance.now() - since }),
    };
    if (!this.#isFirstPart) print(new Block(() => [""]));
    this.#isFirstPart = false;
    print(toolBlock(call, style));
  }

  #endTurn({ status, error }: Extract<TurnEvent, { type: "turn-end" }>): void {
    this.#endText();
    this.#calls.clear();
    this.#thought = "";
    const why = error === undefined ? "" : `: ${error.message}`;
    if (status === "failed") this.#notice(`It failed${why}`, "bad");
    if (status === "cancelled") this.#notice("Stopped", "warning");
    if (status === "interrupted") this.#notice(`It was cut off${why}`, "warning");
    this.#options.print(new Block(() => [""]));
  }

  #notice(text: string, level: Level = "muted"): void {
    const { print, style } = this.#options;
    print(noticeBlock(text, { level, style }));
  }

  *#liveRows(): Generator<Component> {
    const { style } = this.#options;
    if (this.#thought !== "") yield reasoningBlock(this.#thought.slice(-maxThought), style);
    const open = this.#said?.open ?? "";
    if (open.trim() !== "") {
      if (!this.#isFirstPart) yield new Block(() => [""]);
      yield saidBlock(open, style);
    }
    for (const { name, sinceMs } of this.#calls.values()) {
      const seconds = Math.floor((performance.now() - sinceMs) / 1_000);
      const line = `${style.warning("○")} ${callText({ name, input: undefined })}${seconds < 1 ? "" : style.muted(`  ${seconds} s`)}`;
      yield new Block((width) => [truncateToWidth(line, width, "…")]);
    }
  }
}

/** Characters that are shown of thoughts that go on: their end. */
const maxThought = 400;

/** The end of what still changes, as far as there is room. */
class LivePart implements Component {
  readonly #parts: () => Iterable<Component>;
  readonly #maxRows: () => number;

  constructor(parts: () => Iterable<Component>, maxRows: () => number) {
    this.#parts = parts;
    this.#maxRows = maxRows;
  }

  invalidate(): void {}

  render(width: number): string[] {
    const rows = [...this.#parts()].flatMap((part) => part.render(width));
    return rows.slice(-Math.max(1, this.#maxRows()));
  }
}
