import { truncateToWidth } from "@earendil-works/pi-tui";
import { count } from "@incipit/cli-text";
import { clippedLine } from "@incipit/schema/text";
import type { Message, Usage } from "@incipit/schema";
import { routes } from "@incipit/transport-contract";
import { percent } from "../status/amounts.ts";
import type { Style } from "../style/style.ts";
import { Block, hanging } from "../transcript/block.ts";
import type { CommandContext, TerminalCommand } from "./command.ts";
import { newestMessages } from "./history.ts";
import { promptOf } from "./conversation-prompt.ts";
import { stepsOf } from "./steps-of.ts";
import { windowParts, type PartKind, type WindowPart } from "./window-parts.ts";

const maxRows = 12;
const widestBar = 100;
const bytesOfToken = 4;

const kinds = {
  system: { title: "System prompt", glyph: "█" },
  tools: { title: "Tools", glyph: "▓" },
  messages: { title: "Messages", glyph: "▒" },
} as const satisfies Record<PartKind, { readonly title: string; readonly glyph: string }>;
const freeGlyph = "░";

export const context: TerminalCommand = {
  name: "context",
  summary: "shows the usage of the model's context window",
  async run(given) {
    const { session, style, print } = given;
    const { text, explain } = await promptOf(session);
    const { conversation, client } = session;
    const tools =
      conversation === undefined
        ? []
        : (await client.call(routes.getConversationTools, { params: { id: conversation.id } })).tools;
    const parts = windowParts({ prompt: text, explain, tools, messages: await messagesOfEpoch(given) });
    const reported = await reportedTokens(given);
    const sizeBytes = parts.reduce((sum, part) => sum + part.sizeBytes, 0);
    const scale = reported === undefined || sizeBytes === 0 ? 1 / bytesOfToken : reported / sizeBytes;
    const window = session.facts?.contextWindow ?? undefined;
    const shares = parts.map((part) => ({ ...part, tokens: part.sizeBytes * scale }));
    const used = reported ?? Math.round(sizeBytes * scale);
    const how =
      reported === undefined
        ? "Nothing was counted yet: an estimate of the next request, at four bytes per token"
        : "The vendor counted the total; the parts are estimated by bytes";
    print(
      new Block((width) => [
        "",
        style.strong(
          window === undefined
            ? `${count(used)} tokens; context window unknown`
            : `${count(used)} of ${count(window)} tokens, ${percent(used / window)}`,
        ),
        bar(shares, { width: Math.min(widestBar, width), whole: window ?? used, style }),
        "",
        ...rows(shares, { width, whole: window ?? used, used, style }),
        "",
        ...(conversation === undefined
          ? hanging("The tools are known after the first message", { first: "", width }).map(style.muted)
          : []),
        ...hanging(how, { first: "", width }).map(style.muted),
      ]),
    );
  },
};

type Share = WindowPart & { readonly tokens: number };

/** Returns the messages of the current epoch, which alone are sent. */
async function messagesOfEpoch({ session }: CommandContext): Promise<readonly Message[]> {
  const epoch = session.conversation?.epoch;
  const messages = await newestMessages({ session }, Number.POSITIVE_INFINITY);
  return messages.filter((message) => message.epoch === epoch);
}

async function reportedTokens({ session }: CommandContext): Promise<number | undefined> {
  const { conversation, client } = session;
  if (conversation === undefined) return undefined;
  let usage: Usage | null = null;
  for await (const step of stepsOf(client, conversation.id))
    if (step.epoch === conversation.epoch && step.purpose === "turn") usage = step.usage ?? usage;
  const input = usage?.inputTokens ?? null;
  return input === null ? undefined : input + (usage?.outputTokens ?? 0);
}

const order = ["system", "tools", "messages"] as const satisfies readonly PartKind[];

function bar(
  shares: readonly Share[],
  { width, whole, style }: { readonly width: number; readonly whole: number; readonly style: Style },
): string {
  const paint = { system: style.accent, tools: style.warning, messages: style.good };
  let left = width;
  const blocks = order.map((kind) => {
    const cells = whole === 0 ? 0 : (tokensOf(shares, kind) / whole) * width;
    // Small shares get at least one cell.
    const shown = Math.min(left, cells > 0 ? Math.max(1, Math.round(cells)) : 0);
    left -= shown;
    return paint[kind](kinds[kind].glyph.repeat(shown));
  });
  return `${blocks.join("")}${style.muted(freeGlyph.repeat(left))}`;
}

function tokensOf(shares: readonly Share[], kind: PartKind): number {
  return shares.reduce((sum, part) => sum + (part.kind === kind ? part.tokens : 0), 0);
}

function rows(
  shares: readonly Share[],
  options: { readonly width: number; readonly whole: number; readonly used: number; readonly style: Style },
): readonly string[] {
  const { whole, used, style } = options;
  const free = whole - used;
  return [
    ...order.flatMap((kind) => {
      const parts = shares.filter((part) => part.kind === kind).toSorted((one, other) => other.tokens - one.tokens);
      if (parts.length === 0) return [];
      const { glyph, title } = kinds[kind];
      const shown = parts.length > maxRows ? parts.slice(0, maxRows - 1) : parts;
      const rest = parts.slice(shown.length);
      const restTokens = rest.reduce((sum, part) => sum + part.tokens, 0);
      return [
        row(`${glyph} ${title}`, tokensOf(shares, kind), options),
        ...shown.map(({ name, tokens }) =>
          style.muted(row(`    ${clippedLine(name, { maxCharacters: 80 })}`, tokens, options)),
        ),
        ...(rest.length === 0 ? [] : [style.muted(row(`    … and ${rest.length} more`, restTokens, options))]),
      ];
    }),
    ...(free > 0 ? [row(`${freeGlyph} Free`, free, options)] : []),
  ];
}

const widestName = 44;

function row(
  name: string,
  tokens: number,
  { width, whole }: { readonly width: number; readonly whole: number },
): string {
  const figures = `${count(Math.round(tokens)).padStart(9)}  ${percent(whole === 0 ? 0 : tokens / whole).padStart(5)}`;
  const room = Math.max(8, Math.min(widestName, width - figures.length - 1));
  return `${truncateToWidth(name, room, "…", true)} ${figures}`;
}
