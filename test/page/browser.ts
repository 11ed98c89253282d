import { currentSample } from "@incipit/testkit";
import { chromium, type Browser } from "playwright-core";

interface InstalledBrowser {
  readonly name: string;
  readonly commands: readonly string[];
}

const complete: InstalledBrowser = {
  name: "chromium",
  commands: ["chromium", "chromium-browser", "google-chrome"],
};
/** Tests need a third of the CPU time without the browser UI. */
const headless: InstalledBrowser = {
  name: "chromium-headless-shell",
  commands: ["chromium-headless-shell", "chrome-headless-shell"],
};

export type BrowserKind = "engine" | "complete";

/** Best first. Manual runs use the cheaper engine for all tests. */
export const wantedBrowsers: Readonly<Record<BrowserKind, readonly InstalledBrowser[]>> = {
  engine: [headless, complete],
  complete: currentSample() === "all" ? [complete] : [headless, complete],
};

export function browserPath(browsers: readonly InstalledBrowser[]): string | undefined {
  for (const command of browsers.flatMap(({ commands }) => commands)) {
    const path = Bun.which(command);
    if (path !== null) return path;
  }
  return undefined;
}

const started = new Map<string, Promise<Browser>>();

/**
 * Shared per process. A test that times out takes the browser down; later tests then get a new one.
 * @throws when none is installed.
 */
export async function testBrowser(kind: BrowserKind = "engine"): Promise<Browser> {
  const executablePath = browserPath(wantedBrowsers[kind]);
  if (executablePath === undefined)
    throw new Error("There is no Chromium to test the page with: apt-get install chromium");
  // Root, as in most containers, requires --no-sandbox; the browser opens only hosts of these tests.
  const launch = (): Promise<Browser> => {
    const launched = chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
    started.set(executablePath, launched);
    return launched;
  };
  const browser = await (started.get(executablePath) ?? launch());
  return browser.isConnected() ? browser : launch();
}
