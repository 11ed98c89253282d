import type { WireName } from "../model-server/wire/wire-format.ts";
import type { Quirk } from "./quirk.ts";

/** Gateways use the errors of all vendors with any format. */
const wires: readonly WireName[] = ["openai-chat", "deepseek", "openai-responses", "anthropic", "gemini"];

type Row = readonly [
  id: string,
  sources: readonly string[],
  status: number,
  body: unknown,
  code: string,
  isRetryable?: true,
];

const tooLong = "CONTEXT_TOO_LONG";

function error(message: string, more: object = {}): object {
  return { error: { message, type: "invalid_request_error", param: null, code: null, ...more } };
}

const rows: readonly Row[] = [
  [
    "overflow-dashscope",
    ["opencode#45834"],
    400,
    error("Range of input length should be [1, 98304]", { code: "invalid_parameter_error" }),
    tooLong,
  ],
  [
    "overflow-input-length",
    ["FLUJO#291"],
    400,
    error("Input length 301574 exceeds the maximum allowed input length of 262112 tokens."),
    tooLong,
  ],
  [
    "overflow-volcano",
    ["dify#32221"],
    400,
    error("Input length 203743 exceeds the maximum length 202752", { code: "InvalidParameter" }),
    tooLong,
  ],
  [
    "overflow-moonshot",
    ["kimi-code#207"],
    400,
    error("Invalid request: Your request exceeded model token limit: 262144"),
    tooLong,
  ],
  [
    "overflow-message-size",
    ["kimi-code#476"],
    400,
    error("total message size 10176584 exceeds limit 2097152"),
    tooLong,
  ],
  [
    "overflow-openrouter",
    ["kimi-code#794", "openclaw#85921"],
    400,
    error(
      "This endpoint's maximum context length is 262144 tokens. However, you requested about 284283 tokens (8963 of text input).",
    ),
    tooLong,
  ],
  [
    "overflow-minimax",
    ["MiniMax-M2#119", "hermes-agent#14743"],
    400,
    error("invalid params, context window exceeds limit (2013)"),
    tooLong,
  ],
  [
    "overflow-lm-studio",
    ["lmstudio-bug-tracker#546", "cline#3664"],
    400,
    {
      error:
        "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.",
    },
    tooLong,
  ],
  [
    "overflow-lm-studio-keep",
    ["openclaude#353"],
    400,
    {
      error:
        "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).",
    },
    tooLong,
  ],
  [
    "overflow-lm-studio-length",
    ["lmstudio-ai/examples#29"],
    400,
    { error: "Input length 6491 exceeds context length 1500" },
    tooLong,
  ],
  [
    "overflow-bedrock",
    ["claude-code#760", "Tycode#15"],
    400,
    { message: "The model returned the following errors: Input is too long for requested model." },
    tooLong,
  ],
  [
    "overflow-prompt-is-too-long",
    ["oh-my-pi#1618"],
    400,
    error("The prompt is too long: 267657, model maximum context length: 262143"),
    tooLong,
  ],
  [
    "overflow-omlx",
    ["omlx#26"],
    400,
    { detail: "Prompt too long: 32799 tokens exceeds max context window of 32768 tokens" },
    tooLong,
  ],
  [
    "overflow-llama-cpp",
    ["oh-my-pi#3752"],
    400,
    error("request (124071 tokens) exceeds the available context size (123904 tokens), try increasing it", {
      type: "exceed_context_size_error",
    }),
    tooLong,
  ],
  [
    "overflow-llama-cpp-python",
    ["llama-cpp-python#120"],
    500,
    error("Requested tokens exceed context window of 512"),
    tooLong,
  ],
  [
    "overflow-copilot",
    ["vscode#289219", "copilot-intellij-feedback#94"],
    400,
    error("prompt token count of 1236658 exceeds the limit of 128000", {
      code: "model_max_prompt_tokens_exceeded",
    }),
    tooLong,
  ],
  [
    "overflow-copilot-without-code",
    ["vscode-copilot-release#6700", "opencode-ai/opencode#305"],
    400,
    { error: { message: "prompt token count of 65446 exceeds the limit of 64000", param: "", code: "", type: "" } },
    tooLong,
  ],
  [
    "overflow-litellm",
    ["opencode#44888"],
    400,
    error(
      "litellm.BadRequestError: Context Window exceeded for given call. No models have context window large enough for this call.",
    ),
    tooLong,
  ],
  [
    "overflow-litellm-bedrock",
    ["strands-agents/harness-sdk#974", "langchain#39300"],
    400,
    error("litellm.ContextWindowExceededError: litellm.BadRequestError: BedrockException: Context Window Error"),
    tooLong,
  ],
  [
    "overflow-sglang",
    ["Qwen3#1321"],
    400,
    {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    tooLong,
  ],
  [
    "overflow-tgi",
    ["llm-vscode#94", "helm#2079"],
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`",
      error_type: "validation",
    },
    tooLong,
  ],
  [
    "overflow-together",
    ["helm#1820"],
    422,
    error("Input validation error: `inputs` must have less than 1024 tokens. Given: 1244"),
    tooLong,
  ],
  [
    "overflow-groq",
    ["OpenHands#1902", "letta#1963"],
    400,
    error("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
    tooLong,
  ],
  [
    "overflow-cerebras",
    ["cline#5140"],
    400,
    {
      message:
        "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000",
      type: "invalid_request_error",
    },
    tooLong,
  ],
  [
    "overflow-z-ai",
    ["zeroclaw#4124", "pi#8991"],
    400,
    { error: { code: "1261", message: "Prompt exceeds max length" } },
    tooLong,
  ],
  [
    "overflow-z-ai-tokens",
    ["hermes-agent#61728"],
    400,
    { error: { code: "1210", message: "tokens in request more than max tokens allowed" } },
    tooLong,
  ],
  [
    "overflow-vllm",
    ["pi#5930", "kon#91"],
    400,
    error(
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens.",
      { type: "BadRequestError", code: 400 },
    ),
    tooLong,
  ],
  [
    "overflow-vllm-decoder",
    ["xorbitsai/inference#3785", "deepagents#468"],
    500,
    {
      detail:
        "[address=0.0.0.0:43769, pid=1065] The decoder prompt (length 66501) is longer than the maximum model length of 65536.",
    },
    tooLong,
  ],
  [
    "overflow-vllm-fit",
    ["vllm#12165"],
    400,
    error("The prompt (total length 25938) is too long to fit into the model (context length 4096)."),
    tooLong,
  ],
  [
    "overflow-azure",
    ["archi#482"],
    400,
    error("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 443733 tokens."),
    tooLong,
  ],
  [
    "overflow-xai",
    ["grok2api#693"],
    400,
    error("This model's maximum prompt length is 500000 but the request contains 907154 tokens."),
    tooLong,
  ],
  [
    "overflow-page",
    ["qwen-code#10380", "codex#11440"],
    413,
    "<html> <head><title>413 Payload Too Large</title></head> <body> <center><h1>413 Payload Too Large</h1></center> </body> </html>",
    tooLong,
  ],
  ["overflow-bytes", ["oh-my-pi#11479"], 413, "Failed to buffer the request body: length limit exceeded", tooLong],
  [
    "overflow-payload",
    ["oh-my-pi#9235"],
    413,
    error("request body exceeds the configured payload limit", { param: "request_too_large" }),
    tooLong,
  ],
  [
    "output-limit-is-no-overflow",
    ["kimi-code#1055"],
    400,
    error("Invalid max_tokens value, the valid range of max_tokens is [1, 393216]"),
    "BAD_REQUEST",
  ],
  [
    "output-limit-of-vllm",
    [],
    400,
    error(
      "'max_tokens' or 'max_completion_tokens' is too large: 40000. This model's maximum context length is 32768 tokens and your request has 100 input tokens.",
    ),
    "BAD_REQUEST",
  ],
  [
    "output-limit-of-tgi",
    [],
    422,
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 10 `inputs` tokens and 5000 `max_new_tokens`",
    },
    "BAD_REQUEST",
  ],
  ["picture-too-large", ["claude-code#15093"], 413, error("image too large: at most 5 MB"), "FILE_REFUSED"],
  [
    "field-too-long",
    ["dify#28987"],
    400,
    error("tool_calls.0.id: input is too long, at most 40 characters"),
    "BAD_REQUEST",
  ],
  [
    "upstream-refusal",
    ["opencode#46057"],
    400,
    error("Upstream error from Fireworks: Invalid tool schema"),
    "BAD_REQUEST",
  ],
  [
    "a-moment-and-a-day",
    ["kimchi#1216"],
    429,
    error("10 per minute, daily limit 5000; retry in 2s"),
    "RATE_LIMITED",
    true,
  ],
  [
    "wait-in-words",
    ["kilocode#14269"],
    429,
    error("Rate limit reached for m on requests per min (RPM): Limit 3. Please try again in 20s.", {
      code: "rate_limit_exceeded",
    }),
    "RATE_LIMITED",
    true,
  ],
  [
    "region-of-openai",
    ["one-api#1692", "continue#11449"],
    403,
    error("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
    "UNAUTHORIZED",
  ],
  [
    "moderation-of-openrouter",
    ["big-AGI#352"],
    403,
    error('m requires moderation on OpenRouter. Your input was flagged for "violence".', { code: 403 }),
    "BAD_REQUEST",
  ],
  [
    "key-without-rights",
    ["openclaw#56658"],
    403,
    error("You have insufficient permissions for this operation."),
    "UNAUTHORIZED",
  ],
  [
    "region-of-gemini",
    ["gemini-cli#24641", "stremio-ai-search#207"],
    400,
    {
      error: {
        code: 400,
        message: "User location is not supported for the API use.",
        status: "FAILED_PRECONDITION",
      },
    },
    "BAD_REQUEST",
  ],
  [
    "key-without-scopes",
    ["openclaw#56658"],
    401,
    error("You have insufficient permissions for this operation. Missing scopes: model.request"),
    "UNAUTHORIZED",
  ],
  [
    "scopes-as-a-list",
    ["opencode-antigravity-auth#81"],
    403,
    [
      {
        error: {
          code: 403,
          message: "Request had insufficient authentication scopes.",
          status: "PERMISSION_DENIED",
          errors: [{ message: "Insufficient Permission", reason: "insufficientPermissions" }],
        },
      },
    ],
    "UNAUTHORIZED",
  ],
  [
    "field-too-long-called-overflow",
    ["autogen#6377"],
    400,
    error(
      "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    ),
    "BAD_REQUEST",
  ],
  [
    "id-too-long",
    ["agno#5382", "9router#393"],
    400,
    error(
      "Invalid 'messages[10].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 53 instead.",
      { param: "messages[10].tool_calls[0].id", code: "string_above_max_length" },
    ),
    "BAD_REQUEST",
  ],
  [
    "overflow-z-ai-messages",
    ["oh-my-pi#12741"],
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", code: "1261", message: "[1261][prompt is too long][id]" },
    },
    tooLong,
  ],
  [
    "overflow-with-output",
    ["ragflow#5646", "vllm#20409"],
    400,
    {
      object: "error",
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 8598 tokens (3478 in the messages, 5120 in the completion). Please reduce the length of the messages or completion.",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
    tooLong,
  ],
  [
    "overflow-of-a-request",
    ["claude-code#74048", "free-claude-code#1662"],
    413,
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
    tooLong,
  ],
  [
    "picture-of-too-many-pixels",
    ["vscode#297841"],
    400,
    error(
      "messages.38.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
      { code: "invalid_request_body" },
    ),
    "FILE_REFUSED",
  ],
  [
    "picture-of-too-many-bytes",
    ["Kiro#10783"],
    400,
    error("messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 10053760 bytes > 5242880 bytes"),
    "FILE_REFUSED",
  ],
  [
    "rate-of-an-upstream",
    ["open-webui/computer#293"],
    429,
    error("Provider returned error", {
      code: 429,
      metadata: {
        raw: "z-ai/glm-5.3-flash is temporarily rate-limited upstream. Please retry shortly.",
        provider_name: "BaseTen",
      },
    }),
    "RATE_LIMITED",
    true,
  ],
  [
    "schema-of-an-upstream",
    ["opencode#46057"],
    400,
    error(
      "Error from provider (Console Go): Upstream request failed: [400] Tool 312 function has invalid 'parameters' schema: [{'type': 'string'}] is not of type 'object', 'boolean'",
      { type: "server_error" },
    ),
    "BAD_REQUEST",
  ],
  ["busy", ["pi#10543"], 400, error("servers are busy", { type: "server_busy" }), "OVERLOADED", true],
  [
    "plan-used-up",
    ["pi#11537"],
    429,
    {
      error: {
        code: "1308",
        message: "Usage limit reached for 5 hour. Your limit will reset at 2026-12-01 10:00:00",
      },
    },
    "RATE_LIMITED",
  ],
];

export const refusalQuirks: readonly Quirk[] = rows.map(
  ([id, sources, status, sent, code, isRetryable = false]) => {
    const body = typeof sent === "string" ? sent : JSON.stringify(sent);
    const type = typeof sent === "string" ? "text/html" : "application/json";
    return {
      id,
      sources,
      does: `it answers ${status}: ${body.slice(0, 80)}`,
      wires,
      answer: { status, headers: { "content-type": type }, body },
      sees: { failure: { codes: [code], says: "", isRetryable } },
    };
  },
);
