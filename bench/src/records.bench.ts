import { createTempFolder, startRecordingModelServer, type RecordingModelServer } from "@incipit/testkit";
import { routes } from "@incipit/transport-contract";
import { Database } from "bun:sqlite";
import { join } from "node:path";
import { spread } from "./format.ts";
import { dataFolderOf, startHostProcess, type HostProcess } from "./host-process.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";
import { timeTurn } from "./time-turn.ts";

const turnCount = 1_000;
/** The last turns, with the longest requests. */
const measured = 300;
const input = "Read what changed since yesterday, and say in one paragraph whether the tests still hold. ".repeat(
  2,
);
const reply = "They do: each of the three changes brought its own test, and none of the old ones went. ".repeat(5);

interface Recording extends AsyncDisposable {
  readonly folder: string;
  readonly host: HostProcess;
  readonly model: RecordingModelServer;
  readonly id: string;
  readonly ownMs: number[];
}

async function start(settings: string): Promise<Recording> {
  const scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  const model = scope.use(await startRecordingModelServer());
  const host = scope.use(await startHostProcess({ folder: folder.path, modelUrl: model.url, settings }));
  const { conversation } = await host.client.call(routes.createConversation, { body: {} });
  return {
    folder: folder.path,
    host,
    model,
    id: conversation.id,
    ownMs: [],
    [Symbol.asyncDispose]: () => scope.disposeAsync(),
  };
}

function storedBytes(folder: string): number {
  using database = new Database(join(dataFolderOf(folder), "incipit.db"), { readonly: true });
  const row = database
    .query(
      "SELECT sum(length(CAST(key AS BLOB)) + length(CAST(value AS BLOB))) FROM entries WHERE key LIKE 'wire:%' OR key LIKE 'told-system:%' OR key LIKE 'record-age:%'",
    )
    .values()[0];
  return Number(row?.[0]);
}

/** Time and disk cost of recording; two hosts alternate so that load affects both. */
export async function records(): Promise<readonly Row[]> {
  await using recorded = await start("");
  await using unrecorded = await start("[records]\nrequests = false\n");
  for (let turn = 1; turn <= turnCount; turn += 1) {
    for (const { host, model, id, ownMs } of turn % 2 === 0 ? [recorded, unrecorded] : [unrecorded, recorded]) {
      model.enqueue({ kind: "text", chunks: [reply] });
      ownMs.push((await timeTurn(host.client, id, model, input)).ownMs);
    }
  }
  const lastBody = Buffer.byteLength(recorded.model.requests.at(-1)?.body ?? "");
  const stored = storedBytes(recorded.folder);
  const [withIt, without] = [recorded, unrecorded].map(({ ownMs }) => ownMs.slice(-measured));
  const overhead = percentile(withIt ?? [], 0.5) / percentile(without ?? [], 0.5) - 1;
  const ratio = stored / lastBody;
  return [
    {
      subject: "requests of 1,000 steps of one conversation, stored",
      measured: `${(stored / 1e3).toFixed(0)} KB, ${ratio.toFixed(2)} x the last body`,
      target: "2 x",
      isMet: ratio <= 2,
    },
    {
      subject: "a turn with its request recorded, turns 701 to 1,000",
      measured: `${spread(withIt ?? [])} (${(overhead * 100).toFixed(1)} % more)`,
      target: "5 % more",
      isMet: overhead <= 0.05,
    },
    { subject: "– the same, not recorded", measured: spread(without ?? []) },
  ];
}
