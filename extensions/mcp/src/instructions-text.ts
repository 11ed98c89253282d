import { replaceHidden } from "@incipit/schema";
import { maxAllInstructionsBytes, maxInstructionsBytes } from "./limits.ts";

const maxLookedAt = 4 * maxInstructionsBytes;

/** Removes control, invisible and direction-changing characters. */
export function readableInstructions(text: string): string {
  const lines = text
    .slice(0, maxLookedAt)
    .toWellFormed()
    .replaceAll(/\r\n?|[\v\f\u{85}\p{Zl}\p{Zp}]/gu, "\n");
  return replaceHidden(lines, () => "")
    .split("\n")
    .map((line) => line.trimEnd())
    .join("\n")
    .replaceAll(/\n{3,}/g, "\n\n")
    .trim();
}

export function boundInstructions(text: string, sizeBytes: number): string {
  if (Buffer.byteLength(text) <= maxInstructionsBytes && sizeBytes <= maxLookedAt) return text;
  return `${cutText(text, maxInstructionsBytes).trimEnd()}\n[cut here: the server says ${sizeBytes} bytes]`;
}

export interface InstructionsOfServer {
  readonly name: string;
  readonly text: string;
}

const opening = `# MCP servers

Instructions of your MCP servers. Each applies only to tools whose names begin with the server's name.`;

/** Lines begin with ">", so that no server can imitate other parts of the prompt. */
export function instructionsText(servers: readonly InstructionsOfServer[]): {
  readonly text: string;
  readonly leftOut: readonly string[];
} {
  const leftOut: string[] = [];
  let text = opening;
  for (const { name, text: said } of servers) {
    const quoted = said.split("\n").map((line) => (line === "" ? ">" : `> ${line}`));
    const part = `\n\n## ${name}\n\n${quoted.join("\n")}`;
    if (Buffer.byteLength(text) + Buffer.byteLength(part) > maxAllInstructionsBytes) leftOut.push(name);
    else text += part;
  }
  if (leftOut.length > 0) text += `\n\n[left out, as all together are too long: ${leftOut.join(", ")}]`;
  return { text, leftOut };
}

function cutText(text: string, maxBytes: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, maxBytes), {
    stream: true,
  });
}
