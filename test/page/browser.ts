import { shareOfRun } from "@incipit/testkit";
import { chromium, type Browser } from "playwright-core";

interface InstalledBrowser {
  /** Its package in Debian. */
  readonly name: string;
  readonly commands: readonly string[];
}

const complete: InstalledBrowser = {
  name: "chromium",
  commands: ["chromium", "chromium-browser", "google-chrome"],
};
/** The same engine without what stands around it: a test takes a third of the processor. */
const headless: InstalledBrowser = {
  name: "chromium-headless-shell",
  commands: ["chromium-headless-shell", "chrome-headless-shell"],
};

/** What the pages of this run are tested in, the best first: all of the checks take the complete browser. */
export const wantedBrowsers: readonly InstalledBrowser[] =
  shareOfRun() === "all" ? [complete] : [headless, complete];

/** Where the system has one of them; `undefined`: it has none. */
export function browserPath(browsers: readonly InstalledBrowser[] = wantedBrowsers): string | undefined {
  for (const command of browsers.flatMap(({ commands }) => commands)) {
    const path = Bun.which(command);
    if (path !== null) return path;
  }
  return undefined;
}

let started: Promise<Browser> | undefined;

/**
 * One for all tests of a process, which takes it along when it ends. A test that takes too long takes it along, too: those that
 * follow get another one. @throws when the system has none.
 */
export async function testBrowser(): Promise<Browser> {
  const executablePath = browserPath();
  if (executablePath === undefined)
    throw new Error("There is no Chromium to test the page with: apt-get install chromium");
  // As root, as in most containers, it starts without its sandbox alone; it opens nothing but hosts of these tests.
  const launch = (): Promise<Browser> =>
    chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
  const browser = await (started ??= launch());
  return browser.isConnected() ? browser : (started = launch());
}
