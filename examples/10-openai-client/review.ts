import type OpenAI from "openai";

/** Uses only OpenAI's client; independent of the host. */
export async function review(client: OpenAI, code: string): Promise<string> {
  const stream = await client.chat.completions.create({
    model: "default",
    messages: [{ role: "user", content: `Review this:\n${code}` }],
    stream: true,
  });
  let answer = "";
  for await (const { choices } of stream) answer += choices[0]?.delta.content ?? "";
  return answer;
}
