import { Marked, Tokenizer } from "marked";
import markedCjkFriendly from "marked-cjk-friendly";

/** Punctuation between Chinese, Japanese and Korean words, which is part of no address that is written without brackets. */
const cjkPunctuation =
  /(?=\p{P})[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}]|[，．：；！？（）［］｛｝“”‘’…—]/u;

/**
 * Reads Markdown as GitHub writes it, with two differences: single tildes strike nothing through, and emphasis and
 * addresses may touch Chinese, Japanese and Korean punctuation.
 */
export const markdownParser = new Marked({ gfm: true, breaks: true }, markedCjkFriendly(), {
  tokenizer: {
    // One tilde means about (`~$10`), also where two of them stand around something.
    del(source) {
      return source.startsWith("~~") ? false : undefined;
    },
    url(source) {
      const end = source.search(cjkPunctuation);
      return end === -1 ? false : Tokenizer.prototype.url.call(this, source.slice(0, end));
    },
  },
});
