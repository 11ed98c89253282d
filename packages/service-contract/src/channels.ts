import { definePoint, type ExtensionPoint } from "@incipit/kernel";

/** Where people write: all ids are the service's own, as text. */
export interface ChannelChat {
  /** Unique in its channel; a topic or thread is a chat of its own, such as `-100123/45`. */
  readonly id: string;
  /** `private`: with one person. */
  readonly kind: "private" | "group";
  /** Such as the person's or the group's name. */
  readonly title: string;
}

export interface ChannelPerson {
  readonly id: string;
  readonly name: string;
}

/** A file that somebody has sent; its bytes are asked for once it is known that they may send any. */
export interface ChannelFile {
  /** The sender's choice; never a path to be used. */
  readonly name: string | undefined;
  /** As the service says, such as `image/jpeg`. */
  readonly mediaType: string;
  /** `undefined`: the service does not say. */
  readonly sizeBytes: number | undefined;
  /** Rejects for more than `maxBytes`, without holding more than that. */
  read(options: { readonly maxBytes: number; readonly signal: AbortSignal }): Promise<Uint8Array<ArrayBuffer>>;
}

interface UpdateBase {
  /** The service's, unique in the channel: the same one again is the same update. */
  readonly updateId: string;
  readonly chat: ChannelChat;
  readonly sender: ChannelPerson;
}

/** What came from a person. */
export type ChannelUpdate = UpdateBase &
  (
    | {
        readonly kind: "message";
        readonly messageId: string;
        /** Without the mention that it began with. May be empty beside files. */
        readonly text: string;
        readonly files: readonly ChannelFile[];
        /** What was sent as one with it, such as an album, and came as updates of their own. */
        readonly others?: readonly { readonly updateId: string; readonly files: readonly ChannelFile[] }[];
        /** In a group: it names the bot, or replies to it. */
        readonly isAddressed: boolean;
        /** The text of the message that it replies to. */
        readonly quoted: string | undefined;
      }
    | { readonly kind: "edit"; readonly messageId: string; readonly text: string }
    /** `/NAME ARGUMENT`, or the service's own kind of command. */
    | {
        readonly kind: "command";
        readonly name: string;
        readonly argument: string;
        /** The message that it stood in; absent: it came without one. */
        readonly messageId?: string;
      }
    /** Somebody has pressed a button of a message that was sent. */
    | { readonly kind: "press"; readonly button: string }
  );

export interface ChannelInbox {
  /**
   * Takes an update; the updates of a chat are to be given in their order, one after the other. Once it resolves the update is
   * stored, or is of nobody who may talk, and may be confirmed to the service; the answer is for whoever pressed a button.
   * Rejects when it could not be stored: it is to be given again.
   */
  receive(update: ChannelUpdate): Promise<{ readonly answer?: string }>;
  /**
   * A group has another id from here on: what is configured and stored for it goes along. Once it resolves that is stored; it may
   * be said more than once. Rejects when it could not be stored: it is to be said again.
   */
  move(ids: { readonly from: string; readonly to: string }): Promise<void>;
  /** How it goes: shown to people. `down` says why, in a sentence without secrets. */
  report(
    state: { readonly kind: "up"; readonly account: string } | { readonly kind: "down"; readonly why: string },
  ): void;
}

export interface ChannelButton {
  /** Given back by the press; at most 64 bytes. */
  readonly id: string;
  readonly label: string;
}

/** One message of the service: what is longer was cut by `split`. */
export type ChannelMessage =
  | {
      readonly kind: "text";
      /** Markdown. */
      readonly text: string;
      readonly buttons: readonly ChannelButton[];
      /** Id of the message that it answers. */
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
  /** The service has said that it did not take it, and will later. */
  | { readonly kind: "later"; readonly afterMs: number; readonly why: string }
  /** It was not taken, and never will be. */
  | { readonly kind: "failed"; readonly why: string }
  /** Nobody knows: the connection ended before the answer. */
  | { readonly kind: "unknown"; readonly why: string };

/** What conversations of a chat begin with, and who answers their questions. */
export interface ChatSettings {
  readonly model: string | undefined;
  readonly profile: string | undefined;
  /** Absolute; `undefined`: the host's default. */
  readonly cwd: string | undefined;
  /** The tools that its conversations may use, by name, or by how names begin; absent: all of them. */
  readonly tools?: readonly string[] | undefined;
  /** Who may answer what waits for approval; absent: whoever may talk. */
  readonly approvers: readonly string[] | undefined;
}

/** What the operator has configured for a channel. */
export interface ChannelSettings extends ChatSettings {
  /** Ids of people who may talk. Those who were paired are beside them. */
  readonly people: readonly string[];
  /** Ids of groups in which they may. */
  readonly groups: readonly string[];
  /** What is another way in one chat, by its id; that of a group holds for its threads, too. Nobody may talk by it. */
  readonly chats?: ReadonlyMap<string, Partial<ChatSettings>>;
}

/** A service on which people write, such as Telegram: its wire format alone. Who may talk and what becomes of it is the host's. */
export interface Channel {
  /** Such as `telegram`. */
  readonly id: string;
  readonly settings: ChannelSettings;
  /** Most bytes of a file that is sent, and of one that is received. */
  readonly maxFileBytes: { readonly out: number; readonly in: number };
  /** Receives until the signal aborts, and comes back by itself from whatever the service does meanwhile. */
  run(inbox: ChannelInbox, signal: AbortSignal): Promise<void>;
  /** Markdown in parts that the service takes, none of them empty; a fence that is cut is closed, and opened again behind. */
  split(markdown: string): readonly string[];
  /** Sends one message. Never rejects but by the signal, and then as `unknown` would be. */
  send(chatId: string, message: ChannelMessage, signal: AbortSignal): Promise<ChannelDelivery>;
  /** Shows that something is being written, and how far it is, where the service can; the message follows by `send`. */
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
