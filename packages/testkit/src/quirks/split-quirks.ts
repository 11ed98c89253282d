import type { Reported } from "./reported.ts";

/** With formatting across the split. */
export interface SplitQuirk extends Reported {
  readonly markdown: string;
  /** Characters per message. */
  readonly max: number;
  /** Balanced in each part. */
  readonly mark: string;
}

const words = "word ".repeat(1_400).trim();
const row = (
  id: string,
  markdown: string,
  mark: string,
  {
    does,
    sources = [],
    max = 4_096,
    ...more
  }: Pick<Reported, "does"> & Partial<Pick<Reported, "sources">> & { readonly max?: number },
): SplitQuirk => ({ id, markdown, mark, does, sources, max, ...more });

export const splitQuirks: readonly SplitQuirk[] = [
  row("bold-words", `**${words}**`, "**", { does: "7,000 bold characters", sources: ["pi-chat#24", "pi-chat#10"] }),
  row("bold-letters", `**${"x".repeat(7_000)}**`, "**", { does: "one bold word of 7,000 letters" }),
  row("bold-lines", `**${"some words\n".repeat(700).trim()}**`, "**", {
    does: "bold text of many lines",
    sources: ["hermes-agent#52093"],
  }),
  row("italics", `*${words}*`, "*", { does: "7,000 characters in italics", sources: ["hermes-agent#52093"] }),
  row("underscores", `_${words}_`, "_", { does: "7,000 characters in italics by underscores" }),
  row("struck", `~~${words}~~`, "~~", { does: "7,000 characters struck through", sources: ["hermes-agent#52093"] }),
  row("code", `\`${words}\``, "`", { does: "7,000 characters of code in a line", sources: ["pi-chat#10"] }),
  row("bold-in-text", `${"a ".repeat(1_900)}**${"b ".repeat(900).trim()}** c`, "**", {
    does: "bold text that begins right before the cut",
  }),
  row("italics-beside-a-fence", `_${words}_\n\n\`\`\`js\nrun();\n\`\`\`\n\n_${words}_`, "_", {
    does: "italics go over the cut beside a fence",
    sources: ["openclaw#105424", "openclaw#102911"],
  }),
  row("long-inline-command", `Run \`${"npm run build -- --flag ".repeat(120).trim()}\` now`, "`", {
    does: "a command of 2,900 characters in a line",
    sources: ["openclaw#138413"],
    max: 2_000,
  }),
  row("mark-at-the-cut", `${"a".repeat(4_093)} **b**`, "**", { does: "the marks stand at the cut" }),
  row("short-parts", `**${"one two ".repeat(20).trim()}** and *${"three ".repeat(20).trim()}*`, "**", {
    does: "messages of forty characters",
    max: 40,
  }),
];
