import { isUnifiedDiff, type Message, type TurnEvent } from "@incipit/schema";
import { truncateToWidth, type Component } from "@earendil-works/pi-tui";
import { Block, emptyRow, harmless } from "./block.ts";
import {
  noticeBlock,
  pieceBlock,
  reasoningBlock,
  markdownBlock,
  turnEndText,
  userBlock,
  type Level,
  type Looks,
} from "./message-blocks.ts";
import type { TurnFailure } from "../options/terminal-options.ts";
import { pastBlocks } from "./past-blocks.ts";
import { StreamedMarkdown, type DonePiece } from "./streamed-markdown.ts";
import { callText, toolBlock } from "./tool-block.ts";

export interface TurnWriterOptions {
  readonly print: (block: Component) => void;
  readonly maxRows: () => number;
  readonly looks: Looks;
  readonly failureAdvice: (failure: TurnFailure) => string | undefined;
}

interface OpenCall {
  readonly name: string;
  readonly sinceMs: number;
  diff?: string;
  /** JSON text. */
  input?: string;
  told?: string;
  askedAs?: string;
}

/** From the end of unfinished reasoning. */
const maxThought = 400;
const maxFence = 64;

/** Prints finished parts once and draws the rest below. */
export class TurnWriter {
  readonly #options: TurnWriterOptions;
  readonly live: Component;
  #said: StreamedMarkdown | undefined;
  #thought = "";
  #newest = "";
  readonly #calls = new Map<string, OpenCall>();
  #turnId: string | undefined;
  #isLoading = false;
  #isCompactionAsked = false;

  constructor(options: TurnWriterOptions) {
    this.#options = options;
    this.live = {
      invalidate() {},
      render: (width) => {
        const rows = [...this.#liveParts()].flatMap((part) => part.render(width));
        return rows.slice(-Math.max(1, options.maxRows()));
      },
    };
  }

  async past(messages: readonly Message[], { hasOlder }: { readonly hasOlder: boolean }): Promise<void> {
    const { print, looks } = this.#options;
    if (hasOlder) this.#notice("Earlier messages: /history shows them");
    for (const block of await pastBlocks(messages, looks)) print(block);
  }

  /** Writes an event; the next one waits for the promise. */
  take(event: TurnEvent): Promise<void> | void {
    switch (event.type) {
      case "turn-start":
        this.#turnId = event.turnId;
        return this.#printPart(userBlock(event.input, this.#options.looks.style));
      case "text-start":
        this.#said = new StreamedMarkdown();
        return this.#add(event.text);
      case "text-delta":
        return this.#add(event.text);
      case "text-end":
        return this.#endText();
      case "reasoning-start":
      case "reasoning-delta":
        this.#thought = (this.#thought + event.text).slice(-maxThought);
        return undefined;
      case "reasoning-end":
        this.#thought = "";
        return event.text.trim() === ""
          ? undefined
          : this.#printPart(reasoningBlock(event.text, this.#options.looks.style));
      case "tool-call-start":
        this.#calls.set(event.toolCallId, { name: event.name, sinceMs: performance.now() });
        return undefined;
      case "task-start":
        return this.#notice(`Started a task in its own conversation; /resume ${event.conversationId} opens it`);
      case "tool-call-progress":
        return this.#keepProgress(event);
      case "approval-request":
        return this.#keepAsked(event);
      case "approval-end":
        return this.#beginAgain(event);
      case "tool-call-end":
        return this.#endCall(event);
      case "tools-resolve":
        for (const problem of event.problems) this.#notice(problem, "warning");
        return undefined;
      case "spending-notice":
      case "folder-notice":
        return this.#notice(event.message, "warning");
      case "step-retry":
        return this.#notice(`${event.error.message}; retrying in ${Math.ceil(event.waitMs / 1_000)} s`, "warning");
      case "compaction-start":
        this.#isCompactionAsked = event.reason === "requested";
        return this.#notice(
          this.#isCompactionAsked ? "Compacting the conversation" : "The conversation is long: compacting it first",
        );
      case "compaction-end":
        if (event.error !== undefined)
          return this.#notice(`${event.error.message}; continuing without compaction`, "warning");
        // After /compact, the summary itself is shown.
        return this.#isCompactionAsked
          ? undefined
          : this.#notice("Conversation compacted; the prompt was rebuilt", "good");
      case "turn-end":
        // A turn removed from the queue never started, so its end must not end another.
        return this.#turnId === undefined || event.turnId === this.#turnId ? this.#endTurn(event) : undefined;
      default:
        return undefined;
    }
  }

  leave(): void {
    this.#endText();
    this.#calls.clear();
    this.#thought = "";
  }

  flush(): void {
    if (this.#isLoading) return; // Printed code keeps its colours, which are not loaded yet.
    for (const piece of this.#said?.takeDone() ?? []) this.#printSaid(piece);
  }

  #add(text: string): Promise<void> | undefined {
    this.#said?.add(text);
    // A fence may be split between chunks.
    this.#newest = (this.#newest + text).slice(-Math.max(text.length, maxFence));
    const loading = this.#options.looks.highlighter.loadFor(this.#newest);
    if (loading === undefined) return undefined;
    this.#isLoading = true;
    return loading.finally(() => (this.#isLoading = false));
  }

  #endText(): void {
    for (const piece of this.#said?.takeRest() ?? []) this.#printSaid(piece);
    this.#said = undefined;
  }

  #printSaid(piece: DonePiece): void {
    const { looks, print } = this.#options;
    const { block, isFirst } = pieceBlock(piece, looks);
    if (isFirst) print(emptyRow);
    print(block);
  }

  #printPart(block: Component): void {
    const { print } = this.#options;
    print(emptyRow);
    print(block);
  }

  #keepAsked({ toolCallId, approvalId, input, preview }: Extract<TurnEvent, { type: "approval-request" }>): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    call.input = input;
    call.askedAs = approvalId;
    if (preview !== undefined && isUnifiedDiff(preview)) call.diff = preview;
  }

  /** The timing excludes the time of the answer. */
  #beginAgain({ approvalId }: Extract<TurnEvent, { type: "approval-end" }>): void {
    const sinceMs = performance.now();
    for (const [id, { askedAs, ...call }] of this.#calls)
      this.#calls.set(id, {
        ...call,
        sinceMs,
        ...(askedAs === undefined || askedAs === approvalId ? {} : { askedAs }),
      });
  }

  #keepProgress({
    toolCallId,
    progress,
    total,
    message,
  }: Extract<TurnEvent, { type: "tool-call-progress" }>): void {
    const call = this.#calls.get(toolCallId);
    if (call === undefined) return;
    const share = total === undefined ? undefined : `${progress} of ${total}`;
    call.told = [share, message].filter((part) => part !== undefined).join(": ") || String(progress);
  }

  #endCall(event: Extract<TurnEvent, { type: "tool-call-end" }>): void {
    const { toolCallId, name, input, output, error, allowedBy } = event;
    const open = this.#calls.get(toolCallId);
    this.#calls.delete(toolCallId);
    const call = {
      name,
      input,
      output,
      problem: error?.message,
      ...(allowedBy === undefined ? {} : { allowedBy }),
      ...(open === undefined ? {} : { ms: performance.now() - open.sinceMs }),
      ...(open?.diff === undefined ? {} : { diff: open.diff }),
    };
    this.#printPart(toolBlock(call, this.#options.looks.style));
  }

  #endTurn(event: Extract<TurnEvent, { type: "turn-end" }>): void {
    const { error } = event;
    this.leave();
    const end = turnEndText(event);
    if (end !== undefined) this.#notice(end.text, end.level);
    const advice = error === undefined ? undefined : this.#options.failureAdvice(error);
    if (advice !== undefined) this.#notice(advice);
  }

  #notice(text: string, level: Level = "muted"): void {
    const { print, looks } = this.#options;
    print(noticeBlock(text, { level, style: looks.style }));
  }

  *#liveParts(): Generator<Component> {
    const { style } = this.#options.looks;
    if (this.#thought !== "") yield* this.#parted(reasoningBlock(this.#thought, style));
    yield* this.#openText();
    for (const { name, input, told, sinceMs, askedAs } of this.#calls.values()) {
      if (askedAs !== undefined) continue;
      const seconds = Math.floor((performance.now() - sinceMs) / 1_000);
      const since = seconds < 1 ? "" : style.muted(`  ${seconds} s`);
      const lines = [
        `${style.warning("○")} ${callText({ name, input })}${since}`,
        ...(told === undefined ? [] : [style.muted(`    ${harmless(told)}`)]),
      ];
      yield* this.#parted(new Block((width) => lines.map((line) => truncateToWidth(line, width, "…"))));
    }
  }

  *#openText(): Generator<Component> {
    const said = this.#said;
    if (said === undefined || said.open.trim() === "") return;
    const block = markdownBlock(said.open, this.#options.looks);
    if (said.isContinued) return yield block;
    if (!said.isInsideCode) return yield* this.#parted(block);
    // The start of the code was printed, and its end has not arrived.
    yield new Block((width) => block.render(width).slice(1, -1));
  }

  *#parted(block: Component): Generator<Component> {
    yield emptyRow;
    yield block;
  }
}
