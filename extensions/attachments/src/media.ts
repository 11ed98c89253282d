import type { Contributions, FileSystem, ServiceReference, Storage } from "@incipit/kernel";
import type { Conversation, ConversationId } from "@incipit/schema";
import type {
  ConversationsService,
  KeptFile,
  Media,
  ModelProvider,
  RefusedFile,
  ReplyFile,
  SentFile,
  SplitReply,
  SplitRequest,
} from "@incipit/service-contract";
import { posix } from "node:path";
import { RequestedFiles } from "./requested-files.ts";
import { fileToSend, type FolderOptions } from "./file-to-send.ts";
import { keepFile } from "./keep-file.ts";
import type { SendFileCall } from "./send-file-tool.ts";
import { formatSize } from "./format-size.ts";
import { maxFiles, noteOf, splitReply } from "./split-reply.ts";

export interface MediaContext {
  readonly fs: FileSystem;
  readonly storage: Storage;
  readonly now: () => number;
  readonly conversations: ServiceReference<ConversationsService>;
  readonly providers: Contributions<ModelProvider>;
  readonly maxBytes: { readonly out: number; readonly in: number };
}

interface ReadOptions {
  readonly maxFileBytes?: number;
  readonly signal?: AbortSignal;
}

interface KeepOptions {
  readonly model?: string;
  readonly signal?: AbortSignal;
}

export class ConversationMedia implements Media {
  readonly #context: MediaContext;
  readonly #asked: RequestedFiles;

  constructor(context: MediaContext) {
    this.#context = context;
    this.#asked = new RequestedFiles(context.storage, context.now);
  }

  async split(id: ConversationId, { turnId, reply, ...options }: SplitRequest): Promise<SplitReply> {
    const cwd = await this.#folderOf(id);
    const { paths, taken } = await this.#asked.of({ conversationId: id, turnId });
    const parts = await splitReply(reply, { ...this.#bounds(options), cwd, asked: paths });
    return { parts, note: noteOf(parts), taken };
  }

  async read(id: ConversationId, path: string, options: ReadOptions = {}): Promise<ReplyFile | RefusedFile> {
    return fileToSend(path, { ...this.#bounds(options), cwd: await this.#folderOf(id) });
  }

  async keep(id: ConversationId, file: SentFile, { model, signal }: KeepOptions = {}): Promise<KeptFile> {
    const { fs, maxBytes, now, conversations } = this.#context;
    const conversation = await conversations.get().get(id);
    const takesImage = (mediaType: string): boolean => this.#accepts(model ?? conversation.model, mediaType);
    const cwd = folderOf(conversation);
    return keepFile(file, { fs, cwd, maxBytes: maxBytes.in, takesImage, now: now(), signal });
  }

  async send({ path, conversationId, turnId, cwd, signal }: SendFileCall): Promise<string> {
    const refuse = (why: string): Error => new Error(`Cannot send "${path}": ${why}`);
    if (turnId === undefined) throw refuse("no running turn has requested it");
    const file = await fileToSend(path, { ...this.#bounds({ signal }), cwd });
    if (file.kind === "refused") throw refuse(file.why);
    signal.throwIfAborted();
    const isKept = await this.#asked.add({ conversationId, turnId }, posix.normalize(path));
    if (!isKept) throw refuse(`a reply sends at most ${maxFiles} files`);
    return `${file.name} (${formatSize(file.bytes.length)}) is sent with your reply`;
  }

  async #folderOf(id: ConversationId): Promise<string | undefined> {
    return folderOf(await this.#context.conversations.get().get(id));
  }

  /** Returns whether a model accepts a file type; `true` for unknown providers, whose request reports the error. */
  #accepts(model: string, mediaType: string): boolean {
    const [id = "", ...name] = model.split("/");
    const provider = this.#context.providers.current.find(({ value }) => value.id === id)?.value;
    return provider === undefined || provider.acceptsFile?.({ model: name.join("/"), mediaType }) === true;
  }

  #bounds({ maxFileBytes, signal }: ReadOptions): Omit<FolderOptions, "cwd"> {
    const { fs, maxBytes } = this.#context;
    return { fs, maxBytes: Math.min(maxBytes.out, maxFileBytes ?? maxBytes.out), signal };
  }
}

function folderOf({ cwd, importedAt }: Conversation): string | undefined {
  return importedAt === null ? cwd : undefined;
}
