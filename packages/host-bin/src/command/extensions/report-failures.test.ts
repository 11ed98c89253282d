import { FakeClock } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { answeringHost, refusal } from "../testing/answering-host.ts";
import { bareExtension } from "../testing/bare-extension.ts";
import { reportFailures } from "./report-failures.ts";

async function toldOf(...answers: readonly unknown[]): Promise<readonly string[]> {
  const told: string[] = [];
  const { client, requests } = answeringHost(...answers);
  const over = new AbortController();
  const clock = new FakeClock();
  const telling = reportFailures({
    client,
    clock,
    id: () => {
      if (requests.length === answers.length) over.abort();
      return requests.length === answers.length ? undefined : bareExtension.id;
    },
    tell: ({ message }) => told.push(message),
    signal: over.signal,
  });
  while (!over.signal.aborted) {
    await new Promise<void>((resolve) => setImmediate(resolve));
    await clock.advance(500);
  }
  await telling;
  return told;
}

function failing(code: string, message: string): unknown {
  return { extension: { ...bareExtension, lastError: { code, message } } };
}

test("reportFailures reports a runtime error once while it stays the last one", async () => {
  const first = failing("CONTRIBUTION_FAILED", "no sky");

  expect(await toldOf(first, first, failing("CONTRIBUTION_FAILED", "no sea"), failing("UNCAUGHT", "lost"))).toEqual(
    ["no sky", "no sea", "lost"],
  );
});

test("reportFailures reports a recurring error again and survives host errors", async () => {
  const denied = failing("CAPABILITY_DENIED", "no net");

  expect(await toldOf(denied, { extension: bareExtension }, denied)).toEqual(["no net", "no net"]);
  expect(await toldOf(refusal("EXTENSION_UNKNOWN"), failing("CODE_FAILED", "at start"), denied)).toEqual([
    "no net",
  ]);
});
