import { under, type FieldWords } from "./field-words.ts";

const ignored = "A hint to Anthropic's own service: it is taken, and changes nothing here";
const mark = "Where a vendor's cache may end: it is taken, and the host sets its own marks";

const citing = "Passages that the text cites: they are taken, and the model gets the text alone";
const noToolset = "Always left out: there are no toolsets of Anthropic's here";
const caller = "Who makes the call: the model (`direct`), and nobody else here";

const source = {
  source: "Where its content is",
  "source.type": "How it is given",
  "source.media_type": "What kind of file it is, such as `image/png`",
  "source.data": "The file in base64, or its text",
};

const told: FieldWords = {
  model: 'The model, as PROVIDER/MODEL; "default": that of the profile, else the host\'s default',
  messages: "The conversation so far",
  "messages.role": "Who says it",
  "messages.content": "What is said: a text, or blocks in their order",
  "messages.content.type": "What kind of block it is",
  "messages.content.text": "The text",
  ...under(["messages.content", "messages.content.content"], source),
  "messages.content.title": "What the document is called",
  "messages.content.context": "What the model is told about the document",
  "messages.content.cache_control": mark,
  "messages.content.citations":
    "Passages that a text cites, which are left out; of a document `enabled: false`, or nothing",
  "messages.content.citations.enabled": "Always `false`: answers cite no passages of documents here",
  "messages.content.transformations":
    "What is done to a picture that is too large: it is taken, and nothing is done",
  "messages.content.toolset_name": noToolset,
  "messages.content.caller": "Who made the call",
  "messages.content.caller.type": caller,
  "messages.content.tool_use_id": "The id of the call whose result it is",
  "messages.content.content": "What the tool gave: a text, or blocks in their order",
  "messages.content.content.type": "What kind of block it is",
  "messages.content.content.text": "The text",
  "messages.content.content.title": "What the document is called",
  "messages.content.content.context": "What the model is told about the document",
  "messages.content.content.cache_control": mark,
  "messages.content.content.citations": "As for the blocks of a message",
  "messages.content.content.citations.enabled": "Always `false`: answers cite no passages of documents here",
  "messages.content.content.transformations": "As for the blocks of a message",
  "messages.content.is_error": "Whether the tool has failed",
  "messages.content.id": "The id of the call, which its result names",
  "messages.content.name": "The name of the tool",
  "messages.content.input": "The arguments of the call",
  "messages.content.thinking": "What the model thought, which goes back to models that take it",
  "messages.content.signature": "As the host gave it; what a vendor signed, the host keeps by itself",
  "messages.content.data": "Thinking that Anthropic has encrypted: it is left out",
  system:
    "What the model is told before all: a text, or several; absent: the prompt of the profile, or of the host",
  "system.type": "Always `text`",
  "system.text": "The text",
  "system.cache_control": mark,
  "system.citations": citing,
  tools: "Tools that the model may call, and the client runs",
  "tools.type": "Always `custom`, or left out",
  "tools.name": "The name of the tool",
  "tools.description": "What the tool is for",
  "tools.input_schema": "The JSON Schema of its arguments",
  "tools.cache_control": mark,
  "tools.allowed_callers": caller,
  "tools.defer_loading":
    "Whether it is to be searched for first: it is taken, and the tool is there from the beginning",
  "tools.eager_input_streaming": "Whether arguments come in pieces: it is taken, and they come whole",
  "tools.input_examples": "Examples of arguments: they are taken, and the model is not told them",
  "tools.strict": "Whether arguments always meet the schema: it is taken, and the vendor does as it does",
  tool_choice: "Whether the model calls a tool, and which",
  "tool_choice.type": "As it likes (`auto`), any (`any`), that one (`tool`), or none (`none`)",
  "tool_choice.name": "The tool that it has to call",
  "tool_choice.disable_parallel_tool_use": "`true`: at most one call in a reply",
  thinking: "Whether the model thinks before it answers",
  "thinking.type": "With a budget (`enabled`), as it likes (`adaptive`), or not (`disabled`)",
  "thinking.budget_tokens":
    "How much it may think: up to 4,096 tokens ask for low effort, up to 16,384 for medium, more for high",
  "thinking.display": "How thinking is shown: it is taken, and what the vendor gives is shown",
  "thinking.block_binding": ignored,
  profile: "A profile of the configuration; absent: none. Anthropic has no such field",
  cache_control: mark,
  context_management: ignored,
  output_config: "More about the answer",
  "output_config.format": "What form the answer has; absent: text",
  "output_config.format.type": "Always `json_schema`",
  "output_config.format.schema": "The JSON Schema that the answer has to meet, as far as the vendor sees to that",
  "output_config.task_budget": ignored,
  "output_config.effort":
    "How much effort the model makes, where `thinking` is `enabled`; it stands before `budget_tokens`",
};

const block: FieldWords = {
  type: "What kind of block it is",
  text: "The text",
  citations: "Always `null`",
  id: "The id of the call, which its result names",
  name: "The name of the tool",
  input: "The arguments of the call",
  thinking: "What the model thought",
  signature: "Names the call; what a vendor signed, the host keeps by itself",
};

const usage: FieldWords = {
  usage: "The tokens as the vendor counted them; 0 also where it did not report them",
  "usage.input_tokens": "The tokens of the input that were neither read from the vendor's cache nor written to it",
  "usage.cache_read_input_tokens": "The tokens that the vendor read from its cache",
  "usage.cache_creation_input_tokens": "The tokens that the vendor wrote to its cache",
  "usage.output_tokens": "The tokens of the reply",
};

/** Fields of Anthropic's messages. */
export const messageWords: FieldWords = {
  ...under(["createMessage", "countMessageTokens"], told),
  ...under(["createMessage"], {
    max_tokens: "The most tokens that the reply may have",
    stream: "`true`: the answer is a stream of server-sent events",
    temperature: "How much chance there is in the reply, from 0 to 1",
    top_p: "The share of the likeliest words that the model chooses from",
    stop_sequences: "Texts that end the reply where they come",
    timeout:
      "Seconds that the call may take, from 0.001 to 3600; then it is stopped, and fails with 504. Absent: no bound of its own",
    top_k: "How many of the likeliest words the model chooses from; refused for vendors that have no such setting",
    container: "Always left out: this host keeps no containers of Anthropic's",
    mcp_servers: "Always left out: name servers in the configuration of this host, or give `tools`",
    metadata: ignored,
    "metadata.user_id": "Whom the call is for: it is taken, and goes nowhere",
    service_tier: ignored,
    inference_geo: ignored,
    speed: ignored,
  }),
  ...under(["AnthropicMessage"], {
    id: "`msg_` and the id of the call's record",
    type: "Always `message`",
    role: "Always `assistant`",
    model: "The model that answers, as PROVIDER/MODEL",
    content: "What the model says, in its order",
    ...under(["content"], block),
    stop_reason: "Why the reply ended; `null`: it has not",
    stop_sequence:
      "Which of the request's `stop_sequences` ended the reply; `null`: none, or the vendor does not say",
    ...usage,
  }),
  ...under(["AnthropicStreamEvent"], {
    type: "What happens",
    message: "The message before anything is said",
    index: "Which block of the message it is about, from 0",
    content_block: "The block that begins",
    ...under(["content_block"], block),
    delta: "What comes behind what was said so far, or how it ended",
    "delta.type": "What comes",
    "delta.text": "What comes behind the text",
    "delta.thinking": "What comes behind the thinking",
    "delta.signature": "Names the call; what a vendor signed, the host keeps by itself",
    "delta.partial_json": "What comes behind the arguments, a JSON text in the end",
    "delta.stop_reason": "Why the reply ended",
    "delta.stop_sequence":
      "Which of the request's `stop_sequences` ended it; `null`: none, or the vendor does not say",
    ...usage,
  }),
  "countMessageTokens.input_tokens": "The estimate",
  ...under(["AnthropicError"], {
    type: "Always `error`",
    error: "What was wrong, and what to do",
    "error.type": "What kind of error it is, as Anthropic names it",
    "error.message": "What was wrong, and what to do",
    "error.details": "More about it",
    "error.details.error_code": "The code that programs decide by",
    request_id: "The id of the call's record; `null`: no call was made",
  }),
};
