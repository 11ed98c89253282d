import { openSqliteStorage } from "@incipit/storage-sqlite";
import { createTempFolder, startRecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { join } from "node:path";
import { count, megabytes, spread } from "./format.ts";
import { startHostProcess, type HostProcess } from "./host-process.ts";
import { storeLongConversation } from "./long-conversation.ts";
import { storeConversations } from "./many-conversations.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";
import { within } from "./within.ts";

const turns = 10_000;
const pages = 20;
const erasedBytes = 100e6;

/** Measures the first turn after a restart of the host. */
async function nextTurn(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  const id = await storeLongConversation(folder.path, model, turns);
  const times: number[] = [];
  for (let starts = 0; starts < 4; starts += 1) {
    await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url });
    // The first turn stores the sent prefix, which the prepared turns lack.
    const { ownMs } = await timeTurn(host.client, id, model);
    if (starts > 0) times.push(ownMs);
  }
  const ownMs = percentile(times, 0.5);
  return [
    {
      subject: `the next turn after a start, conversation of ${count(turns)} turns`,
      measured: `${ownMs.toFixed(0)} ms, with a request of ${megabytes(model.requests.at(-1)?.body.length ?? 0)}`,
      target: "100 ms",
      isMet: ownMs <= 100,
    },
  ];
}

/** Starts over at the end of the list. */
async function timePages(host: HostProcess, path: string): Promise<readonly number[]> {
  const times: number[] = [];
  let cursor: string | undefined;
  do {
    const startMs = performance.now();
    const next = cursor === undefined ? "" : `&cursor=${encodeURIComponent(cursor)}`;
    const response = await fetch(`${host.url}${path}${next}`, {
      headers: { authorization: `Bearer ${host.token}` },
    });
    const page: unknown = await response.json();
    times.push(performance.now() - startMs);
    const given = typeof page === "object" && page !== null && "nextCursor" in page ? page.nextCursor : undefined;
    cursor = typeof given === "string" ? given : undefined;
  } while (times.length <= pages);
  return times.slice(1);
}

/** Each reads a bounded number of conversations. */
async function listPages(conversations: number): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await storeConversations(folder.path, conversations);
  await using host = await startHostProcess({ folder: folder.path });
  const rows: Row[] = [];
  for (const [subject, path] of [
    [`a page of ${count(conversations)} conversations`, "/conversations?limit=50"],
    ["– with a filter that none fits: the answer", "/conversations?limit=50&archived=true"],
    ["– with a model that none has: the answer", "/conversations?limit=50&archived=all&model=no/one"],
    ["– with a status that none has: the answer", "/conversations?limit=50&archived=all&status=asking"],
    ["– of a search for what nobody said", "/conversations/search?limit=20&q=nothinglikethis"],
    ["– of an audit with a filter that none fits", "/audit?limit=20&onlyBroken=true"],
  ] as const) {
    const times = await timePages(host, path);
    rows.push({ subject, measured: spread(times), target: "50 ms", isMet: percentile(times, 0.5) <= 50 });
  }
  return rows;
}

async function erasure(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using storage = openSqliteStorage(join(folder.path, "data.db")).storage;
  const value = "x".repeat(10_000);
  const set = (key: string) => ({ kind: "set", namespace: "n", key, value }) as const;
  for (let start = 0; start < erasedBytes / value.length; start += 500)
    await storage.atomic(
      [],
      Array.from({ length: 500 }, (_, index) => set(`k${start + index}`)),
    );
  const startMs = performance.now();
  const erased = storage.eraseDeleted();
  const waits: number[] = [];
  for (let index = 0; storage.isErasureDue; index += 1) {
    const askedMs = performance.now();
    await storage.atomic([], [set(`k${index % 1_000}`)]);
    await storage.get("n", `k${index % 5_000}`);
    waits.push(performance.now() - askedMs);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await erased;
  const longest = Math.max(...waits);
  return [
    {
      subject: `a write and a read while ${megabytes(erasedBytes)} are written anew after a deletion`,
      measured: `${spread(waits)}, the longest ${longest.toFixed(1)} ms, in ${(performance.now() - startMs).toFixed(0)} ms`,
    },
  ];
}

const streams = 300;

/** Time of each first text while no stream has ended. */
async function manyStreams(): Promise<readonly Row[]> {
  await using folder = await createTempFolder();
  await using model = await startRecordingModelServer();
  await using host = await startHostProcess({ folder: folder.path, modelUrl: model.url });
  const ids: string[] = [];
  for (let index = 0; index < streams; index += 1) {
    model.enqueue({ kind: "text", chunks: ["first", " second"], gate: true });
    ids.push((await host.client.call(routes.createConversation, { body: {} })).conversation.id);
  }
  const startMs = performance.now();
  await Promise.all(
    ids.map((id) =>
      fetch(`${host.url}/conversations/${id}/turns`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${host.token}`,
          "content-type": "application/json",
          prefer: "respond-async",
        },
        body: JSON.stringify({ input: "go" }),
      }).then((response) => response.body?.cancel()),
    ),
  );
  await within(`${streams} requests`, 60_000, () => model.waitForRequests(streams));
  return [
    {
      subject: `${streams} conversations that stream at once, none of which ends`,
      measured: `the last request is with its model ${(performance.now() - startMs).toFixed(0)} ms after the first message was sent`,
    },
  ];
}

export async function growth(): Promise<readonly Row[]> {
  return [...(await nextTurn()), ...(await listPages(20_000)), ...(await erasure()), ...(await manyStreams())];
}

/** Fills 16 GB of disk first, which takes minutes. */
export function million(): Promise<readonly Row[]> {
  return listPages(1_000_000);
}
