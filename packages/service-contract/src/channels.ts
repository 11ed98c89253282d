import { definePoint, type ExtensionPoint } from "@incipit/kernel";

/** A chat on a messaging service. All ids are the service's own, as strings. */
export interface ChannelChat {
  /** Unique in the channel. A topic or thread is a separate chat, such as `-100123/45`. */
  readonly id: string;
  /** `private`: a direct chat with one person. */
  readonly kind: "private" | "group";
  /** Name of the person or group. */
  readonly title: string;
}

export interface ChannelPerson {
  readonly id: string;
  readonly name: string;
}

/** A file sent by a user. Its bytes are read only after the sender is authorized. */
export interface ChannelFile {
  /** Chosen by the sender; never use it as a path. */
  readonly name: string | undefined;
  /** As reported by the service, such as `image/jpeg`. */
  readonly mediaType: string;
  /** `undefined` if the service does not report a size. */
  readonly sizeBytes: number | undefined;
  /** Rejects if the file exceeds `maxBytes`, without buffering more than that. */
  read(options: { readonly maxBytes: number; readonly signal: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>;
}

interface UpdateBase {
  /** Assigned by the service, unique in the channel. Used to deduplicate redelivered updates. */
  readonly updateId: string;
  readonly chat: ChannelChat;
  readonly sender: ChannelPerson;
}

/** An incoming event from a user. */
export type ChannelUpdate = UpdateBase &
  (
    | {
        readonly kind: "message";
        readonly messageId: string;
        /** Without a leading mention. May be empty if there are files. */
        readonly text: string;
        readonly files: readonly ChannelFile[];
        /** Further updates of the same message, such as the other pictures of an album. */
        readonly others?: readonly { readonly updateId: string; readonly files: readonly ChannelFile[] }[];
        /** In a group: whether the message mentions the bot or replies to it. */
        readonly isAddressed: boolean;
        /** Text of the message that this one replies to. */
        readonly quoted: string | undefined;
      }
    | { readonly kind: "edit"; readonly messageId: string; readonly text: string }
    /** `/NAME ARGUMENT`, or a native command of the service. */
    | {
        readonly kind: "command";
        readonly name: string;
        readonly argument: string;
        /** Message that contained the command, if any. */
        readonly messageId?: string;
      }
    /** A click on a button of a sent message. */
    | { readonly kind: "press"; readonly button: string }
  );

export interface ChannelInbox {
  /**
   * Processes an update. Updates of one chat must be delivered sequentially, in order.
   *
   * Once it resolves, the update is stored or was dropped (unauthorized sender), and may be acknowledged to the
   * service. The answer is shown to a user who pressed a button. On rejection, deliver the update again.
   */
  receive(update: ChannelUpdate): Promise<{ readonly answer?: string }>;
  /**
   * Records that a group has a new id, and migrates its configuration and stored data. Idempotent. On rejection,
   * call it again.
   */
  move(ids: { readonly from: string; readonly to: string }): Promise<void>;
  /** Reports the connection state, which is shown to users. `why` is a sentence without secrets. */
  report(
    state: { readonly kind: "up"; readonly account: string } | { readonly kind: "down"; readonly why: string },
  ): void;
}

export interface ChannelButton {
  /** Identifies the button in the click; at most 64 bytes. */
  readonly id: string;
  readonly label: string;
}

/** A single message of the service. Long text is split with `split` first. */
export type ChannelMessage =
  | {
      readonly kind: "text";
      /** Markdown. */
      readonly text: string;
      readonly buttons: readonly ChannelButton[];
      /** Id of the message to reply to. */
      readonly replyTo: string | undefined;
    }
  | {
      readonly kind: "file";
      readonly name: string;
      readonly mediaType: string;
      readonly bytes: Uint8Array<ArrayBuffer>;
    };

export type ChannelDelivery =
  | { readonly kind: "sent"; readonly messageId: string }
  /** Rejected for now; the service accepts a retry later. */
  | { readonly kind: "later"; readonly afterMs: number; readonly why: string }
  /** Permanently rejected. */
  | { readonly kind: "failed"; readonly why: string }
  /** Outcome unknown: the connection closed before the response. */
  | { readonly kind: "unknown"; readonly why: string };

/** Defaults of a chat's conversations, and who may approve their tool calls. */
export interface ChatSettings {
  readonly model: string | undefined;
  readonly profile: string | undefined;
  /** Absolute; `undefined` uses the host's default. */
  readonly cwd: string | undefined;
  /** Names, or name prefixes, of the tools that conversations may use. Defaults to all. */
  readonly tools?: readonly string[] | undefined;
  /** Ids of users who may answer approvals. Defaults to every authorized user. */
  readonly approvers: readonly string[] | undefined;
}

/** The operator's configuration of a channel. */
export interface ChannelSettings extends ChatSettings {
  /** Ids of authorized users, in addition to paired ones. */
  readonly people: readonly string[];
  /** Ids of authorized groups. */
  readonly groups: readonly string[];
  /** Overrides per chat id; settings of a group apply to its threads. An override does not authorize anyone. */
  readonly chats?: ReadonlyMap<string, Partial<ChatSettings>>;
}

/**
 * Adapter to a messaging service, such as Telegram. Implements only the wire format; the host handles authorization
 * and conversations.
 */
export interface Channel {
  /** Such as `telegram`. */
  readonly id: string;
  readonly settings: ChannelSettings;
  /** Maximum size of a file sent (`out`) and received (`in`). */
  readonly maxFileBytes: { readonly out: number; readonly in: number };
  /** Receives updates until the signal aborts. Recovers from all errors of the service. */
  run(inbox: ChannelInbox, signal: AbortSignal): Promise<void>;
  /**
   * Splits Markdown into non-empty parts within the service's limit. A code fence that is cut is closed and
   * reopened in the next part.
   */
  split(markdown: string): readonly string[];
  /** Sends one message. Rejects only when the signal aborts; treat that as `unknown`. */
  send(chatId: string, message: ChannelMessage, signal: AbortSignal): Promise<ChannelDelivery>;
  /** Shows a typing indicator or a draft if the service supports it; the message itself follows with `send`. */
  showProgress?(chatId: string, markdown: string, signal: AbortSignal): Promise<void>;
}

export const channelsPoint: ExtensionPoint<Channel> = definePoint<Channel>("channels@1", {
  key: "id",
  members: {
    id: "string",
    settings: "any",
    maxFileBytes: "any",
    run: "function",
    split: "function",
    send: "function",
    showProgress: "function?",
  },
});
