import { sampleCount } from "@incipit/testkit";
import { expect, test } from "bun:test";
import { ConversationLives, type KillCounts } from "./conversation-lives.ts";

const folderCount = 4;
/** `CONVERSATION_KILLS=1000` takes ten minutes on two processors. */
const kills = Number(process.env["CONVERSATION_KILLS"] ?? sampleCount(200));
const seed = Number(process.env["CONVERSATION_KILL_SEED"] ?? Math.floor(Math.random() * 2 ** 32));

test("[never-lost] repeated SIGKILL under 20 conversations keeps acknowledged data, and requests stay valid", async () => {
  process.stderr.write(`CONVERSATION_KILL_SEED=${seed}\n`);
  const lives = Array.from({ length: folderCount }, async (_, index): Promise<KillCounts> => {
    await using life = await ConversationLives.begin({ seed: seed + index, conversations: 20 });
    for (let round = 1; round <= kills / folderCount; round += 1) {
      try {
        await life.round();
      } catch (cause) {
        throw new Error(`CONVERSATION_KILL_SEED=${seed}, folder ${index}, kill ${round}`, { cause });
      }
    }
    return await life.end();
  });

  const counts = await Promise.all(lives);

  const total = (name: keyof KillCounts): number => counts.reduce((sum, count) => sum + count[name], 0);
  const names = [
    "kills",
    "running",
    "acknowledged",
    "interrupted",
    "compactions",
    "toolCalls",
    "requests",
  ] as const;
  process.stderr.write(`${names.map((name) => `${total(name)} ${name}`).join(", ")}\n`);
  expect(total("kills")).toBe(kills);
  for (const name of names) expect(total(name)).toBeGreaterThan(0);
}, 1_800_000);
