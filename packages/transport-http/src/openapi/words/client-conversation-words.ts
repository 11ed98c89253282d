import { under, type FieldWords } from "./field-words.ts";
import { givenItem, keptItem } from "./response-words.ts";

const metadata = "What the client wants to find again with it: up to 16 pairs, of 64 and 512 characters";

/** Fields of OpenAI's conversations. */
export const clientConversationWords: FieldWords = {
  ...under(["createClientConversation", "addClientItems"], {
    items: "What is added, in its order: at most 20 items",
    ...under(["items"], givenItem),
  }),
  "createClientConversation.metadata": metadata,
  "updateClientConversation.metadata": `${metadata}; in place of what there was. \`null\`: nothing`,
  ...under(["ClientConversation"], {
    id: "`conv_` and a UUID",
    object: "Always `conversation`",
    created_at: "When it was made, in seconds since 1970",
    metadata,
  }),
  ...under(["ClientItem"], {
    ...keptItem,
    type: "What kind of item it is",
    id: "The id of the item",
    status: "How far it is: `incomplete` is one whose response was cut short",
    "content.annotations": "Always empty",
    "content.logprobs": "Always empty: log probabilities are not supported",
  }),
  ...under(["ClientItemList"], {
    object: "Always `list`",
    data: "The items, in the order that was asked for",
    first_id: "The id of the first one; `null`: there is none",
    last_id: "The id of the last one, which is the `after` of the next page; `null`: there is none",
    has_more: "Whether there are more behind it",
  }),
  ...under(["deleteClientConversation"], {
    id: "The id of the conversation",
    object: "Always `conversation.deleted`",
    deleted: "Always `true`",
  }),
};
