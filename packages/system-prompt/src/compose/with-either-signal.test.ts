import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { withEitherSignal } from "./with-either-signal.ts";

function listeners(...controllers: readonly AbortController[]): readonly number[] {
  return controllers.map(({ signal }) => getEventListeners(signal, "abort").length);
}

test("withEitherSignal leaves no listener behind, whether its work ends or fails", async () => {
  const [caller, host] = [new AbortController(), new AbortController()];
  const signals = [caller.signal, host.signal];
  const during: (readonly number[])[] = [];

  const work = async (): Promise<string> => {
    during.push(listeners(caller, host));
    return "done";
  };
  const done = await withEitherSignal(signals, work);
  const failure = await withEitherSignal(signals, async () => {
    await work();
    throw new Error("broken");
  }).catch(String);

  expect([done, failure]).toEqual(["done", "Error: broken"]);
  expect(during).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(listeners(caller, host)).toEqual([0, 0]);
});

test("withEitherSignal aborts its work with the reason of the first that aborts, and once", async () => {
  for (const first of [0, 1]) {
    const both = [new AbortController(), new AbortController()] as const;
    const reasons: unknown[] = [];

    await withEitherSignal([both[0].signal, both[1].signal], async (signal) => {
      signal.addEventListener("abort", () => reasons.push(signal.reason));
      both[first === 0 ? 0 : 1].abort("first");
      both[first === 0 ? 1 : 0].abort("second");
    });

    expect(reasons).toEqual(["first"]);
    expect(listeners(...both)).toEqual([0, 0]);
  }
});

test("withEitherSignal does its work with an aborted signal where one is aborted already", async () => {
  const host = new AbortController();

  const given = await withEitherSignal([AbortSignal.abort("over"), host.signal], async (signal) => {
    host.abort("later");
    return [signal.aborted, signal.reason];
  });

  expect(given).toEqual([true, "over"]);
  expect(listeners(host)).toEqual([0]);
});
