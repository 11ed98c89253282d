import { createFileSystem, createSpawn, systemClock } from "@incipit/host/drivers";
import { toolsPoint } from "@incipit/service-contract";
import { createTempFolder, startExtension } from "@incipit/testkit";
import workspaceTools from "@incipit/workspace-tools";
import { rgPath } from "@vscode/ripgrep";
import { mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { spread } from "./format.ts";
import { percentile } from "./measure.ts";
import type { Row } from "./table.ts";

const folders = 500;
const filesOfFolder = 100;
const rounds = 9;
const needle = "thereIsOneOfThese";
const line = (number: number): string =>
  `export const value${number} = compute(${number}, "of a file like any other");\n`;

/** About 5 KB each; one in a thousand matches. */
async function writeRepository(root: string): Promise<void> {
  for (let folder = 0; folder < folders; folder += 1) {
    const path = join(root, `package-${folder % 50}/src/part-${folder}`);
    await mkdir(path, { recursive: true });
    const files = Array.from({ length: filesOfFolder }, (_, file) => {
      const number = folder * filesOfFolder + file;
      const lines = Array.from({ length: 70 }, (_line, index) => line(number + index)).join("");
      return Bun.write(join(path, `file-${file}.ts`), number % 1_000 === 7 ? `${lines}${needle}();\n` : lines);
    });
    await Promise.all(files);
  }
}

/** Starts a search in the same way as a model's call. */
async function startSearch(
  scope: AsyncDisposableStack,
  cwd: string,
  path: string,
): Promise<() => Promise<unknown>> {
  const host = await startExtension(workspaceTools, {
    drivers: {
      fs: (extension, grant) => createFileSystem(extension, grant, { clock: systemClock }),
      spawn: (extension, grant) => createSpawn(extension, grant, { clock: systemClock, env: { PATH: path } }),
    },
  });
  const tool = scope
    .use(host)
    .contributions(toolsPoint)
    .find(({ name }) => name === "search");
  if (tool === undefined) throw new Error('There is no tool "search"');
  const call = { conversationId: "conversation-1", cwd, signal: new AbortController().signal };
  return async () => tool.execute({ pattern: needle }, call);
}

async function timesOf(work: () => Promise<unknown>): Promise<readonly number[]> {
  await work(); // Fills the system's file cache.
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const startMs = performance.now();
    await work();
    samples.push(performance.now() - startMs);
  }
  return samples;
}

/** With and without ripgrep, and ripgrep alone. */
export async function search(): Promise<readonly Row[]> {
  await using scope = new AsyncDisposableStack();
  const folder = scope.use(await createTempFolder());
  await writeRepository(folder.path);
  const alone = await timesOf(async () => {
    const child = Bun.spawn([rgPath, "--line-number", "--no-heading", needle, "."], {
      cwd: folder.path,
      stdin: "ignore",
      stdout: "pipe",
    });
    await Promise.all([new Response(child.stdout).text(), child.exited]);
  });
  const withRipgrep = await timesOf(await startSearch(scope, folder.path, dirname(rgPath)));
  const without = await timesOf(await startSearch(scope, folder.path, "/nonexistent"));
  const times = (samples: readonly number[]): number => percentile(samples, 0.5) / percentile(alone, 0.5);
  return [
    { subject: "50,000 files, 250 MB: ripgrep alone", measured: spread(alone) },
    {
      subject: "the tool `search` where ripgrep is installed",
      measured: `${spread(withRipgrep)}; ${times(withRipgrep).toFixed(2)}x of ripgrep`,
      target: "2x of ripgrep",
      isMet: times(withRipgrep) <= 2,
    },
    {
      subject: "the same where it is not: the host reads all files itself",
      measured: `${spread(without)}; ${times(without).toFixed(2)}x of ripgrep`,
    },
  ];
}
