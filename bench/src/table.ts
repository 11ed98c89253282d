export interface Row {
  readonly subject: string;
  readonly measured: string;
  /** Absent: only for comparison. */
  readonly target?: string;
  readonly isMet?: boolean;
}

export function toMarkdown(rows: readonly Row[]): string {
  const line = ({ subject, measured, target = "", isMet }: Row): string => {
    const verdict = isMet === undefined ? "" : isMet ? "yes" : "**missed**";
    return `| ${subject} | ${measured} | ${target} | ${verdict} |`;
  };
  return ["| subject | measured | to reach | reached |", "| --- | --- | --- | --- |", ...rows.map(line)].join("\n");
}
