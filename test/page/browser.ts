import { chromium, type Browser } from "playwright-core";

const names = ["chromium", "chromium-browser", "google-chrome"] as const;

/** Where the system has a browser to test with; `undefined`: it has none. */
export function browserPath(): string | undefined {
  for (const name of names) {
    const path = Bun.which(name);
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
