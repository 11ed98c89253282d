import type { Terminal } from "@earendil-works/pi-tui";
import { expect, jest, test } from "bun:test";
import { LogScreen } from "../screen/log-screen.ts";
import { ScreenLease } from "./screen-lease.ts";

function lease(): { readonly held: ScreenLease; readonly done: string[] } {
  const done: string[] = [];
  const terminal: Terminal = {
    start: () => void done.push("start"),
    stop: () => void done.push("stop"),
    drainInput: async () => {},
    write: () => {},
    columns: 80,
    rows: 24,
    kittyProtocolActive: false,
    moveBy: () => {},
    hideCursor: () => {},
    showCursor: () => void done.push("cursor"),
    clearLine: () => {},
    clearFromCursor: () => {},
    clearScreen: () => {},
    setTitle: () => {},
    setProgramStatus: () => {},
    setProgress: () => {},
  };
  const held = new ScreenLease(new LogScreen(terminal), {
    answered: async () => void done.push("answered"),
    stopJob: () => void done.push("stopped"),
  });
  return { held, done };
}

const given = ["cursor", "stop"];
const lent = ["answered", ...given];

for (const how of ["Ctrl-Z", "SIGTSTP"])
  test(`ScreenLease restores the terminal before ${how} stops the process, and takes it once on continue`, async () => {
    const { held, done } = lease();
    held.take();
    for (let times = 0; times < 2; times += 1) {
      if (how === "Ctrl-Z") void held.suspend();
      else process.emit("SIGTSTP");
      await Promise.resolve();
      process.emit("SIGCONT");
    }
    held.giveBack();
    process.emit("SIGCONT");

    const round = [...lent, "stopped", "start"];
    expect(done).toEqual(["start", ...round, ...round, ...given]);
    expect(process.listenerCount("SIGTSTP") + process.listenerCount("SIGCONT")).toBe(0);
  });

test("ScreenLease reinitializes the terminal after SIGSTOP unless a program has it", async () => {
  const { held, done } = lease();
  held.take();
  process.emit("SIGCONT");
  await held.lend(async () => {
    process.emit("SIGCONT");
    expect(process.listenerCount("SIGTSTP")).toBe(0); // A later SIGTSTP stops the process by default.
  });
  held.giveBack();

  expect(done).toEqual(["start", ...given, "start", ...lent, "start", ...given]);
});

test("ScreenLease takes the terminal again if nothing stopped the process", async () => {
  jest.useFakeTimers();
  const { held, done } = lease();
  held.take();
  await held.suspend();
  jest.advanceTimersByTime(400);
  jest.useRealTimers();
  held.giveBack();

  expect(done).toEqual(["start", ...lent, "stopped", "start", ...given]);
});
