import type { WireName } from "../model-server/wire/wire-format.ts";
import type { Quirk } from "./quirk.ts";

/** Gateways use the errors of all vendors with any format. */
const wires: readonly WireName[] = ["openai-chat", "deepseek", "openai-responses", "anthropic", "gemini"];

const tooLong = "CONTEXT_TOO_LONG";

/** Without a code, the request is too long for the model's context; without a status, the answer has 400. */
type Row = readonly [
  id: string,
  sources: readonly string[],
  body: unknown,
  code?: string,
  status?: number,
  isRetryable?: true,
];

function error(message: string, more: object = {}): object {
  return { error: { message, type: "invalid_request_error", param: null, code: null, ...more } };
}

const rows: readonly Row[] = [
  [
    "overflow-dashscope",
    ["opencode#45834"],
    error("Range of input length should be [1, 98304]", { code: "invalid_parameter_error" }),
  ],
  [
    "overflow-input-length",
    ["FLUJO#291"],
    error("Input length 301574 exceeds the maximum allowed input length of 262112 tokens."),
  ],
  [
    "overflow-volcano",
    ["dify#32221"],
    error("Input length 203743 exceeds the maximum length 202752", { code: "InvalidParameter" }),
  ],
  [
    "overflow-moonshot",
    ["kimi-code#207"],
    error("Invalid request: Your request exceeded model token limit: 262144"),
  ],
  ["overflow-message-size", ["kimi-code#476"], error("total message size 10176584 exceeds limit 2097152")],
  [
    "overflow-openrouter",
    ["kimi-code#794", "openclaw#85921"],
    error(
      "This endpoint's maximum context length is 262144 tokens. However, you requested about 284283 tokens (8963 of text input).",
    ),
  ],
  [
    "overflow-minimax",
    ["MiniMax-M2#119", "hermes-agent#14743"],
    error("invalid params, context window exceeds limit (2013)"),
  ],
  [
    "overflow-lm-studio",
    ["lmstudio-bug-tracker#546", "cline#3664"],
    {
      error:
        "Trying to keep the first 111490 tokens when context the overflows. However, the model is loaded with context length of only 32768 tokens, which is not enough.",
    },
  ],
  [
    "overflow-lm-studio-keep",
    ["openclaude#353"],
    {
      error:
        "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 13055>= n_ctx: 4096).",
    },
  ],
  [
    "overflow-lm-studio-length",
    ["lmstudio-ai/examples#29"],
    { error: "Input length 6491 exceeds context length 1500" },
  ],
  [
    "overflow-bedrock",
    ["claude-code#760", "Tycode#15"],
    { message: "The model returned the following errors: Input is too long for requested model." },
  ],
  [
    "overflow-prompt-is-too-long",
    ["oh-my-pi#1618"],
    error("The prompt is too long: 267657, model maximum context length: 262143"),
  ],
  [
    "overflow-omlx",
    ["omlx#26"],
    { detail: "Prompt too long: 32799 tokens exceeds max context window of 32768 tokens" },
  ],
  [
    "overflow-llama-cpp",
    ["oh-my-pi#3752"],
    error("request (124071 tokens) exceeds the available context size (123904 tokens), try increasing it", {
      type: "exceed_context_size_error",
    }),
  ],
  [
    "overflow-llama-cpp-python",
    ["llama-cpp-python#120"],
    error("Requested tokens exceed context window of 512"),
    tooLong,
    500,
  ],
  [
    "overflow-copilot",
    ["vscode#289219", "copilot-intellij-feedback#94"],
    error("prompt token count of 1236658 exceeds the limit of 128000", {
      code: "model_max_prompt_tokens_exceeded",
    }),
  ],
  [
    "overflow-copilot-without-code",
    ["vscode-copilot-release#6700", "opencode-ai/opencode#305"],
    { error: { message: "prompt token count of 65446 exceeds the limit of 64000", param: "", code: "", type: "" } },
  ],
  [
    "overflow-litellm",
    ["opencode#44888"],
    error(
      "litellm.BadRequestError: Context Window exceeded for given call. No models have context window large enough for this call.",
    ),
  ],
  [
    "overflow-litellm-bedrock",
    ["strands-agents/harness-sdk#974", "langchain#39300"],
    error("litellm.ContextWindowExceededError: litellm.BadRequestError: BedrockException: Context Window Error"),
  ],
  [
    "overflow-sglang",
    ["Qwen3#1321"],
    {
      object: "error",
      message: "The input (61709 tokens) is longer than the model's context length (40960 tokens).",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "overflow-tgi",
    ["llm-vscode#94", "helm#2079"],
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 2048. Given: 3474 `inputs` tokens and 60 `max_new_tokens`",
      error_type: "validation",
    },
    tooLong,
    422,
  ],
  [
    "overflow-together",
    ["helm#1820"],
    error("Input validation error: `inputs` must have less than 1024 tokens. Given: 1244"),
    tooLong,
    422,
  ],
  [
    "overflow-groq",
    ["OpenHands#1902", "letta#1963"],
    error("Please reduce the length of the messages or completion.", { code: "context_length_exceeded" }),
  ],
  [
    "overflow-cerebras",
    ["cline#5140"],
    {
      message:
        "Please reduce the length of the messages or completion. Current length is 42328 while limit is 40000",
      type: "invalid_request_error",
    },
  ],
  [
    "overflow-z-ai",
    ["zeroclaw#4124", "pi#8991"],
    { error: { code: "1261", message: "Prompt exceeds max length" } },
  ],
  [
    "overflow-z-ai-tokens",
    ["hermes-agent#61728"],
    { error: { code: "1210", message: "tokens in request more than max tokens allowed" } },
  ],
  [
    "overflow-vllm",
    ["pi#5930", "kon#91"],
    error(
      "This model's maximum context length is 262144 tokens. However, you requested 0 output tokens and your prompt contains at least 262145 input tokens.",
      { type: "BadRequestError", code: 400 },
    ),
  ],
  [
    "overflow-vllm-decoder",
    ["xorbitsai/inference#3785", "deepagents#468"],
    {
      detail:
        "[address=0.0.0.0:43769, pid=1065] The decoder prompt (length 66501) is longer than the maximum model length of 65536.",
    },
    tooLong,
    500,
  ],
  [
    "overflow-vllm-fit",
    ["vllm#12165"],
    error("The prompt (total length 25938) is too long to fit into the model (context length 4096)."),
  ],
  [
    "overflow-azure",
    ["archi#482"],
    error("Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 443733 tokens."),
  ],
  [
    "overflow-xai",
    ["grok2api#693"],
    error("This model's maximum prompt length is 500000 but the request contains 907154 tokens."),
  ],
  [
    "overflow-page",
    ["qwen-code#10380", "codex#11440"],
    "<html> <head><title>413 Payload Too Large</title></head> <body> <center><h1>413 Payload Too Large</h1></center> </body> </html>",
    tooLong,
    413,
  ],
  ["overflow-bytes", ["oh-my-pi#11479"], "Failed to buffer the request body: length limit exceeded", tooLong, 413],
  [
    "overflow-payload",
    ["oh-my-pi#9235"],
    error("request body exceeds the configured payload limit", { param: "request_too_large" }),
    tooLong,
    413,
  ],
  [
    "output-limit-is-no-overflow",
    ["kimi-code#1055"],
    error("Invalid max_tokens value, the valid range of max_tokens is [1, 393216]"),
    "BAD_REQUEST",
  ],
  [
    "output-limit-of-vllm",
    [],
    error(
      "'max_tokens' or 'max_completion_tokens' is too large: 40000. This model's maximum context length is 32768 tokens and your request has 100 input tokens.",
    ),
    "BAD_REQUEST",
  ],
  [
    "output-limit-of-tgi",
    [],
    {
      error:
        "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 10 `inputs` tokens and 5000 `max_new_tokens`",
    },
    "BAD_REQUEST",
    422,
  ],
  ["picture-too-large", ["claude-code#15093"], error("image too large: at most 5 MB"), "FILE_REFUSED", 413],
  [
    "field-too-long",
    ["dify#28987"],
    error("tool_calls.0.id: input is too long, at most 40 characters"),
    "BAD_REQUEST",
  ],
  [
    "upstream-refusal",
    ["opencode#46057"],
    error("Upstream error from Fireworks: Invalid tool schema"),
    "BAD_REQUEST",
  ],
  [
    "a-moment-and-a-day",
    ["kimchi#1216"],
    error("10 per minute, daily limit 5000; retry in 2s"),
    "RATE_LIMITED",
    429,
    true,
  ],
  [
    "wait-in-words",
    ["kilocode#14269"],
    error("Rate limit reached for m on requests per min (RPM): Limit 3. Please try again in 20s.", {
      code: "rate_limit_exceeded",
    }),
    "RATE_LIMITED",
    429,
    true,
  ],
  [
    "region-of-openai",
    ["one-api#1692", "continue#11449"],
    error("Country, region, or territory not supported", { code: "unsupported_country_region_territory" }),
    "UNAUTHORIZED",
    403,
  ],
  [
    "moderation-of-openrouter",
    ["big-AGI#352"],
    error('m requires moderation on OpenRouter. Your input was flagged for "violence".', { code: 403 }),
    "BAD_REQUEST",
    403,
  ],
  [
    "key-without-rights",
    ["openclaw#56658"],
    error("You have insufficient permissions for this operation."),
    "UNAUTHORIZED",
    403,
  ],
  [
    "region-of-gemini",
    ["gemini-cli#24641", "stremio-ai-search#207"],
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
    error("You have insufficient permissions for this operation. Missing scopes: model.request"),
    "UNAUTHORIZED",
    401,
  ],
  [
    "scopes-as-a-list",
    ["opencode-antigravity-auth#81"],
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
    403,
  ],
  [
    "field-too-long-called-overflow",
    ["autogen#6377"],
    error(
      "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - Invalid 'messages[3].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 41 instead.",
    ),
    "BAD_REQUEST",
  ],
  [
    "id-too-long",
    ["agno#5382", "9router#393"],
    error(
      "Invalid 'messages[10].tool_calls[0].id': string too long. Expected a string with maximum length 40, but got a string with length 53 instead.",
      { param: "messages[10].tool_calls[0].id", code: "string_above_max_length" },
    ),
    "BAD_REQUEST",
  ],
  [
    "overflow-z-ai-messages",
    ["oh-my-pi#12741"],
    {
      type: "error",
      error: { type: "invalid_request_error", code: "1261", message: "[1261][prompt is too long][id]" },
    },
  ],
  [
    "overflow-with-output",
    ["ragflow#5646", "vllm#20409"],
    {
      object: "error",
      message:
        "This model's maximum context length is 8192 tokens. However, you requested 8598 tokens (3478 in the messages, 5120 in the completion). Please reduce the length of the messages or completion.",
      type: "BadRequestError",
      param: null,
      code: 400,
    },
  ],
  [
    "overflow-of-a-request",
    ["claude-code#74048", "free-claude-code#1662"],
    { type: "error", error: { type: "request_too_large", message: "Request exceeds the maximum size" } },
    tooLong,
    413,
  ],
  [
    "picture-of-too-many-pixels",
    ["vscode#297841"],
    error(
      "messages.38.content.1.image.source.base64.data: At least one of the image dimensions exceed max allowed size for many-image requests: 2000 pixels",
      { code: "invalid_request_body" },
    ),
    "FILE_REFUSED",
  ],
  [
    "picture-of-too-many-bytes",
    ["Kiro#10783"],
    error("messages.0.content.1.image.source.base64: image exceeds 5 MB maximum: 10053760 bytes > 5242880 bytes"),
    "FILE_REFUSED",
  ],
  [
    "rate-of-an-upstream",
    ["open-webui/computer#293"],
    error("Provider returned error", {
      code: 429,
      metadata: {
        raw: "z-ai/glm-5.3-flash is temporarily rate-limited upstream. Please retry shortly.",
        provider_name: "BaseTen",
      },
    }),
    "RATE_LIMITED",
    429,
    true,
  ],
  [
    "schema-of-an-upstream",
    ["opencode#46057"],
    error(
      "Error from provider (Console Go): Upstream request failed: [400] Tool 312 function has invalid 'parameters' schema: [{'type': 'string'}] is not of type 'object', 'boolean'",
      { type: "server_error" },
    ),
    "BAD_REQUEST",
  ],
  ["busy", ["pi#10543"], error("servers are busy", { type: "server_busy" }), "OVERLOADED", 400, true],
  [
    "plan-used-up",
    ["pi#11537"],
    {
      error: {
        code: "1308",
        message: "Usage limit reached for 5 hour. Your limit will reset at 2026-12-01 10:00:00",
      },
    },
    "RATE_LIMITED",
    429,
  ],
];

export const refusalQuirks: readonly Quirk[] = rows.map(
  ([id, sources, sent, code = tooLong, status = 400, isRetryable = false]) => {
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
