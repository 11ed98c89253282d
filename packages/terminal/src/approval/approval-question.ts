import type { Approval, ApprovalDecision } from "@incipit/schema";
import { matchesKey, wrapTextWithAnsi, type Component } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/host/text";
import type { Style } from "../style/style.ts";
import { harmless } from "../transcript/block.ts";
import { diffLines } from "../transcript/diff-lines.ts";

/** Keys that come so soon behind others were meant for what stood there before the question. */
const settleMs = 500;

export interface ApprovalQuestionOptions {
  readonly approval: Approval;
  readonly style: Style;
  /** Rows that it may have. */
  readonly maxRows: () => number;
  readonly onDecision: (decision: ApprovalDecision) => void;
  /** Shows all of the call, where it has no room here. */
  readonly onShowAll: () => void;
  /** Takes keys that are no answer. */
  readonly onOtherKey: (data: string) => void;
  readonly requestRender: () => void;
  readonly nowMs?: () => number;
}

interface Choice {
  readonly key: string;
  readonly label: string;
  readonly decision: ApprovalDecision;
}

/**
 * Asks whether a tool call may run. It takes an answer once nobody has typed for a moment: whoever was writing a message does not
 * answer by it, and what they write stays in the editor.
 */
export class ApprovalQuestion implements Component {
  readonly #options: ApprovalQuestionOptions;
  readonly #nowMs: () => number;
  #lastKeyMs: number;
  #isReady = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: ApprovalQuestionOptions) {
    this.#options = options;
    this.#nowMs = options.nowMs ?? ((): number => performance.now());
    this.#lastKeyMs = this.#nowMs();
    this.#wait();
  }

  invalidate(): void {}

  close(): void {
    clearTimeout(this.#timer);
  }

  handleInput(data: string): void {
    if (!this.#isReady || data.startsWith("\u001B[200~")) {
      this.#lastKeyMs = this.#nowMs();
      return this.#options.onOtherKey(data);
    }
    if (matchesKey(data, "ctrl+o")) return this.#options.onShowAll();
    const choice = this.#choices().find(({ key }) => data === key || (key === "n" && matchesKey(data, "escape")));
    if (choice !== undefined) this.#options.onDecision(choice.decision);
    else this.#options.onOtherKey(data);
  }

  render(width: number): string[] {
    const { approval, style, maxRows } = this.#options;
    const tool = clippedLine(approval.name, { maxCharacters: 64 });
    const head =
      approval.folder === undefined
        ? `${tool} asks to run`
        : `This conversation was imported; its tools ask for the folder ${clippedLine(approval.folder, { maxCharacters: 400 })}`;
    const body = this.#body();
    const foot = [
      ...(approval.why === undefined ? [] : [clippedLine(approval.why, { maxCharacters: 400 })]),
      this.#isReady
        ? this.#choices()
            .map(({ key, label }) => `${style.strong(key)} ${label}`)
            .join(style.muted("  ·  "))
        : style.muted("Your answer counts once you stop typing …"),
    ].flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 2)));
    const rows = body.flatMap((line) => wrapTextWithAnsi(line, Math.max(1, width - 4)));
    const room = Math.max(3, maxRows() - foot.length - 2);
    const left = rows.length - room;
    const shown =
      left > 0 ? [...rows.slice(0, room), style.muted(`… ${left} more rows: Ctrl-O shows all of it`)] : rows;
    return [
      ...wrapTextWithAnsi(style.warning(style.strong(head)), width),
      ...shown.map((line) => `${style.warning("│")} ${line}`),
      ...foot.map((line) => `  ${line}`),
    ];
  }

  /** The whole call, without a limit. */
  whole(): readonly string[] {
    return this.#body();
  }

  #body(): readonly string[] {
    const { approval, style } = this.#options;
    if (approval.preview !== undefined) return diffLines(harmless(approval.preview), style);
    return argumentLines(approval.input).map((line) => harmless(line));
  }

  #choices(): readonly Choice[] {
    const { folder, why, name } = this.#options.approval;
    const tool = clippedLine(name, { maxCharacters: 30 });
    const always: Choice = {
      key: "a",
      label: `always: every call of ${tool} in this conversation`,
      decision: "allow-always",
    };
    return [
      { key: "y", label: folder === undefined ? "yes, this call" : "yes, in this folder", decision: "allow" },
      ...(folder === undefined && why === undefined ? [always] : []),
      { key: "n", label: "no", decision: "deny" },
    ];
  }

  #wait(): void {
    const left = settleMs - (this.#nowMs() - this.#lastKeyMs);
    if (left <= 0) {
      this.#isReady = true;
      this.#options.requestRender();
    } else this.#timer = setTimeout(() => this.#wait(), left);
  }
}

/** Each argument with its name; a text as it is. */
function argumentLines(input: string): readonly string[] {
  let parsed: unknown;
  try {
    parsed = JSON.parse(input);
  } catch {
    return input.split("\n");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed)) return [JSON.stringify(parsed)];
  return Object.entries(parsed).flatMap(([name, value]) => {
    const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
    const lines = text.split("\n");
    return lines.length === 1 ? [`${name}: ${text}`] : [`${name}:`, ...lines.map((line) => `  ${line}`)];
  });
}
