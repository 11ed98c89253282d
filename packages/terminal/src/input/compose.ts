import { parseCommandCall, type CreateTurnRequest, type ModelFacts, type TurnBody } from "@incipit/schema";
import { withNamedResources, type Client } from "@incipit/transport-contract";
import type { Attachments, InputPart } from "./attachments.ts";
import { undisguised } from "./disguise.ts";
import { namedFiles, withoutEscapes, type NamedFile } from "./file-words.ts";

export interface ComposeOptions {
  readonly client: Client;
  readonly conversationId: string;
  /** Absolute: what names of files are relative to. */
  readonly cwd: string;
  readonly attachments: Attachments;
  /** Their content, as parts of a message. @throws {Error} that names the file. */
  readonly readFiles: (files: readonly NamedFile[]) => Promise<readonly InputPart[]>;
  /** PROVIDER/MODEL that is asked. */
  readonly model: string | undefined;
  /** What is known of it. */
  readonly facts: ModelFacts | null;
}

/**
 * What is sent for what was written: `/NAME` is a command; before any other message stands what it names, files and resources, and
 * what was attached to it. Names count where a person has typed them: what was pasted comes from somebody else.
 * @throws {Error} when something of it is not there, or the model does not take it: nothing is sent.
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

/** Told before it is sent: a vendor refuses the whole message, and each one behind it. */
function refuseUnreadable(parts: readonly InputPart[], { model, facts }: ComposeOptions): void {
  if (facts === null) return;
  for (const part of parts) {
    if (part.type !== "file") continue;
    const kind = part.mediaType === "application/pdf" ? "pdf" : part.mediaType.split("/", 1)[0];
    const known = (["image", "pdf", "audio", "video"] as const).find((one) => one === kind);
    if (known === undefined || facts.inputs.includes(known)) continue;
    const what = known === "image" ? "pictures" : known === "pdf" ? "PDF files" : `${known} files`;
    throw new Error(
      `Nothing was sent: ${model ?? "the model"} takes no ${what}, such as "${part.filename ?? part.mediaType}"; choose one that does with /model`,
    );
  }
}
