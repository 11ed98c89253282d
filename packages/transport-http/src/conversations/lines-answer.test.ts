import { expect, test } from "bun:test";
import { linesAnswer } from "./lines-answer.ts";

function fail(error: unknown): never {
  throw error;
}

test("linesAnswer streams one JSON line per value on demand", async () => {
  async function* values(): AsyncGenerator {
    yield { text: "one\ntwo" };
    yield 2;
  }

  const response = await linesAnswer(values(), { name: "c", onFailure: fail });

  expect(response.headers.get("content-disposition")).toBe('attachment; filename="c.jsonl"');
  expect(await response.text()).toBe('{"text":"one\\ntwo"}\n2\n');
});

test("linesAnswer closes its source on a disconnect", async () => {
  let isOver = false;
  async function* endless(): AsyncGenerator {
    try {
      for (let count = 0; ; count += 1) yield count;
    } finally {
      isOver = true;
    }
  }
  const response = await linesAnswer(endless(), { name: "c", onFailure: fail });
  const reader = response.body?.getReader();
  await reader?.read();

  await reader?.cancel();

  expect(isOver).toBe(true);
});

test("linesAnswer reports a failure after the first line, and aborts the answer", async () => {
  const failures: unknown[] = [];
  async function* broken(): AsyncGenerator {
    yield 1;
    yield 2;
    throw new Error("The disk is gone");
  }
  const response = await linesAnswer(broken(), { name: "c", onFailure: (error) => failures.push(error) });

  const read = await response.text().catch((error: unknown) => error);

  expect(read).toEqual(new Error("The disk is gone"));
  expect(failures).toEqual([new Error("The disk is gone")]);
});

test("linesAnswer aborts its answer when the client loses access, and closes its source", async () => {
  let isOver = false;
  async function* endless(): AsyncGenerator {
    try {
      for (let count = 0; ; count += 1) yield count;
    } finally {
      isOver = true;
    }
  }
  const cut = new AbortController();
  const failures: unknown[] = [];
  const onFailure = (error: unknown): void => void failures.push(error);
  const response = await linesAnswer(endless(), { name: "c", cut: cut.signal, onFailure });
  const reader = response.body?.getReader();
  await reader?.read();

  cut.abort();
  const failure = await (async () => {
    while ((await reader?.read())?.done === false);
    return undefined;
  })().catch((error: unknown) => error);

  expect(failure).toEqual(new Error("The client's token is no longer valid"));
  expect(failures).toEqual([failure]);
  expect(isOver).toBe(true);
});
