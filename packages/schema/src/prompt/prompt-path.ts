const extension = /\.[A-Za-z]\w{0,7}$/;

/**
 * Whether a prompt setting is a file path: one line that begins with `~/`, `./` or `../`, an absolute path with a
 * folder or an extension, or one word that ends in `.md` or `.txt`. A leading slash is not enough: `/no_think` is
 * an instruction of some models.
 */
export function isPromptPath(text: string): boolean {
  const line = text.trim();
  if (line === "" || /[\n\r]/.test(line)) return false;
  const isWord = !/\s/.test(line);
  if (isWord && /\.(?:md|markdown|txt)$/i.test(line)) return true;
  const isWhole = isWord || extension.test(line);
  if (/^(?:~|\.{1,2})[\\/]/.test(line)) return isWhole;
  if (/^[A-Za-z]:[\\/]/.test(line)) return isWhole;
  return /^\/[^\s/]/.test(line) && isWord && (/^\/[^/]+\//.test(line) || extension.test(line));
}
