import { fileURLToPath } from "node:url";
import type { BotParameter } from "../src/bot-server/bot-methods.ts";

/**
 * Generates `src/bot-server/declared-methods.ts` from the declarations of `@grammyjs/types`, whose text is that of
 * https://core.telegram.org/bots/api: `bun scripts/bot-methods.ts`. A test fails when it is outdated.
 */

/** Methods that the recording server implements. */
const answered = [
  "answerCallbackQuery",
  "deleteWebhook",
  "editMessageText",
  "getFile",
  "getMe",
  "getUpdates",
  "getWebhookInfo",
  "sendAudio",
  "sendChatAction",
  "sendDocument",
  "sendMessage",
  "sendMessageDraft",
  "sendPhoto",
  "sendVideo",
  "sendVoice",
  "setMyCommands",
  "setWebhook",
] as const;

const maxLineLength = 110;

const kinds: Readonly<Record<string, BotParameter["kind"]>> = {
  boolean: "boolean",
  true: "boolean",
  number: "integer",
  "number | string": "chat",
  string: "text",
  ParseMode: "text",
  LanguageCode: "text",
  F: "file",
  "F | string": "file",
};

function kindOf(type: string): BotParameter["kind"] {
  return kinds[type] ?? (/^"[a-z_]+"( \| "[a-z_]+")*$/.test(type) ? "text" : "json");
}

/** @throws for a line that it cannot parse, since a skipped parameter would go unchecked. */
function parametersOf(lines: readonly string[], method: string): readonly string[] {
  const found: string[] = [];
  let comment = "";
  let isComment = false;
  for (const line of lines) {
    if (line.includes("/**")) comment = "";
    isComment = isComment || line.includes("/**");
    if (isComment) {
      comment += ` ${line.trim()}`;
      isComment = !line.includes("*/");
      continue;
    }
    const [, name, mark, type] = /^ {8}(\w+)(\??): (.+);$/.exec(line) ?? [];
    if (name === undefined || type === undefined) throw new Error(`Cannot read this line of "${method}": ${line}`);
    const [, max] = /\b[01]-(\d+) (?:characters|bytes)/.exec(comment) ?? [];
    found.push(`${name}${mark === "" ? "!" : ""} ${kindOf(type)}${max === undefined ? "" : ` ${max}`}`);
  }
  return found;
}

export const declaredMethodsUrl = new URL("../src/bot-server/declared-methods.ts", import.meta.url);

/**
 * Returns the file for the installed declarations.
 * @throws when a method is missing.
 */
export async function declaredMethodsFile(): Promise<string> {
  const path = fileURLToPath(new URL("methods.d.ts", import.meta.resolve("@grammyjs/types")));
  const lines = (await Bun.file(path).text()).split("\n");
  const rows = answered.map((method) => {
    const start = lines.findIndex((line) => line.startsWith(`    ${method}(`));
    if (start === -1) throw new Error(`@grammyjs/types declares no method "${method}"`);
    if (lines[start]?.includes("()") === true) return `  ${method}: "",\n`;
    const end = lines.findIndex((line, index) => index > start && line.startsWith("    })"));
    return `  ${method}: \`\n${wrapped(parametersOf(lines.slice(start + 1, end), method))}\`,\n`;
  });
  return `/** The methods that the recording server answers, with what \`botParameters\` reads. Made by \`scripts/bot-methods.ts\`. */
export const declaredMethods = {
${rows.join("")}} as const;
`;
}

function wrapped(parameters: readonly string[]): string {
  const lines: string[] = [];
  for (const parameter of parameters) {
    const last = lines.at(-1);
    if (last === undefined || last.length + parameter.length + 2 > maxLineLength) lines.push(`    ${parameter}`);
    else lines.splice(-1, 1, `${last}, ${parameter}`);
  }
  return lines.join(",\n");
}

if (import.meta.main) await Bun.write(declaredMethodsUrl, await declaredMethodsFile());
