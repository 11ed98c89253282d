import { acpAgentQuirks } from "./acp-agent-quirks.ts";
import { acpEditorQuirks } from "./acp-editor-quirks.ts";
import { commandQuirks } from "./command-quirks.ts";
import { discordMessageQuirks } from "./discord-message-quirks.ts";
import { frontMatterQuirks } from "./front-matter-quirks.ts";
import { replyQuirks, taskFileQuirks } from "./heartbeat-quirks.ts";
import { lookupQuirks } from "./lookup-quirks.ts";
import { mcpQuirks } from "./mcp-quirks.ts";
import { mcpRefusalQuirks } from "./mcp-refusal-quirks.ts";
import { mediaLineQuirks } from "./media-line-quirks.ts";
import type { Reported } from "./reported.ts";
import { splitQuirks } from "./split-quirks.ts";
import { telegramAlbumQuirks, telegramSendQuirks } from "./telegram-chat-quirks.ts";
import { telegramUpdateQuirks } from "./telegram-update-quirks.ts";
import { tildeQuirks } from "./tilde-quirks.ts";
import { toolQuirks } from "./tool-quirks.ts";

type EdgeQuirk = Pick<Reported, "sources"> & Partial<Pick<Reported, "id">>;

/** Quirks of models are in `allQuirks`. */
export const edgeQuirks: Readonly<Record<string, readonly EdgeQuirk[]>> = {
  acpAgentQuirks,
  acpEditorQuirks,
  commandQuirks,
  discordMessageQuirks,
  frontMatterQuirks,
  lookupQuirks,
  mcpQuirks,
  mcpRefusalQuirks,
  mediaLineQuirks,
  replyQuirks,
  splitQuirks,
  taskFileQuirks,
  telegramAlbumQuirks,
  telegramSendQuirks,
  telegramUpdateQuirks,
  tildeQuirks,
  toolQuirks,
};

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

/** `undefined` for projects that are not counted. */
export function normalizeReport(source: string): string | undefined {
  const [name = "", number = ""] = source.split("#");
  const [project, names] = projects.find(([, known]) => known.test(name)) ?? [];
  if (project === undefined || names === undefined) return undefined;
  // Only these projects have several repositories.
  const repository = project === "modelcontextprotocol" || project === "Zed" ? name.replace(/^.*\//, "") : "";
  return `${project}${repository === "" ? "" : `/${repository}`}#${number}`;
}
