import type { Reported } from "./reported.ts";

export interface ReplyQuirk extends Reported {
  readonly reply: string;
  readonly isQuiet: boolean;
}

export interface TaskFileQuirk extends Reported {
  readonly text: string;
  readonly hasTasks: boolean;
}

const quiet = (
  id: string,
  reply: string,
  does: string,
  more: Partial<Pick<Reported, "sources">> = {},
): ReplyQuirk => ({ id, reply, does, isQuiet: true, sources: [], ...more });

const alert: typeof quiet = (...given) => ({ ...quiet(...given), isQuiet: false });

export const replyQuirks: readonly ReplyQuirk[] = [
  quiet("alone", "HEARTBEAT_OK", "the token is the whole reply", {
    sources: ["openclaw#16974", "openclaw#72217", "openclaw#66154", "openclaw#78197"],
  }),
  quiet("end-repeated", "HEARTBEAT_OK_OK_OK", "the end of the token is repeated", { sources: ["openclaw#41"] }),
  quiet("end-repeated-apart", "HEARTBEAT_OK _OK", "the end of the token is repeated behind a space", {
    sources: ["openclaw#41"],
  }),
  quiet("twice", "HEARTBEAT_OK\nHEARTBEAT_OK", "the token comes twice"),
  quiet("in-code", "`HEARTBEAT_OK`", "the token is code", { sources: ["agent-os#2945"] }),
  quiet("in-bold", "**HEARTBEAT_OK**.", "the token is bold, a full stop behind it", { sources: ["agent-os#2945"] }),
  quiet("in-bold-with-stop", "**HEARTBEAT_OK.**", "the full stop is bold, too"),
  quiet("in-italics", "_HEARTBEAT_OK_", "the token is in italics by underscores"),
  quiet("in-bold-italics", "***HEARTBEAT_OK***!", "the token is bold and in italics"),
  quiet("struck", "~~HEARTBEAT_OK~~", "the token is struck through"),
  quiet("escaped", "HEARTBEAT\\_OK", "its underscore is escaped for Markdown"),
  quiet("in-quotes", '"HEARTBEAT_OK"', "the token is in straight quotes"),
  quiet("in-curly-quotes", "“HEARTBEAT_OK”", "the token is in curly quotes"),
  quiet("in-guillemets", "«HEARTBEAT_OK»", "the token is in guillemets"),
  quiet("in-corner-brackets", "「HEARTBEAT_OK」", "the token is in corner brackets"),
  quiet("in-brackets", "(HEARTBEAT_OK)", "the token is in brackets"),
  quiet("quoted-line", "> HEARTBEAT_OK", "the token is a quoted line"),
  quiet("as-a-heading", "# HEARTBEAT_OK", "the token is a heading"),
  quiet("as-an-item", "Done.\n\n- HEARTBEAT_OK", "the token is an item of a list"),
  quiet("in-a-fence", "```\nHEARTBEAT_OK\n```", "the token is in a fence"),
  quiet("in-a-named-fence", "Done.\n```text\nHEARTBEAT_OK\n```\n", "the fence has a language, and words before it"),
  quiet("in-tags", "<b>HEARTBEAT_OK</b>", "the token is in HTML tags"),
  quiet("with-an-entity", "HEARTBEAT_OK&nbsp;", "an HTML space follows"),
  quiet("with-emoji", "✅ HEARTBEAT_OK ✔️", "emoji stand around it"),
  quiet("with-a-zero-width-space", "HEARTBEAT_OK\u{200b}", "an invisible character follows"),
  quiet("with-a-full-width-stop", "HEARTBEAT_OK。", "a full stop of Chinese follows"),
  quiet("behind-a-sentence", "All checks passed. HEARTBEAT_OK", "it ends the last line", {
    sources: ["agent-os#2945", "claudeclaw#50"],
  }),
  quiet("behind-a-colon", "Backups are done, mail is read: HEARTBEAT_OK.", "it ends a sentence"),
  quiet("behind-code", "Nothing needs attention. `HEARTBEAT_OK`", "it ends the last line, as code", {
    sources: ["agent-os#2948"],
  }),
  quiet("behind-chinese", "检查完成HEARTBEAT_OK", "it follows a script that has no spaces"),
  quiet("own-last-line", "Nothing requires attention.\n\nHEARTBEAT_OK", "it is the last line", {
    sources: ["openclaw#144834"],
  }),
  alert("before-an-alert", "HEARTBEAT_OK\nThe disk is full", "an alert follows the token", {
    sources: ["claudeclaw#50"],
  }),
  alert("in-the-middle", "all good HEARTBEAT_OK thanks", "words stand on both sides of the token", {
    sources: ["openclaw#17717", "openclaw#58101"],
  }),
  alert("named-in-an-alert", "I should not reply HEARTBEAT_OK: the disk is full", "an alert names the token", {
    sources: ["mobileclaw#9"],
  }),
  alert(
    "code-in-an-alert",
    "`HEARTBEAT_OK` is not what I can say: the disk is full.",
    "an alert quotes the token",
    {},
  ),
  alert("with-a-but", "HEARTBEAT_OK, but the disk is full", "words follow on its line"),
  alert("as-a-question", "Is this HEARTBEAT_OK?", "a question ends with the token"),
  alert("end-of-a-word", "NO_HEARTBEAT_OK", "another word ends with the token"),
  alert("end-of-a-compound", "NOT-HEARTBEAT_OK", "a compound ends with the token"),
  alert("start-of-a-word", "HEARTBEAT_OKAY", "another word begins with the token"),
];

const empty = (
  id: string,
  text: string,
  does: string,
  more: Partial<Pick<Reported, "sources">> = {},
): TaskFileQuirk => ({ id, text, does, hasTasks: false, sources: [], ...more });

const tasks: typeof empty = (...given) => ({ ...empty(...given), hasTasks: true });

export const taskFileQuirks: readonly TaskFileQuirk[] = [
  empty("heading-and-rule", "# Heartbeat\n\n---\n", "it has a heading and a rule", { sources: ["openclaw#33203"] }),
  empty("other-rules", "# Heartbeat\n***\n_ _ _\n- - -", "it has every kind of rule"),
  empty("underlined-heading", "Heartbeat\n=========\n", "its heading is underlined"),
  empty("empty-fence", "```\n```", "it has an empty fence", { sources: ["openclaw#33203", "openclaw#52542"] }),
  empty("empty-named-fence", "# Tasks\n\n```markdown\n\n```\n", "its empty fence has a language"),
  empty("template-in-a-fence", "~~~ text\n# Add tasks below\n~~~\n", "its fence holds comments alone", {
    sources: ["openclaw#61492", "openclaw#61690"],
  }),
  empty("open-fence", "```\n", "its fence never ends"),
  empty("empty-quotes", ">\n> \n", "it has quotes without a word"),
  empty("marked-and-crlf", "\u{feff}# Heartbeat\r\n\r\n---\r\n", "it begins with a byte order mark, on Windows"),
  empty("old-line-ends", "# Heartbeat\r---\r", "its lines end with a carriage return alone"),
  empty("comments-alone", "<!-- template -->\n\n# Keep this file empty\n", "it has comments and headings", {
    sources: ["openclaw#83143"],
  }),
  tasks("task-above-a-rule", "Look at the disk\n---", "a rule stands right below a task"),
  tasks("task-in-a-fence", "```\ndf -h\n```", "its task is in a fence"),
  tasks("task-as-code", "```df -h```", "its task is code of three marks"),
  tasks("task-in-a-quote", "> Look at the disk", "its task is quoted"),
  tasks("task-in-bold", "**Look at the disk**", "its task is bold"),
  tasks("task-between-dashes", "--- look ---", "its task stands between dashes"),
];
