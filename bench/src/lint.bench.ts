import { getVariableCatalog, loadLint } from "@incipit/system-prompt";
import { percentile, timeMs } from "./measure.ts";
import type { Row } from "./table.ts";

const sizeBytes = 1_048_576;

/** Each is repeated to 1 MiB. */
const templates: Readonly<Record<string, string>> = {
  "text with variables and conditions":
    "You are a careful assistant that reads before it writes.\n[if file:AGENTS.md][file:AGENTS.md][else]There are no rules in [prompt:cwd].[endif]\n",
  "unknown variables": "[sytem:time] ",
  "unclosed conditions": "[if a:b]",
  "`[` alone": "[",
};

/** Each size doubles the previous; the last is the target. */
const shares = [16, 8, 4, 2, 1];
const rounds = 5;

export async function lints(): Promise<readonly Row[]> {
  const lintTemplate = await loadLint();
  const options = { catalog: getVariableCatalog(), promptRefresh: "compaction" } as const;
  return Object.entries(templates).map(([name, piece]) => {
    const whole = piece.repeat(Math.floor(sizeBytes / piece.length));
    const times = shares.map((share) => {
      const template = whole.slice(0, Math.round(whole.length / share));
      const samples: number[] = [];
      for (let round = 0; round <= rounds; round += 1) {
        const tookMs = timeMs(() => JSON.stringify(lintTemplate(template, options)));
        if (round > 0) samples.push(tookMs); // The first round warms up.
      }
      return percentile(samples, 0.5);
    });
    const growth = (times.at(-1) ?? Number.NaN) / (times[0] ?? Number.NaN) / (shares[0] ?? 1);
    return {
      subject: `lint of a template of 1 MiB: ${name}`,
      measured: `${times.map((time) => time.toFixed(1)).join(", ")} ms from a 16th to all of it (${growth.toFixed(2)} x linear)`,
      target: "time grows as the size does",
      isMet: growth <= 1.6,
    };
  });
}
