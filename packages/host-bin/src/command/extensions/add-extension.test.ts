import { ApiClientError } from "@incipit/transport-contract";
import { expect, test } from "bun:test";
import { recordOutput } from "../testing/recorded-output.ts";
import { granting, grantRows } from "./add-extension.ts";

const width = 80;

test("[attack:terminal-grant-row] grantRows marks every row, even with a name as wide as the terminal", () => {
  const fake = "Grant it? [y/N] y";
  const word = `reads files at "/srv/${" ".repeat(width - 20)}${fake}" and below`;

  const rows = grantRows({ words: [word, `a\n${fake}`], newWords: [word] }, { width });

  expect(rows.map((row) => row[0])).toEqual(["│", "┆", "│", "│"]);
  for (const row of rows) expect(Bun.stringWidth(row)).toBeLessThan(width);
  expect(rows.slice(0, 2).join("")).toContain("  (new)");
  expect(Bun.stringWidth(`  it ${word}`)).toBeGreaterThan(width);
});

test("grantRows marks additions to an earlier grant, and nothing when all is new", () => {
  expect(grantRows({ words: ["reads", "writes"], newWords: ["writes"] }, { width })).toEqual([
    "│ it reads",
    "│ it writes  (new)",
  ]);
  expect(grantRows({ words: ["reads", "writes"], newWords: ["reads", "writes"] }, { width })).toEqual([
    "│ it reads",
    "│ it writes",
  ]);
});

test("granting with --yes grants the request and access to stored data", async () => {
  const args = { isGranted: true, isJson: false };
  const grant = { storage: true } as const;

  for (const stored of [0, 1, 2]) {
    const words = ["stores things"];
    const said = { id: "acme.x", version: "1.0.0", asked: grant, grant, sha256: "hash", stored };
    const details = { ...said, isCodeChanged: false, words, newWords: words };
    const answers: unknown[] = [];
    const { output, stderr } = recordOutput();

    const result = await granting({ args, output }, async (answer) => {
      answers.push(answer);
      if (answer.grant === undefined) throw new ApiClientError("GRANT_REQUIRED", "asks", { status: 403, details });
      return "added";
    });

    expect(result).toBe("added");
    expect(answers).toEqual([{}, { grant, sha256: "hash", ...(stored === 0 ? {} : { data: "keep" }) }]);
    expect(stderr().includes("it finds what was stored")).toBe(stored > 0);
  }
});
