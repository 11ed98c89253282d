import type { ConversationTools, Explain, Message, MessagePart } from "@incipit/schema";

export type PartKind = "system" | "tools" | "messages";

export interface WindowPart {
  readonly kind: PartKind;
  /** May contain foreign text. */
  readonly name: string;
  readonly sizeBytes: number;
}

/** Assumed size of a file or image: about a thousand tokens. */
const bytesOfFile = 4_000;

export function windowParts({
  prompt,
  explain,
  tools,
  messages,
}: {
  readonly prompt: string;
  readonly explain: Explain;
  readonly tools: ConversationTools["tools"];
  readonly messages: readonly Message[];
}): readonly WindowPart[] {
  const parts: WindowPart[] = [
    ...explain.ranges.map(({ start, end, origin, name }): WindowPart => ({
      kind: "system",
      name: nameOf(origin, name),
      sizeBytes: Buffer.byteLength(prompt.slice(start, end)),
    })),
    ...tools.map(({ name, description, inputSchema }): WindowPart => {
      const [server = "", ...rest] = name.split("__");
      return {
        kind: "tools",
        name: rest.length === 0 ? "of the host" : `of ${server}`,
        sizeBytes: Buffer.byteLength(JSON.stringify({ name, description, inputSchema })),
      };
    }),
    ...messages.flatMap(({ role, parts: said }) =>
      said.map((part): WindowPart => ({ kind: "messages", name: kindOf(part, role), sizeBytes: sizeOf(part) })),
    ),
  ];
  return addedUp(parts);
}

function addedUp(parts: readonly WindowPart[]): readonly WindowPart[] {
  const sums = new Map<string, WindowPart>();
  for (const part of parts) {
    const key = `${part.kind} ${part.name}`;
    const before = sums.get(key)?.sizeBytes ?? 0;
    sums.set(key, { ...part, sizeBytes: before + part.sizeBytes });
  }
  return [...sums.values()].filter(({ sizeBytes }) => sizeBytes > 0);
}

function nameOf(origin: Explain["ranges"][number]["origin"], name: string | null): string {
  switch (origin) {
    case "variable":
      return `[${name ?? "?"}]`;
    case "segment":
      return `segment ${name ?? "?"}`;
    case "append":
      return "appended template";
    case "request":
      return "sent with the request";
    case "literal":
    case "separator":
      return "template";
  }
}

function kindOf(part: MessagePart, role: Message["role"]): string {
  if (part.type === "tool-call") return "tool calls";
  if (part.type === "tool-result") return "tool results";
  return role === "user" ? "your messages" : "answers";
}

function sizeOf(part: MessagePart): number {
  switch (part.type) {
    case "text":
    case "reasoning":
      return Buffer.byteLength(part.text);
    case "file":
      return bytesOfFile;
    case "tool-call":
      return Buffer.byteLength(part.name) + Buffer.byteLength(part.input);
    case "tool-result":
      return Buffer.byteLength(part.output) + (part.files?.length ?? 0) * bytesOfFile;
  }
}
