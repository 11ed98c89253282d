import { truncateToWidth, visibleWidth, type Component } from "@earendil-works/pi-tui";
import { clippedLine } from "@incipit/schema/text";
import type { RunningTurn } from "../session/running-turn.ts";
import type { Style } from "../style/style.ts";
import { duration } from "./amounts.ts";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"] as const;
const frameMs = 100;
const stops = " · Esc stops";

export interface WorkingLineOptions {
  readonly running: () => RunningTurn | undefined;
  readonly isAway: () => boolean;
  readonly style: Style;
  readonly requestRender: () => void;
}

export class WorkingLine implements Component {
  readonly #options: WorkingLineOptions;
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(options: WorkingLineOptions) {
    this.#options = options;
  }

  invalidate(): void {}

  update(): void {
    const isWaiting = this.#options.running() !== undefined || this.#options.isAway();
    if (!isWaiting) this.stop();
    else if (this.#timer === undefined) {
      this.#timer = setInterval(this.#options.requestRender, frameMs);
      this.#timer.unref();
    }
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  render(width: number): string[] {
    const { running, isAway, style } = this.#options;
    const turn = running();
    const nowMs = performance.now();
    const frame = frames[Math.floor(nowMs / frameMs) % frames.length] ?? "";
    if (isAway())
      return [
        truncateToWidth(
          `${style.warning(frame)} The host is unavailable; this terminal reconnects automatically`,
          width,
        ),
      ];
    if (turn === undefined) return [];
    const what = clippedLine(turn.waiting.what, { maxCharacters: 160 });
    const since = duration(nowMs - turn.waiting.sinceMs);
    const all =
      nowMs - turn.sinceMs > nowMs - turn.waiting.sinceMs + 1_000
        ? `, ${duration(nowMs - turn.sinceMs)} in total`
        : "";
    return [`${style.accent(frame)} ${waitingText({ what, since, all }, { style, width: width - 2 })}`];
  }
}

/** In a narrow terminal, the stop key stays. */
function waitingText(
  { what, since, all }: { readonly what: string; readonly since: string; readonly all: string },
  { style, width }: { readonly style: Style; readonly width: number },
): string {
  const tails = [` ${since}${all}${stops}`, ` ${since}${stops}`];
  for (const tail of tails) {
    const text = `Waiting for ${what}`;
    if (visibleWidth(`${text}${tail}`) <= width) return `${text}${style.muted(tail)}`;
  }
  const [, tail = ""] = tails;
  return truncateToWidth(
    `${truncateToWidth(what, Math.max(1, width - visibleWidth(tail)), "…")}${style.muted(tail)}`,
    width,
  );
}
