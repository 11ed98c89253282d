import { agentAttacks } from "./attacks/agents.ts";
import { archiveAttacks } from "./attacks/archive.ts";
import { boundsAttacks } from "./attacks/bounds.ts";
import { dataFolderAttacks } from "./attacks/data-folder.ts";
import { extensionAttacks } from "./attacks/extension.ts";
import { filesAttacks } from "./attacks/files.ts";
import { folderAttacks } from "./attacks/folder.ts";
import { machineAttacks } from "./attacks/machine.ts";
import { networkAttacks } from "./attacks/network.ts";
import { processAttacks } from "./attacks/process.ts";
import { provenanceAttacks } from "./attacks/provenance.ts";
import { questionAttacks } from "./attacks/questions.ts";
import { rulesAttacks } from "./attacks/rules.ts";
import { secretsAttacks } from "./attacks/secrets.ts";
import { skillAttacks } from "./attacks/skills.ts";
import { terminalAttacks } from "./attacks/terminal.ts";
import { toolLookupAttacks } from "./attacks/tool-lookup.ts";
import { tokensAttacks } from "./attacks/tokens.ts";
import { vendorAttacks } from "./attacks/vendor.ts";

export interface Attack {
  /** Who does what: `a folder's incipit.toml names an MCP server`. */
  readonly tries: string;
  /** What must be seen instead: `no program of it runs, and one line says what was left out`. */
  readonly seen: string;
}

/**
 * What strangers try, and what must be seen. `attacks.test.ts` fails when one has no test: either `attack("id", …)` of
 * `attacks/attack.ts`, which runs on the source and on the built file, or `test("[attack:id] …")` beside the code of a
 * package. Both have a control: the same attack with the one thing that lets it through, to show that it would bite.
 */
export const attacks = {
  ...agentAttacks,
  ...archiveAttacks,
  ...boundsAttacks,
  ...dataFolderAttacks,
  ...extensionAttacks,
  ...filesAttacks,
  ...folderAttacks,
  ...machineAttacks,
  ...networkAttacks,
  ...processAttacks,
  ...provenanceAttacks,
  ...questionAttacks,
  ...rulesAttacks,
  ...secretsAttacks,
  ...skillAttacks,
  ...terminalAttacks,
  ...toolLookupAttacks,
  ...tokensAttacks,
  ...vendorAttacks,
} as const satisfies Record<string, Attack>;

export type AttackId = keyof typeof attacks;
