import { expect, test } from "bun:test";
import { acpAgentQuirks } from "./acp-agent-quirks.ts";
import { acpEditorQuirks } from "./acp-editor-quirks.ts";
import { allQuirks } from "./all-quirks.ts";
import { commandQuirks } from "./command-quirks.ts";
import { discordMessageQuirks } from "./discord-message-quirks.ts";
import { frontMatterQuirks } from "./front-matter-quirks.ts";
import { replyQuirks, taskFileQuirks } from "./heartbeat-quirks.ts";
import { lookupQuirks } from "./lookup-quirks.ts";
import { mcpQuirks } from "./mcp-quirks.ts";
import { mcpRefusalQuirks } from "./mcp-refusal-quirks.ts";
import { mediaLineQuirks } from "./media-line-quirks.ts";
import { networkQuirks } from "./network-quirks.ts";
import type { Reported } from "./reported.ts";
import { splitQuirks } from "./split-quirks.ts";
import { telegramAlbumQuirks, telegramSendQuirks } from "./telegram-chat-quirks.ts";
import { telegramUpdateQuirks } from "./telegram-update-quirks.ts";
import { tildeQuirks } from "./tilde-quirks.ts";
import { toolQuirks } from "./tool-quirks.ts";

type Row = Pick<Reported, "sources"> & Partial<Pick<Reported, "id">>;

const chatsAndFiles: readonly (readonly Row[])[] = [
  discordMessageQuirks,
  frontMatterQuirks,
  mediaLineQuirks,
  replyQuirks,
  splitQuirks,
  taskFileQuirks,
  telegramUpdateQuirks,
];
/** Those of models are in `allQuirks`. */
const edges: readonly (readonly Row[])[] = [
  ...chatsAndFiles,
  acpAgentQuirks,
  acpEditorQuirks,
  commandQuirks,
  lookupQuirks,
  mcpQuirks,
  mcpRefusalQuirks,
  telegramAlbumQuirks,
  telegramSendQuirks,
  tildeQuirks,
  toolQuirks,
];

test("each table of quirks has unique ids, and sources as project#number", () => {
  for (const table of [[...allQuirks, ...toolQuirks], ...edges]) {
    const ids = table.flatMap(({ id }) => id ?? []);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  }
  const sources = edges.flat().flatMap((row) => row.sources);
  expect(sources.filter((source) => !/^[\w./-]+#\d+$/.test(source))).toEqual([]);
  const ofModels = allQuirks.flatMap((row) => row.sources);
  expect(ofModels.filter((source) => !/^(?:[\w./-]+#\d+|recorded\/[\w-]+)$/.test(source))).toEqual([]);
});

// Those of the network repeat for each format and count once.
const ofModels = allQuirks.filter(
  ({ sources, wires, id }) =>
    sources.length > 0 && (!networkQuirks.some((quirk) => quirk.id === id) || wires[0] === "gemini"),
);
for (const [name, rows, least] of [
  ["models", ofModels, { rows: 200, reports: 60 }],
  ["MCP servers", mcpQuirks, { rows: 80, reports: 40 }],
  ["chats and agent files", chatsAndFiles.flat(), { rows: 165, reports: 50 }],
] as const)
  test(`the quirks of ${name} have at least ${least.rows} rows from ${least.reports} reports`, () => {
    const reports = rows.flatMap(({ sources }) => sources).filter((source) => source.includes("#"));

    expect(rows.length).toBeGreaterThanOrEqual(least.rows);
    expect(new Set(reports).size).toBeGreaterThanOrEqual(least.reports);
  });

/** Short and full names, as the tables use them. */
const projects: readonly (readonly [project: string, names: RegExp])[] = [
  ["openclaw", /^openclaw(?:\/(?:openclaw|acpx))?$/],
  ["grammY", /^(?:grammyjs\/)?grammY$/],
  ["discord.js", /^discordjs\/discord\.js$/],
  ["modelcontextprotocol", /^(?:modelcontextprotocol\/[\w-]+|(?:python|java|csharp|ruby)-sdk)$/],
  ["Zed", /^zed-industries\/[\w-]+$/],
  ["opencode", /^(?:anomalyco\/)?opencode$/],
  ["codex", /^openai\/codex$/],
  ["claude-code", /^(?:anthropics\/)?claude-code$/],
  ["cline", /^cline\/cline$/],
  ["goose", /^aaif-goose\/goose$/],
  ["LibreChat", /^danny-avila\/LibreChat$/],
];

test("the quirks beside those of models have 480 rows from 140 reports of eleven projects", () => {
  const reports = edges.flat().flatMap((row) =>
    row.sources.flatMap((source) => {
      const [name = "", number = ""] = source.split("#");
      const project = projects.find(([, names]) => names.test(name))?.[0];
      if (project === undefined) return [];
      // Only these projects have several repositories.
      const isSplit = project === "modelcontextprotocol" || project === "Zed";
      return [{ project, report: `${project}/${isSplit ? name.replace(/^.*\//, "") : ""}#${number}` }];
    }),
  );

  expect(edges.flat().length).toBeGreaterThanOrEqual(480);
  expect(new Set(reports.map(({ report }) => report)).size).toBeGreaterThanOrEqual(140);
  expect(new Set(reports.map(({ project }) => project)).size).toBe(11);
});
