/** A string, or syntax that Bun accepts and JSON does not. */
const lenient = /"(?:\\.|[^"\\\n])*"|(,\s*[}\]]|\/[/*]|'|[}\]]\s*\S)/g;

/** Such as `3:5: Expected "," but found "b"`. */
export async function jsonProblem(text: string, fallback: string): Promise<string> {
  // The runtime's JSON.parse reports no position; the bundler's parser does.
  const name = "/package.json";
  const built = await Bun.build({ entrypoints: [name], files: { [name]: text }, throw: false });
  const [problem] = built.logs;
  const place = problem?.position;
  if (problem !== undefined && place !== null && place !== undefined) {
    return `${place.line}:${place.column}: ${problem.message}`;
  }
  const index = [...text.matchAll(lenient)].find(([, found]) => found !== undefined)?.index ?? 0;
  const before = text.slice(0, index).split("\n");
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}: ${fallback.replace(/^JSON Parse error: /, "")}`;
}
