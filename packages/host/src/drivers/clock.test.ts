import { expect, test } from "bun:test";
import { systemClock } from "./clock.ts";

test("setTimer calls back unless cancelled", async () => {
  const called: string[] = [];
  const last = Promise.withResolvers<void>();

  systemClock.setTimer(() => called.push("cancelled"), 1)();
  systemClock.setTimer(() => called.push("first"), 1);
  systemClock.setTimer(last.resolve, 5);
  await last.promise;

  expect(called).toEqual(["first"]);
});

test("setTimer does not keep an idle process alive", async () => {
  const script = `
    import { systemClock } from "./clock.ts";
    systemClock.setTimer(() => console.log("late"), 60_000);`;
  const child = Bun.spawn([process.execPath, "-e", script], { cwd: import.meta.dir, stderr: "inherit" });

  expect(await child.stdout.text()).toBe("");
  expect(await child.exited).toBe(0);
});
