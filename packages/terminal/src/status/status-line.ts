import { truncateToWidth, visibleWidth, type Component } from "@earendil-works/pi-tui";
import { basename, dirname, join, resolve } from "node:path";
import { clippedLine } from "@incipit/schema/text";
import { readFileSync, statSync } from "node:fs";
import { cachedShare, windowShare } from "../session/spending.ts";
import type { TerminalSession } from "../session/terminal-session.ts";
import type { Style } from "../style/style.ts";
import { percent, spentText, tokens } from "./amounts.ts";

type Shown = Pick<
  TerminalSession,
  "broken" | "conversation" | "cwd" | "drift" | "effort" | "facts" | "model" | "profile" | "spending"
>;

export class StatusLine implements Component {
  readonly #session: Shown;
  readonly #style: Style;
  #branch: { readonly cwd: string; readonly name: string | undefined; readonly atMs: number } | undefined;

  constructor(session: Shown, style: Style) {
    this.#session = session;
    this.#style = style;
  }

  invalidate(): void {
    this.#branch = undefined;
  }

  render(width: number): string[] {
    const between = this.#style.muted(" · ");
    const rows = [...this.#alerts(width), ...rowsOf(this.#parts(), width, between)];
    return rows.map((row) => truncateToWidth(row, width, "…"));
  }

  /** Returns the parts of the status line, most important first. */
  #parts(): readonly string[] {
    const { effort, model, profile, spending, facts } = this.#session;
    const { muted } = this.#style;
    const share = windowShare(spending, facts);
    const cached = cachedShare(spending);
    const used = spending.usage?.inputTokens ?? null;
    return [
      `${clippedLine(model ?? "…", { maxCharacters: 60 })}${effort === undefined ? "" : muted(` (${effort})`)}`,
      muted(this.#place()),
      ...(profile === undefined ? [] : [clippedLine(profile, { maxCharacters: 40 })]),
      ...(used === null
        ? []
        : [muted(`${tokens(used)} tokens${share === undefined ? "" : `, ${percent(share)} full`}`)]),
      ...(cached === undefined ? [] : [muted(`${percent(cached)} cached`)]),
      ...(spending.usage === undefined ? [] : [muted(this.#cost())]),
    ];
  }

  #cost(): string {
    const { turn, all } = this.#session.spending;
    if (all.usd === 0 && all.unpriced > 0) return spentText(all);
    if (turn.usd === 0 && turn.unpriced === 0) return `${spentText(all)} all`;
    return `${turn.usd === 0 ? "unpriced" : spentText(turn)} turn, ${spentText(all)} all`;
  }

  #place(): string {
    const { cwd } = this.#session;
    const nowMs = performance.now();
    if (this.#branch?.cwd !== cwd || nowMs - this.#branch.atMs > branchKeptMs)
      this.#branch = { cwd, name: gitBranch(cwd), atMs: nowMs };
    const { name } = this.#branch;
    const folder = clippedLine(basename(cwd) === "" ? cwd : basename(cwd), { maxCharacters: 40 });
    return name === undefined ? folder : `${folder} (${clippedLine(name, { maxCharacters: 40 })})`;
  }

  #alerts(width: number): readonly string[] {
    const { broken, drift } = this.#session;
    const { bad, warning } = this.#style;
    const names = drift.slice(0, 3).map((name) => clippedLine(name.replace(/^file:/, ""), { maxCharacters: 40 }));
    const more = drift.length > names.length ? ` and ${drift.length - names.length} more` : "";
    return [
      ...(broken === undefined
        ? []
        : rowsOf(
            [`● The cache broke: ${clippedLine(broken.text, { maxCharacters: 120 })}`, "/audit"],
            width,
            " · ",
          ).map(bad)),
      ...(names.length === 0
        ? []
        : rowsOf(
            [`${names.join(", ")}${more} changed since the prompt was built`, "/drift", "/rebuild"],
            width,
            " · ",
          ).map(warning)),
    ];
  }
}

/** Cached, because each check reads a file. */
const branchKeptMs = 2_000;

const maxRows = 3;

function rowsOf(parts: readonly string[], width: number, between: string): readonly string[] {
  const rows: string[] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    const longer = `${last ?? ""}${between}${part}`;
    if (last !== undefined && visibleWidth(longer) <= width) rows[rows.length - 1] = longer;
    else rows.push(part);
  }
  return rows.slice(0, maxRows);
}

/** Branch, or the start of the commit id; `undefined` outside a repository. */
function gitBranch(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const head = headIn(join(at, ".git"));
    if (head !== undefined) return head.startsWith("ref: refs/heads/") ? head.slice(16) : head.slice(0, 8);
    if (dirname(at) === at) return undefined;
  }
}

/** In a worktree, `.git` is a file that names its folder: https://git-scm.com/docs/gitrepository-layout */
function headIn(path: string): string | undefined {
  try {
    const folder = statSync(path).isDirectory()
      ? path
      : resolve(
          dirname(path),
          readFileSync(path, "utf8")
            .replace(/^gitdir: /, "")
            .trim(),
        );
    return readFileSync(join(folder, "HEAD"), "utf8").trim();
  } catch {
    return undefined;
  }
}
