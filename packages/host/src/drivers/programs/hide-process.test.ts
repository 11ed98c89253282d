import { expect, test } from "bun:test";
import { join } from "node:path";

const script = `
import { readFileSync } from "node:fs";
import { dlopen } from "bun:ffi";
import { hideProcess } from "${join(import.meta.dir, "hide-process.ts")}";
const { symbols } = dlopen("libc.so.6", { prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" } });
const taken = { ...process.env };
if (process.argv[1] !== "shown") hideProcess(["CONFIGURED", "NOT_SET"]);
const isDumpable = symbols.prctl(3, 0, 0, 0, 0);
if (process.getuid() !== 0) symbols.prctl(4, 1, 0, 0, 0); // So that this user may look.
const shown = readFileSync("/proc/self/environ", "latin1").split("\\0").filter((entry) => /=./.test(entry));
console.log(JSON.stringify({ isDumpable, shown, taken: taken.CONFIGURED, left: [process.env.CONFIGURED, process.env.NOTE] }));
`;
const env = { NOTE: "a=b", CONFIGURED: "sk-ümlaut", SOME_TOKEN: "t", KEYBOARD: "us" };

function run(argument: string): unknown {
  const command = [process.execPath, "--no-env-file", "--config=/dev/null", "-e", script, argument];
  const { stdout, stderr } = Bun.spawnSync(command, { env });
  if (stdout.length === 0) throw new Error(stderr.toString());
  return JSON.parse(stdout.toString());
}

test("[attack:process-shown-variables] hideProcess removes keys from /proc/PID/environ", () => {
  const kept = { taken: env.CONFIGURED };

  expect(run("hidden")).toEqual({
    ...kept,
    isDumpable: 0,
    shown: ["NOTE=a=b", "KEYBOARD=us"],
    left: [null, "a=b"],
  });
  const all = ["NOTE=a=b", "CONFIGURED=sk-\u00c3\u00bcmlaut", "SOME_TOKEN=t", "KEYBOARD=us"];
  expect(run("shown")).toEqual({ ...kept, isDumpable: 1, shown: all, left: [env.CONFIGURED, "a=b"] });
});
