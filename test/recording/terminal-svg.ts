const columns = { width: 8.4, margin: 16 } as const;
const rows = { height: 19, margin: 38 } as const;
const fonts = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace";

export interface Scene {
  readonly command: string;
  readonly printed: string;
}

function classOf(line: string): string {
  if (line.startsWith("!")) return "broken";
  if (/^\s+->/.test(line)) return "mend";
  if (/\$\d/.test(line)) return "cost";
  return "plain";
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

export function terminalSvg(scenes: readonly Scene[], title: string): string {
  const lines: { readonly text: string; readonly kind: string; readonly atMs: number }[] = [];
  let atMs = 400;
  for (const { command, printed } of scenes) {
    lines.push({ text: `$ ${command}`, kind: "typed", atMs });
    atMs += 900;
    for (const text of printed.trimEnd().split("\n")) {
      lines.push({ text, kind: classOf(text), atMs });
      atMs += 90;
    }
    lines.push({ text: "", kind: "plain", atMs });
    atMs += 700;
  }
  lines.pop();
  const width = Math.ceil(Math.max(...lines.map(({ text }) => text.length)) * columns.width + 2 * columns.margin);
  const height = lines.length * rows.height + rows.margin + 20;
  const texts = lines.map(({ text, kind, atMs: at }, index) => {
    const y = rows.margin + (index + 1) * rows.height;
    return `<text class="${kind}" x="${columns.margin}" y="${y}" style="animation-delay:${at}ms">${escaped(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escaped(title)}">
<style>
text{font:14px ${fonts};white-space:pre;fill:#c9d1d9;opacity:0;animation:shown 1ms linear forwards}
.typed{fill:#fff;font-weight:600}.broken{fill:#ffa657;font-weight:600}.mend{fill:#7ee787}.cost{fill:#ff7b72;font-weight:600}
@keyframes shown{to{opacity:1}}
@media (prefers-reduced-motion:reduce){text{animation-delay:0ms!important}}
</style>
<rect width="100%" height="100%" rx="8" fill="#0d1117"/>
<circle cx="18" cy="18" r="5" fill="#ff5f56"/><circle cx="36" cy="18" r="5" fill="#ffbd2e"/><circle cx="54" cy="18" r="5" fill="#27c93f"/>
${texts.join("\n")}
</svg>
`;
}
