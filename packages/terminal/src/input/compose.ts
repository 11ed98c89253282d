import { parseCommandCall, type CreateTurnRequest, type ModelFacts, type TurnBody } from "@incipit/schema";
import { withNamedResources, type Client } from "@incipit/transport-contract";
import type { Attachments, InputPart } from "./attachments.ts";
import { undisguised } from "./editor-encoding.ts";
import { namedFiles, withoutEscapes, type NamedFile } from "./file-mentions.ts";

export interface ComposeOptions {
  readonly client: Client;
  readonly conversationId: string;
  readonly cwd: string;
  readonly attachments: Attachments;
  /** @throws {Error} that names the file. */
  readonly readFiles: (files: readonly NamedFile[]) => Promise<readonly InputPart[]>;
  /** PROVIDER/MODEL of the conversation. */
  readonly model: string | undefined;
  readonly facts: ModelFacts | null;
}

/**
 * Only names typed by the user count, not pasted ones. @throws {Error} if something is missing or unsupported by the
 * model; nothing is sent.
 */
export async function composed(written: string, options: ComposeOptions): Promise<TurnBody> {
  const { attachments, client, conversationId, cwd, readFiles } = options;
  const text = undisguised(attachments.expanded(written));
  const call = parseCommandCall(text);
  if (call !== undefined) return { command: call };
  const files = namedFiles(written, cwd);
  const parts = [...attachments.imagesIn(written), ...(files.length === 0 ? [] : await readFiles(files))];
  refuseUnreadable(parts, options);
  const said = undisguised(attachments.expanded(withoutEscapes(written)));
  const input: CreateTurnRequest["input"] = parts.length === 0 ? said : [...parts, { type: "text", text: said }];
  return { input: await withNamedResources(input, { client, typed: written, conversationId }) };
}

/** Rejects files that the model cannot read: the provider would reject this message and all later ones. */
function refuseUnreadable(parts: readonly InputPart[], { model, facts }: ComposeOptions): void {
  if (facts === null) return;
  for (const part of parts) {
    if (part.type !== "file") continue;
    const kind = part.mediaType === "application/pdf" ? "pdf" : part.mediaType.split("/", 1)[0];
    const known = (["image", "pdf", "audio", "video"] as const).find((one) => one === kind);
    if (known === undefined || facts.inputs.includes(known)) continue;
    const what = known === "image" ? "images" : known === "pdf" ? "PDF files" : `${known} files`;
    throw new Error(
      `Nothing was sent: ${model ?? "the model"} does not accept ${what}, such as "${part.filename ?? part.mediaType}"; choose another with /model`,
    );
  }
}
