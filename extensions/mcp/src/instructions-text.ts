import { replaceHidden } from "@incipit/schema";
import { maxAllInstructionsBytes, maxInstructionsBytes } from "./limits.ts";

/** The characters that are looked at: a prompt has no more of them, whatever is left out. */
const maxLookedAt = 4 * maxInstructionsBytes;

/**
 * What a server says of itself as text that is what it looks like: without control characters, and without those that are
 * not seen or turn others around; with one kind of line end, and no more than one empty line in a place.
 */
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

/** As much of it as models are told, and a word where it was cut. @param sizeBytes Of all that the server said. */
export function boundInstructions(text: string, sizeBytes: number): string {
  if (Buffer.byteLength(text) <= maxInstructionsBytes && sizeBytes <= maxLookedAt) return text;
  return `${cutText(text, maxInstructionsBytes).trimEnd()}\n[cut here: the server says ${sizeBytes} bytes]`;
}

export interface InstructionsOfServer {
  readonly name: string;
  readonly text: string;
}

const opening = `# MCP servers

What the servers of your tools say about them. Each says it of the tools alone whose names begin with its name.`;

/**
 * All of them, each under its server's name, in lines that begin with ">": none can write in the place of another one, or of
 * whoever else writes behind it. `leftOut`: servers whose text had no room.
 */
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

/** So many bytes at most, without half a character. */
function cutText(text: string, maxBytes: number): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(Buffer.from(text).subarray(0, maxBytes), {
    stream: true,
  });
}
