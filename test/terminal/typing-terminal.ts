import { createClient } from "@incipit/transport-contract";
import { openTerminal } from "@incipit/terminal";

/** Arguments: HOST_URL TOKEN CONVERSATION SETTLE_MS. */
const [url = "", token = "", conversation = "", settleMs = ""] = process.argv.slice(2);

await openTerminal({
  connect: async () => ({ client: createClient({ url, token }), note: undefined }),
  cwd: process.cwd(),
  eachTurn: {},
  conversation: async () => conversation,
  env: process.env,
  answerSettleMs: Number(settleMs),
  isWholeScreen: false,
  greeting: [],
  readFiles: async () => [],
  openEditor: async () => {},
  runCommand: async () => ({ exitCode: 0, output: undefined }),
  folderTrust: async () => ({ words: () => "", trust: undefined }),
  writeExport: async () => 0,
  problemText: String,
  failureAdvice: () => undefined,
});
process.exit(0);
