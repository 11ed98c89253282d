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

/** What a test wants of its browser: the engine, or all that stands around it in a person's browser, too. */
export type BrowserKind = "engine" | "complete";

/** What each kind of test takes, the best first: by hand, all of them take what is cheaper. */
export const wantedBrowsers: Readonly<Record<BrowserKind, readonly InstalledBrowser[]>> = {
  engine: [headless, complete],
  complete: shareOfRun() === "all" ? [complete] : [headless, complete],
};

/** Where the system has one of them; `undefined`: it has none. */
export function browserPath(browsers: readonly InstalledBrowser[]): string | undefined {
  for (const command of browsers.flatMap(({ commands }) => commands)) {
    const path = Bun.which(command);
    if (path !== null) return path;
  }
  return undefined;
}

const started = new Map<string, Promise<Browser>>();

/**
 * One for all tests of a process, which takes it along when it ends. A test that takes too long takes it along, too: those that
 * follow get another one. @throws when the system has none.
 */
export async function testBrowser(kind: BrowserKind = "engine"): Promise<Browser> {
  const executablePath = browserPath(wantedBrowsers[kind]);
  if (executablePath === undefined)
    throw new Error("There is no Chromium to test the page with: apt-get install chromium");
  // As root, as in most containers, it starts without its sandbox alone; it opens nothing but hosts of these tests.
  const launch = (): Promise<Browser> => {
    const launched = chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
    started.set(executablePath, launched);
    return launched;
  };
  const browser = await (started.get(executablePath) ?? launch());
  return browser.isConnected() ? browser : launch();
}
