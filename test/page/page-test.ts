import { expect, test as bunTest } from "bun:test";
import type { Page } from "playwright-core";
import { PageWorld, type PageWorldOptions } from "./page-world.ts";

interface PageFixture {
  /** A host and a browser, closed after the test, which fails on errors in the consoles of its tabs. */
  readonly start: (options?: PageWorldOptions) => Promise<PageWorld>;
  /** The same with a signed-in page. */
  readonly open: (options?: PageWorldOptions) => Promise<{ readonly world: PageWorld; readonly page: Page }>;
}

const timeoutMs = 300_000;

export function test(name: string, body: (fixture: PageFixture) => Promise<void>): void {
  const run = async (): Promise<void> => {
    await using worlds = new AsyncDisposableStack();
    const started: PageWorld[] = [];
    const start: PageFixture["start"] = async (options) => {
      const world = worlds.use(await PageWorld.start(options));
      started.push(world);
      return world;
    };
    const open: PageFixture["open"] = async (options) => {
      const world = await start(options);
      return { world, page: await world.signIn() };
    };
    await body({ start, open });
    for (const { complaints } of started) expect(complaints).toEqual([]);
  };
  bunTest(name, run, timeoutMs);
}
