import type { JsonValue } from "@incipit/kernel";

/** A search with these words must find the tool. */
export interface LookupQuirk {
  readonly query: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, JsonValue>>;
  /** Reports of comparable programs, as `project#number`. */
  readonly sources: readonly string[];
}

const chinese = ["hermes-agent#79037", "pi#10816", "pi#11803"];
const japanese = ["anthropics/anthropic-sdk-python#1116", "claude-obsidian#120"];
const nestedNames = ["pi#10816", "pi#11803"];

const anything: LookupQuirk["inputSchema"] = { type: "object" };
const laws = "日本の法令を検索します。憲法、法律、政令、省令などを検索できます。";
const nested: LookupQuirk["inputSchema"] = {
  type: "object",
  properties: {
    filter: { $ref: "#/$defs/Filter" },
    rows: { type: "array", items: { type: "object", properties: { invoiceNumber: {} } } },
    choice: { anyOf: [{ type: "null" }, { type: "object", properties: { warehouse: {} } }] },
  },
  $defs: { Filter: { type: "object", properties: { region: {}, inner: { $ref: "#/$defs/Filter" } } } },
};

const rows: readonly (readonly [
  query: string,
  LookupQuirk["description"],
  readonly string[],
  schema?: typeof nested,
])[] = [
  ["搜索", "在聊天记录中搜索消息", chinese],
  ["搜索消息", "在聊天记录中搜索消息", chinese],
  ["消息 搜索", "在聊天记录中搜索消息", chinese],
  ["搜", "在聊天记录中搜索消息", chinese],
  ["认证", "认证系统使用JWT令牌", ["campfirein/byterover-cli#712"]],
  ["jwt", "认证系统使用JWT令牌", ["campfirein/byterover-cli#712"]],
  ["法令", laws, japanese],
  ["法令を調べて", laws, japanese],
  ["検索", laws, japanese],
  ["プロジェクト", "プロジェクト記憶を読む", ["rohitg00/agentmemory#344"]],
  ["검색", "메시지를 검색합니다", ["rohitg00/agentmemory#344"]],
  ["ข้อความ", "ค้นหาข้อความในแชท", ["rohitg00/agentmemory#344"]],
  ["region", "Finds things", nestedNames, nested],
  ["invoice number", "Finds things", nestedNames, nested],
  ["warehouse", "Finds things", nestedNames, nested],
];

export const lookupQuirks: readonly LookupQuirk[] = rows.map(
  ([query, description, sources, inputSchema = anything]) => ({
    query,
    description,
    inputSchema,
    sources,
  }),
);
