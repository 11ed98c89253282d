import { sampleOf } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { join } from "node:path";
import type { WorldOptions } from "../support/world.ts";
import { steady } from "./said.ts";
import { shellSession } from "./shell-session.ts";
import { Sitting, type SittingOptions } from "./sitting.ts";
import { newTerminalWorld, type TerminalWorld } from "./terminal-world.ts";

const isUpdated = (process.env["UPDATE_SCREENS"] ?? "") !== "";
/** The screen has to be unchanged for this time. */
const quietMs = 600;

const heading = "#### ";

/** All widths except in a partial run. */
function recordedWidths(name: string): readonly number[] {
  const all = [50, 80];
  const cellOf = (columns: number): string => `${name} ${columns}`;
  const taken = isUpdated ? undefined : sampleOf(all.map(cellOf));
  return all.filter((columns) => taken?.has(cellOf(columns)) ?? true);
}

/** Its screens are compared with the recorded ones. */
class RecordedSitting extends Sitting {
  readonly #screens: RecordedScreens;

  constructor(options: SittingOptions, screens: RecordedScreens) {
    super(options);
    this.#screens = screens;
  }

  shows(title: string, shown: ShownScreen): Promise<string> {
    return this.#screens.shows(this, title, shown);
  }
}

interface ScreensTest {
  readonly world: TerminalWorld;
  readonly columns: number;
  readonly screens: RecordedScreens;
  readonly sit: (options?: Partial<SittingOptions>) => RecordedSitting;
  /** Waits until the terminal shows the model. */
  readonly open: (options?: Partial<SittingOptions>) => Promise<RecordedSitting>;
  readonly shell: (lines: readonly string[], options?: Partial<SittingOptions>) => RecordedSitting;
}

/** A test at each recorded width, with the files `screens/NAME-COLUMNS.txt`. */
export function testScreens(
  title: string,
  { name, ...options }: WorldOptions & { readonly name: string },
  run: (test: ScreensTest) => Promise<void>,
): void {
  for (const columns of recordedWidths(name))
    test.concurrent(`${title}, at ${columns} columns`, async () => {
      await using world = await newTerminalWorld(options);
      await using screens = await RecordedScreens.of({ world, columns, name });
      const { home, work: cwd, scope } = world;
      const sit: ScreensTest["sit"] = (more) =>
        scope.use(new RecordedSitting({ cwd, home, columns, ...more }, screens));
      const open: ScreensTest["open"] = async (more) => {
        const sitting = sit(more);
        await sitting.sees("local/test");
        return sitting;
      };
      const shell: ScreensTest["shell"] = (lines, more = {}) => shellSession({ sit }, lines, more);
      await run({ world, columns, screens, sit, open, shell });
    }, 120_000);
}

interface RecordedScreensOptions {
  readonly world: Pick<TerminalWorld, "home">;
  readonly columns: number;
  readonly name: string;
}

interface ShownScreen {
  readonly until: string | RegExp;
  readonly from?: RegExp;
  /** Otherwise durations are removed, because machines differ in speed. */
  readonly isTimed?: boolean;
}

/**
 * Waits until the screen matches the recording, so that partial output is never compared. `UPDATE_SCREENS=1` records.
 */
class RecordedScreens implements AsyncDisposable {
  readonly #options: RecordedScreensOptions;
  readonly #recorded: ReadonlyMap<string, string>;
  readonly #seen = new Map<string, string>();

  private constructor(options: RecordedScreensOptions, recorded: ReadonlyMap<string, string>) {
    this.#options = options;
    this.#recorded = recorded;
  }

  static async of(options: RecordedScreensOptions): Promise<RecordedScreens> {
    const file = Bun.file(fileOf(options));
    const sections = ((await file.exists()) ? await file.text() : "")
      .split(new RegExp(`^${heading}`, "m"))
      .slice(1);
    const recorded = sections.map((section): [string, string] => {
      const end = section.indexOf("\n");
      return [section.slice(0, end), section.slice(end + 1).trimEnd()];
    });
    return new RecordedScreens(options, new Map(recorded));
  }

  async shows(sitting: Sitting, title: string, { until, from, isTimed = false }: ShownScreen): Promise<string> {
    await sitting.sees(until);
    const look = (): string => this.#steady(partOf(sitting.screen(), from), { isTimed });
    if (isUpdated) {
      for (let before = ""; before !== look(); await Bun.sleep(quietMs)) before = look();
    } else {
      const expected = this.#recorded.get(title) ?? "";
      await sitting
        .sees(() => look() === expected)
        .catch(() => expect(`${title}\n${look()}`).toBe(`${title}\n${expected}`));
    }
    this.#take(title, isUpdated ? look() : (this.#recorded.get(title) ?? ""));
    return sitting.screen();
  }

  printed(title: string, text: string): void {
    const seen = this.#steady(text);
    this.#take(title, seen);
    if (!isUpdated) expect(`${title}\n${seen}`).toBe(`${title}\n${this.#recorded.get(title) ?? ""}`);
  }

  #take(title: string, screen: string): void {
    for (const row of screen.split("\n")) expect(Bun.stringWidth(row)).toBeLessThanOrEqual(this.#options.columns);
    this.#seen.set(title, screen);
  }

  #steady(screen: string, { isTimed = false }: Pick<ShownScreen, "isTimed"> = {}): string {
    return steady(screen)
      .replaceAll(/\b20\d\d-\d\d-\d\d\b/g, "2026-01-01")
      .replaceAll(/\b\d\d-\d\d(?= 00:00)/g, "01-01")
      .replaceAll(/(?<=Wrote )[\d,]+(?= bytes)/g, "12,000")
      .replaceAll(this.#options.world.home, (home) => "/tmp/incipit-abcdef".padEnd(home.length, "x"))
      .replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏](?= )/g, "⠋")
      .replaceAll(/\b\d+ s(?:, \d+ s in total)?(?= · Esc)/g, "1 s")
      .replaceAll(/\b\d+ ms\b/g, "1 ms")
      .replaceAll(since, isTimed ? "  1 s" : "")
      .replaceAll(elapsed, (text) => (isTimed ? text.replace(/[\d.]+/, "1.0") : ""))
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}\b(?!-)/g, "01a1fcd7-5c9a")
      .trimEnd();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const all = [...this.#seen].map(([title, screen]) => `${heading}${title}\n${screen}\n`).join("\n");
    if (isUpdated) await Bun.write(fileOf(this.#options), all);
  }
}

/** Shown from one second on. */
const elapsed = /(?:\n {4}| )· \d+\.\d s$/gm;

const since = /(?<=^○ .*)  \d+ s$/gm;

function partOf(screen: string, from: RegExp | undefined): string {
  const rows = screen.split("\n");
  const first = from === undefined ? 0 : rows.findLastIndex((row) => from.test(row));
  return rows.slice(Math.max(0, first)).join("\n");
}

function fileOf({ name, columns }: Pick<RecordedScreensOptions, "name" | "columns">): string {
  return join(import.meta.dir, "screens", `${name}-${columns}.txt`);
}
