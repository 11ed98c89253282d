import { createTempFolder, currentSample, sampleOf } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { attackIds } from "./attacks.ts";
import { builtCommand } from "../command/built-command.ts";
import { sourceCommand } from "../support/host-process.ts";

interface AttackWorld {
  /** Grants the one permission that lets the attack succeed. */
  readonly isControl: boolean;
  readonly command: readonly string[];
  readonly folder: string;
}

interface AttackOptions<Outcome> {
  readonly attempt: (world: AttackWorld) => Promise<Outcome>;
  readonly held: Outcome;
  readonly bites: Outcome;
}

const commands = {
  source: async () => sourceCommand,
  built: async () => [await builtCommand()],
} as const satisfies Record<string, () => Promise<readonly string[]>>;

const onSource = sampleOf(attackIds);

function isTaken(id: string, name: string): boolean {
  return currentSample() === "all" || (name === "source") === onSource.has(id);
}

/** The first attempt on the built file includes the build. */
const timeoutMs = 300_000;

/** A partial run tries a fifth on the source and the others on the built file. */
export function attack<Outcome>(id: string, { attempt, held, bites }: AttackOptions<Outcome>): void {
  if (Bun.deepEquals(held, bites))
    throw new Error(`The control of "${id}" shows nothing: it ends as the attack does`);
  for (const [name, command] of Object.entries(commands)) {
    const check = test.skipIf(!isTaken(id, name));
    const run = async (isControl: boolean): Promise<unknown> => {
      await using folder = await createTempFolder();
      return await attempt({ isControl, command: await command(), folder: folder.path });
    };
    check(`[attack:${id}] holds (${name})`, async () => expect(await run(false)).toEqual(held), timeoutMs);
    check(`[attack:${id}] would bite (${name})`, async () => expect(await run(true)).toEqual(bites), timeoutMs);
  }
}
