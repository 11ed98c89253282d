import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { LinkedSignal } from "./linked-signal.ts";

function listeners(...controllers: readonly AbortController[]): readonly number[] {
  return controllers.map(({ signal }) => getEventListeners(signal, "abort").length);
}

test("a LinkedSignal leaves no listener behind", () => {
  const [caller, host] = [new AbortController(), new AbortController()];
  {
    using _ = new LinkedSignal(caller.signal, undefined, host.signal);
    expect(listeners(caller, host)).toEqual([1, 1]);
  }
  expect(listeners(caller, host)).toEqual([0, 0]);
});

test("a LinkedSignal aborts with the reason of the first that aborts, and once", () => {
  for (const first of [0, 1]) {
    const both = [new AbortController(), new AbortController()] as const;
    const reasons: unknown[] = [];
    using linked = new LinkedSignal(both[0].signal, both[1].signal);
    linked.signal.addEventListener("abort", () => reasons.push(linked.signal.reason));

    both[first === 0 ? 0 : 1].abort("first");
    both[first === 0 ? 1 : 0].abort("second");

    expect(reasons).toEqual(["first"]);
  }
});

test("a LinkedSignal is aborted where one of the others is already, and stays so", () => {
  const host = new AbortController();
  using linked = new LinkedSignal(AbortSignal.abort("over"), host.signal);
  host.abort("later");

  expect([linked.signal.aborted, linked.signal.reason]).toEqual([true, "over"]);
});

test("a LinkedSignal that was disposed of does not abort any more", () => {
  const host = new AbortController();
  const linked = new LinkedSignal(host.signal);
  linked[Symbol.dispose]();
  host.abort();

  expect(linked.signal.aborted).toBe(false);
});
