export async function endOf(
  response: Response,
): Promise<{ readonly text: string; readonly end: "closed" | "cut" }> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const piece of response.body ?? []) text += decoder.decode(piece, { stream: true });
    return { text, end: "closed" };
  } catch {
    return { text, end: "cut" };
  }
}
