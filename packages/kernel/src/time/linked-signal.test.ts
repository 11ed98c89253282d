import { expect, test } from "bun:test";
import { getEventListeners } from "node:events";
import { LinkedSignal } from "./linked-signal.ts";

function listeners(...controllers: readonly AbortController[]): readonly number[] {
  return controllers.map(({ signal }) => getEventListeners(signal, "abort").length);
}

test("LinkedSignal removes its listeners on dispose", () => {
  const [caller, host] = [new AbortController(), new AbortController()];
  {
    using _ = new LinkedSignal(caller.signal, undefined, host.signal);
    expect(listeners(caller, host)).toEqual([1, 1]);
  }
  expect(listeners(caller, host)).toEqual([0, 0]);
});

test("LinkedSignal aborts once, with the reason of the first source", () => {
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

test("LinkedSignal is aborted initially when a source already is", () => {
  const host = new AbortController();
  using linked = new LinkedSignal(AbortSignal.abort("over"), host.signal);
  host.abort("later");

  expect([linked.signal.aborted, linked.signal.reason]).toEqual([true, "over"]);
});

test("LinkedSignal does not abort after dispose", () => {
  const host = new AbortController();
  const linked = new LinkedSignal(host.signal);
  linked[Symbol.dispose]();
  host.abort();

  expect(linked.signal.aborted).toBe(false);
});
