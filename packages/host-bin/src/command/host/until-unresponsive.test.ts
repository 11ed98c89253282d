import { expect, test } from "bun:test";
import { untilUnresponsive } from "./until-unresponsive.ts";

const limits = { askAfterMs: 2, answerWithinMs: 2, maxSilent: 3 };
const never = new Promise<Response>(() => {});

test("untilUnresponsive waits for a responsive host, however long the request takes", async () => {
  const said: string[] = [];
  const answer = Promise.withResolvers<Response>();
  let asked = 0;
  const isAnswering = async (): Promise<boolean> => {
    asked += 1;
    if (asked === 30) answer.resolve(new Response("done"));
    return true;
  };

  const response = await untilUnresponsive(
    answer.promise,
    { pid: 1, isAnswering, err: (text) => said.push(text) },
    limits,
  );

  expect([await response.text(), said]).toEqual(["done", []]);
});

test("untilUnresponsive reports a silent host once, then throws with advice", async () => {
  const said: string[] = [];
  const isAnswering = (signal: AbortSignal): Promise<boolean> =>
    new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

  const waited = untilUnresponsive(never, { pid: 4242, isAnswering, err: (text) => said.push(text) }, limits);

  expect(String(await waited.catch((error: unknown) => error))).toContain(
    "process 4242 has answered nothing for half a minute",
  );
  expect(said).toEqual([expect.stringMatching(/^The host, process 4242, does not answer; .*kill -9 4242/)]);
});

test("untilUnresponsive forwards a request error immediately", async () => {
  const failed = Promise.reject(new Error("refused"));

  const waited = untilUnresponsive(failed, { pid: 1, isAnswering: async () => true, err: () => {} }, limits);

  expect(String(await waited.catch((error: unknown) => error))).toBe("Error: refused");
});

test("untilUnresponsive reports nothing when the response arrives during the probe", async () => {
  const said: string[] = [];
  const answer = Promise.withResolvers<Response>();
  const isAnswering = async (): Promise<boolean> => {
    answer.resolve(new Response("late"));
    return false;
  };

  const response = await untilUnresponsive(
    answer.promise,
    { pid: 1, isAnswering, err: (text) => said.push(text) },
    limits,
  );

  expect([await response.text(), said]).toEqual(["late", []]);
});
