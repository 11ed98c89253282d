import { under, type FieldWords } from "./field-words.ts";

const mark = "Where a vendor's cache may end: it is taken, and the host sets its own marks";
const echoed = "As the item came, or as the client names it: it is taken, and changes nothing";
const ignored = "A hint to OpenAI's own service: it is taken, and changes nothing here";

const part: FieldWords = {
  type: "What kind of part it is",
  text: "The text",
  refusal: "What the model said when it refused",
  image_url: "A `data:` URL with the picture in it",
  file_data: "A `data:` URL with the file in it",
  file_id: "The id of a file that OpenAI keeps: there are none here",
  file_url: "An address: the host fetches nothing for a call",
  filename: "The file's name",
  detail: ignored,
  prompt_cache_breakpoint: mark,
};

const tool: FieldWords = {
  type: "What kind of tool it is: models are told of functions alone",
  name: "The name of the tool",
  description: "What the tool is for",
  parameters: "The JSON Schema of its arguments; absent: it takes nothing",
  strict: "Taken, and not promised: not every vendor holds its models to the schema",
};

const settings: FieldWords = {
  instructions:
    "What the model is told before all, for this response alone; absent: the prompt of the profile, or of the host",
  tool_choice: "Whether the model calls a tool, and which",
  "tool_choice.type": "Always `function`",
  "tool_choice.name": "The tool that it has to call",
  parallel_tool_calls: "`false`: at most one call of a tool in a reply",
  temperature: "How much chance there is in the reply, from 0 to 2",
  top_p: "The share of the likeliest words that the model chooses from",
  max_output_tokens: "The most tokens that the reply may have",
  text: "What the text of the reply is to be",
  "text.format": "Its format",
  "text.format.type": "Text, JSON, or JSON that meets a schema",
  reasoning: "How the model reasons",
  "reasoning.effort": "How much effort the model makes",
  previous_response_id: "A response that was stored, which this one goes on from",
  store: "Whether it can be asked for later, and gone on from",
  metadata: "What the client wants to find again with the response",
  truncation: "Always `disabled`: nothing of the input is left out",
};

/** Fields of every item, in requests and responses. */
export const keptItem: FieldWords = {
  type: "What kind of item it is; absent: a message",
  role: "Who says it",
  content: "What is said: a text, or parts in their order",
  ...under(["content", "output", "summary"], part),
  call_id: "The id of the call, or of the call whose output it is",
  name: "The name of the tool",
  arguments: "The arguments as a JSON text",
  output: "What the tool gave: a text, or parts in their order",
  summary: "What the model showed of its reasoning, which goes back to models that take it",
  id: "Of an `item_reference`: the id of an item of a response that was stored; of another: taken, and not used",
  status: echoed,
};

/** Fields of an item in a request. */
export const givenItem: FieldWords = {
  ...keptItem,
  phase: echoed,
  namespace: echoed,
  caller: "Who made the call",
  "caller.type": "Always `direct`: the model",
};

const item: FieldWords = {
  type: "What kind of item it is",
  id: "The id of the item",
  status: "How far it is",
  role: "Always `assistant`",
  content: "What the model says",
  "content.type": "Always `output_text`",
  "content.text": "The text",
  "content.annotations": "Always empty",
  "content.logprobs": "Always empty: log probabilities are not supported",
  call_id: "The id of the call, which its output names",
  name: "The name of the tool",
  arguments: "The arguments as a JSON text",
  summary: "What the model showed of its reasoning",
  "summary.type": "Always `summary_text`",
  "summary.text": "The text",
};

/** Fields of OpenAI's responses. */
export const responseWords: FieldWords = {
  ...under(["createResponse"], {
    ...settings,
    model: 'The model, as PROVIDER/MODEL; absent or "default": that of the profile, else the host\'s default',
    input: "What is said: a text of the user, or items in their order",
    ...under(["input"], givenItem),
    stream: "`true`: the answer is a stream of server-sent events",
    tools: "Tools that the model may call, and the client runs",
    ...under(["tools"], tool),
    "tools.allowed_callers": "Who may call it: the model (`direct`), and nobody else here",
    "tools.async": "Always `false`: a call waits for its output here",
    "tools.defer_loading":
      "Whether it is to be searched for first: it is taken, and the tool is there from the beginning",
    "tools.output_schema": "What it gives: it is taken, and the model is not told it",
    "text.format.name": "The name of the schema",
    "text.format.schema": "The JSON Schema that the reply has to meet",
    "text.format.strict": "Whether the vendor holds the model to the schema",
    "text.format.description": "What the reply is for",
    "text.verbosity": ignored,
    "reasoning.summary": ignored,
    "reasoning.generate_summary": ignored,
    "reasoning.context": ignored,
    "reasoning.mode": ignored,
    prompt_cache_key:
      "Calls with the same key are one conversation for the vendor's cache; absent: calls that begin alike",
    profile: "A profile of the configuration; absent: none. OpenAI has no such field",
    timeout:
      "Seconds that the call may take, from 0.001 to 3600; then it is stopped, and fails with 504. Absent: no bound of its own",
    background: "`true`: it is answered at once, and goes on without the client, to be asked for by its id",
    conversation:
      "A conversation from `POST /v1/conversations`, by its id: its items go before the input, and what comes of the response behind them",
    "conversation.id": "The id of the conversation",
    prompt: "Always left out: prompts that OpenAI keeps are not had here",
    top_logprobs: "Always 0: log probabilities are not supported here",
    max_tool_calls: ignored,
    client_metadata: ignored,
    context_management: ignored,
    include: ignored,
    prompt_cache_options: ignored,
    prompt_cache_retention: ignored,
    safety_identifier: ignored,
    service_tier: ignored,
    stream_options: ignored,
    truncation: ignored,
    user: ignored,
  }),
  ...under(["Response"], {
    ...settings,
    id: "`resp_` and the id of the call's record",
    object: "Always `response`",
    created_at: "When it was made, in seconds since 1970",
    status: "How far it is, or how it ended",
    conversation: "The conversation that it belongs to, of OpenAI's kind; `null`: none",
    "conversation.id": "The id of the conversation",
    background: "Whether it goes on without its client",
    error: "Why it failed; `null`: it did not",
    incomplete_details: "Why it is cut short; `null`: it is not",
    "incomplete_details.reason": "What cut it short",
    model: "The model that answers, as PROVIDER/MODEL",
    output: "What the model said, thought and called, in its order",
    tools: "The tools that the model was told of",
    ...under(["tools"], tool),
    "reasoning.summary": "Always `null`",
    usage: "The tokens as the vendor counted them; `null`: it has not, or it reported none",
    "usage.input_tokens": "The tokens of the input",
    "usage.input_tokens_details": "More about the input",
    "usage.input_tokens_details.cached_tokens":
      "The tokens that the vendor read from its cache; 0 also where it did not say",
    "usage.input_tokens_details.cache_write_tokens":
      "The tokens that the vendor wrote to its cache; 0 also where it did not say",
    "usage.output_tokens": "The tokens of the reply",
    "usage.output_tokens_details": "More about the reply",
    "usage.output_tokens_details.reasoning_tokens":
      "The tokens that were reasoning; 0 also where the vendor did not say",
    "usage.total_tokens": "Both together",
  }),
  ...under(["Response.output", "ResponseStreamEvent.item"], item),
  ...under(["ResponseStreamEvent"], {
    type: "What happens, as OpenAI names it",
    sequence_number: "The number of the event, from 0",
    response: "The response as it is by then",
    output_index: "Which item of the response it is about, from 0",
    item: "The item as it is by then",
    item_id: "The id of the item that it is about",
    content_index: "Always 0: the text of a message is one part",
    summary_index: "Always 0: what is shown of the reasoning is one part",
    part: "The part as it is by then",
    "part.type": "What kind of part it is",
    "part.text": "The text",
    "part.annotations": "Always empty",
    "part.logprobs": "Always empty: log probabilities are not supported",
    delta: "What comes behind the text, or the arguments, so far",
    text: "The whole text",
    name: "The name of the tool",
    arguments: "The whole arguments, as a JSON text",
    logprobs: "Always empty: log probabilities are not supported",
  }),
  "deleteResponse.id": "The id of the response",
  "deleteResponse.object": "Always `response`",
  "deleteResponse.deleted": "Always `true`",
  ...under(["listResponseInput"], {
    object: "Always `list`",
    data: "The items as they were sent",
    "data.id": "The id of the item",
    "data.type": "What kind of item it is",
    first_id: "The id of the first one; `null`: there is none",
    last_id: "The id of the last one; `null`: there is none",
    has_more: "Always `false`: these are all",
  }),
};
