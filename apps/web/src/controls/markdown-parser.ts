import { Marked, Tokenizer } from "marked";
import markedCjkFriendly from "marked-cjk-friendly";

/** Chinese, Japanese and Korean punctuation, which ends a bare URL. */
const cjkPunctuation =
  /(?=\p{P})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]|[，．：；！？（）［］｛｝“”‘’…—]/u;

/**
 * GitHub Flavored Markdown, except that single tildes do not strike through, and emphasis and URLs may touch CJK
 * punctuation.
 */
export const markdownParser = new Marked({ gfm: true, breaks: true }, markedCjkFriendly(), {
  tokenizer: {
    // A tilde means about (`~$10`).
    del(source) {
      return source.startsWith("~~") ? false : undefined;
    },
    url(source) {
      const end = source.search(cjkPunctuation);
      return end === -1 ? false : Tokenizer.prototype.url.call(this, source.slice(0, end));
    },
  },
});
