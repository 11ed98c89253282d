import { createTempFolder, exportedConversation, saidMessage } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { chromium, type Page } from "playwright-core";
import { buildCommand } from "./build-command.ts";
import { startHostProcess, type HostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";

const firstViews = 10;
const typedKeys = 200;
/** Faster than sustained typing. */
const keyPauseMs = 100;
const previews = 20;
const longHistory = 10_000;
/** Two screens, faster than a wheel. */
const scrolledPx = 1_200;
const templateBytes = 100_000;

interface Reported {
  readonly name: string;
  readonly bytes: number;
}

/** Compressed, without API responses. */
async function filesOf(page: Page): Promise<readonly Reported[]> {
  const found: unknown = await page.evaluate(
    'performance.getEntries().filter((entry) => "transferSize" in entry).map((entry) => [entry.name, entry.encodedBodySize])',
  );
  if (!Array.isArray(found)) return [];
  return found.flatMap((entry: unknown) => {
    const [name, bytes]: unknown[] = Array.isArray(entry) ? entry : [];
    const isFile = typeof name === "string" && /\/(?:[\w-]+\.\w+)?(?:#.*)?$/.test(name);
    return isFile && typeof bytes === "number" ? [{ name, bytes }] : [];
  });
}

function sum(files: readonly Reported[]): number {
  return files.reduce((total, { bytes }) => total + bytes, 0);
}

export async function pages(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using host = await startHostProcess({ folder: folder.path, command: await buildCommand() });
  const executablePath = Bun.which("chromium");
  if (executablePath === null) throw new Error("There is no Chromium: apt-get install chromium");
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
  try {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto((await host.client.call(routes.createSignInLink)).url);
    await page.getByRole("textbox", { name: "Message" }).waitFor();
    const times: number[] = [];
    let files: readonly Reported[] = [];
    for (let count = 0; count < firstViews; count += 1) {
      const tab = await context.newPage();
      const startMs = performance.now();
      await tab.goto(host.url);
      await tab.getByRole("textbox", { name: "Message" }).waitFor();
      times.push(performance.now() - startMs);
      if (count === 0) files = await filesOf(tab);
      await tab.close();
    }
    const long = await scrolling(page, host, folder.path);
    const line = "A line of a long template, with [system:os] in it.\n";
    const template = line.repeat(Math.ceil(templateBytes / line.length));
    await host.client.call(routes.setSystemPrompt, { body: { template } });
    await page.goto(`${host.url}/#/prompt`);
    const editor = page.locator(".cm-content");
    await editor.click();
    const held = await typing(page, 0);
    const keys = await typing(page, keyPauseMs);
    const delays = await previewing(page);
    const editorBytes = sum(await filesOf(page)) - sum(files);
    return [
      {
        subject: "first view of the page, as it comes over the network",
        measured: `${(sum(files) / 1_000).toFixed(0)} KB in ${files.length} files`,
        target: "150 KB",
        isMet: sum(files) <= 150_000,
      },
      { subject: "– what the prompt's editor adds", measured: `${(editorBytes / 1_000).toFixed(0)} KB` },
      {
        subject: "from the address to a field to write in",
        measured: `p50 ${percentile(times, 0.5).toFixed(0)} ms, p95 ${percentile(times, 0.95).toFixed(0)} ms`,
        target: "300 ms",
        isMet: percentile(times, 0.5) <= 300,
      },
      {
        subject: `a conversation of ${longHistory.toLocaleString("en")} messages, from the click to its newest message`,
        measured: `${long.openMs.toFixed(0)} ms`,
      },
      {
        subject: `– all of it scrolled from end to beginning, ${scrolledPx.toLocaleString("en")} pixels a frame`,
        measured: framesText(long.frames),
        target: "60 frames a second",
        isMet: framesASecond(long.frames) >= 59,
      },
      {
        subject: `a key in a template of ${templateBytes / 1_000} KB, ten a second, with the previews that they cause`,
        measured: `p50 ${percentile(keys, 0.5).toFixed(1)} ms, p95 ${percentile(keys, 0.95).toFixed(1)} ms`,
        target: "16 ms",
        isMet: percentile(keys, 0.95) <= 16,
      },
      {
        subject: "– as fast as the browser takes them, which draws one while others wait",
        measured: `p50 ${percentile(held, 0.5).toFixed(1)} ms, p95 ${percentile(held, 0.95).toFixed(1)} ms`,
      },
      {
        subject: "– until the preview of it has followed",
        measured: `p50 ${percentile(delays, 0.5).toFixed(0)} ms, p95 ${percentile(delays, 0.95).toFixed(0)} ms`,
        target: "150 ms",
        isMet: percentile(delays, 0.95) <= 150,
      },
    ];
  } finally {
    await browser.close();
  }
}

function framesASecond(frames: readonly number[]): number {
  return (frames.length * 1_000) / frames.reduce((total, frame) => total + frame, 0);
}

function framesText(frames: readonly number[]): string {
  const [p95, longest] = [percentile(frames, 0.95), Math.max(...frames)];
  return `${framesASecond(frames).toFixed(0)} frames a second, p95 ${p95.toFixed(0)} ms, longest ${longest.toFixed(0)} ms`;
}

async function scrolling(
  page: Page,
  host: HostProcess,
  cwd: string,
): Promise<{ readonly openMs: number; readonly frames: readonly number[] }> {
  const text = "They do: each of the *three* changes brought its own test, and `none` of the old ones went. ";
  const messages = Array.from({ length: longHistory }, (_, index) =>
    index % 2 === 0
      ? saidMessage("user", `What about change ${index}?`)
      : saidMessage("assistant", `${text.repeat(1 + (index % 7))}\n\n- one\n- two\n\nThat was ${index}.`),
  );
  const model = "offline/default";
  await host.client.importConversation(exportedConversation({ title: "Long", cwd, model, messages }));
  await page.goto(`${host.url}/#/conversations`);
  const link = page.getByRole("complementary").getByRole("link", { name: /Long/ });
  await link.waitFor();
  const opened: unknown = await page.evaluate(`new Promise((resolve) => {
    const startMs = performance.now();
    [...document.querySelectorAll(".list a")].find((one) => one.textContent.includes("Long")).click();
    const look = () => {
      if (document.body.textContent.includes("That was ${longHistory - 1}.")) resolve(performance.now() - startMs);
      else requestAnimationFrame(look);
    };
    look();
  })`);
  const frames: unknown = await page.evaluate(`new Promise((resolve) => {
    const box = document.querySelector(".messages");
    const frames = [];
    let beforeMs;
    const step = (nowMs) => {
      if (beforeMs !== undefined) frames.push(nowMs - beforeMs);
      beforeMs = nowMs;
      box.scrollTop -= ${scrolledPx};
      if (box.scrollTop === 0 && document.querySelector(".thread > button") === null) resolve(frames);
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
  return {
    openMs: typeof opened === "number" ? opened : Number.NaN,
    frames: Array.isArray(frames) ? frames.filter((frame) => typeof frame === "number") : [],
  };
}

/** From the browser's own measurement. */
async function typing(page: Page, pauseMs: number): Promise<readonly number[]> {
  await page.evaluate(`
    globalThis.keyTimes = [];
    globalThis.timeKey ??= addEventListener("keydown", () => {
      const startMs = performance.now();
      setTimeout(() => keyTimes.push(performance.now() - startMs));
    }, { capture: true }) ?? true;
  `);
  for (let count = 0; count < typedKeys; count += 1) {
    await page.keyboard.press("a");
    await Bun.sleep(pauseMs);
  }
  const found: unknown = await page.evaluate("keyTimes");
  return Array.isArray(found) ? found.filter((time) => typeof time === "number") : [];
}

async function previewing(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  await page.keyboard.press("Control+Home");
  for (let count = 0; count <= previews; count += 1) {
    await page.evaluate(`
      globalThis.followed = new Promise((resolve) => {
        const text = () => document.querySelector(".parts").textContent;
        addEventListener("keydown", () => {
          const before = text();
          const startMs = performance.now();
          const look = () => {
            if (text() === before) requestAnimationFrame(look);
            else resolve(performance.now() - startMs);
          };
          look();
        }, { capture: true, once: true });
      });
      undefined;
    `);
    await page.keyboard.press("b");
    const took: unknown = await page.evaluate("followed");
    if (typeof took === "number") times.push(took);
  }
  // The first preview may belong to earlier input.
  return times.slice(1);
}
