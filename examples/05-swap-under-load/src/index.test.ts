import type { Clock } from "@incipit/kernel";
import { modelProvidersPoint, type ModelEvent } from "@incipit/service-contract";
import { modelRequest, providerConformance, startExtension } from "@incipit/testkit";
import { expect, test } from "bun:test";
import packageJson from "../package.json";
import { createCounter } from "./counter.ts";
import extension from "./index.ts";
import { words } from "./words.ts";

/** Skips delays, which do not affect the conformance tests. */
const hastyClock: Clock = {
  now: () => 0,
  setTimer(callback) {
    const timer = setTimeout(callback, 0);
    return () => clearTimeout(timer);
  },
};

providerConformance("counter", {
  model: "words",
  wire: "none",
  open: () => createCounter(words, hastyClock),
});

test("counter emits each of its words once, in order", async () => {
  const events: ModelEvent[] = await Array.fromAsync(
    createCounter(["a", "b"], hastyClock).stream(modelRequest({ model: "words" })),
  );

  expect(events.flatMap((event) => (event.type === "text-delta" ? [event.text] : []))).toEqual(["a ", "b "]);
});

test("extension registers the model of its code", async () => {
  await using started = await startExtension(extension);

  expect(started.contribution(modelProvidersPoint)).toMatchObject({
    id: "counter",
    models: ["words"],
    problem: null,
  });
});

test("package.json matches the manifest in the code", () => {
  expect<object>(packageJson.incipit).toEqual(extension.manifest);
});
