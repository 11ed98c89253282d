export const words: readonly string[] = ["one", "two", "three", "four", "five", "six", "seven", "eight"];
