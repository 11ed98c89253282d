import { under, type FieldWords } from "./field-words.ts";

/** Fields of messaging services. */
export const channelWords: FieldWords = {
  ...under(["Channel"], {
    id: "Its name, such as `telegram`",
    state: "How it is; `off`: what connects it is not loaded; `down`: the host tries to come back by itself",
    why: "Why it is down; `null`: it is not",
    since: "Since when it is so, in UTC",
    account: "Whom people write to, such as the name of a bot; `null`: not known yet",
    waiting: "How many messages are to be sent",
    failed: "How many messages the service did not take, and nobody has sent again",
    unknown: "Of how many messages nobody knows whether they came",
  }),
  ...under(["ChannelMessage"], {
    id: "Its number in the channel: 12 digits",
    chat: "The service's id of the chat",
    kind: "What it is; of a file, `text` has the name",
    text: "What it says, in Markdown; of a file its name",
    state:
      "How far it is; `failed`: the service never takes it; `unknown`: it was on its way when the host or the connection ended, and may have come",
    why: "Why it was not sent, or not yet; `null`: there is nothing to say",
    createdAt: "When it was made, in UTC",
    endedAt: "When it was sent or given up, in UTC; `null`: it is not over",
    attempts: "How often it was given to the service",
    retriedAs: "The message that was sent again in its place; `null`: none",
  }),
  ...under(["ChannelPerson"], {
    id: "The service's id of the person",
    name: "As they call themselves there; `null`: the configuration has the id alone",
    source: "How they were let in; who is in the configuration is taken away there",
    pairedAt: "When they sent their code, in UTC; `null`: they are in the configuration",
  }),
  "sendToChannel.chat":
    "The service's id of a chat in which somebody who may talk has written, or of a person or group of the configuration",
  "sendToChannel.text": "What is sent, in Markdown; a long one becomes several messages",
  "sendToChannel.messages": "What the text became, in order",
  "continueInChat.conversationId": "The conversation that the chat goes on with",
  "continueInChat.messages": "What the chat is told of it",
  "listChannels.channels": "The channels, by their ids",
  "listChannelMessages.messages": "The messages, newest first",
  "listChannelPeople.people": "The people, by their ids",
  "retryChannelMessage.message": "The message that is sent in its place",
  "createPairingCode.pairingCode": "The code, which is shown this once",
  "createPairingCode.pairingCode.code": "What is sent to the channel; capitals and the hyphen do not matter",
  "createPairingCode.pairingCode.expiresAt": "Until when it is good, in UTC",
};
