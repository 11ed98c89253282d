import { expect, test } from "bun:test";
import { Redactor } from "./redactor.ts";
import { ignoredSecretReason } from "./ignored-secret-reason.ts";

const noSecrets: readonly (readonly [value: string, why: string])[] = [
  ["", "shorter than 8"],
  ["k", "shorter than 8"],
  ["ollama", "shorter than 8"],
  ["none", "shorter than 8"],
  ["x7Kp2qL", "shorter than 8"],
  ["aaaaaaaaaaaaaaaaaaaaaaaaaa", "fewer than 5"],
  ["12121212-12121212", "fewer than 5"],
  ["lm-studio", "a word, or several"],
  ["localhost", "a word, or several"],
  ["Development", "a word, or several"],
  ["PRODUCTION", "a word, or several"],
  ["not-needed", "a word, or several"],
  ["my_Api_key", "a word, or several"],
  ["eu-west-1", "a word, or several"],
  ["2026-11-23", "a number"],
  ["node v20.11.1", "a word, or several"],
  ["192.168.1.250", "a number"],
  ["/home/alice", "a path"],
  ["/home/alice/.config/incipit-2026/", "a path"],
  ["20261123", "a number"],
  ["987654321012345", "a number"],
  ...[
    "ChangeMe-1",
    "change_me_123",
    "no-api-key-required",
    "NO AUTHENTICATION REQUIRED",
    "Passw0rd",
    "password1",
    "Password123",
    "put-your-api-key-here",
    "REPLACE_WITH_YOUR_API_KEY",
    "secret123",
    "sk-dummy-api-key",
    "sk-no-key-required",
    "sk-not-needed",
    "this-is-not-a-real-key",
    "your-api-key-goes-here",
    "<your api key here>",
    "your-openai-api-key-here",
    "YOUR_SECRET_KEY_HERE",
  ].map((value) => [value, "a placeholder for endpoints without a key"] as const),
  ["test1234", "a placeholder for endpoints without a key"],
  ["sk-no-key-required", "a placeholder for endpoints without a key"],
  ["your_api_key_here", "a placeholder for endpoints without a key"],
  ["YOUR-API-KEY-HERE", "a placeholder for endpoints without a key"],
  ["sk-1234567890", "a placeholder for endpoints without a key"],
  ["sk-test-xxxxxxxx", "a placeholder for endpoints without a key"],
  ["dummy-abcdef123", "a placeholder for endpoints without a key"],
];

test("ignoredSecretReason returns a reason for ordinary text, and redact() keeps it", async () => {
  for (const [value, why] of noSecrets) {
    expect({ value, why: ignoredSecretReason(value) }).toEqual({ value, why: expect.stringContaining(why) });
    const redactor = await Redactor.create({ secrets: [value], patterns: [] });
    const text = `we run ${value} on localhost`;
    expect(redactor.redact(text)).toBe(text);
  }
});

test("ignoredSecretReason returns undefined for possible keys", () => {
  for (const value of [
    "hunter22",
    "x7Kp2qLm",
    "aBcDeFgHiJ",
    "correct-horse-battery-staple",
    "1234567812345678",
    "a1b2-c3d4",
    "planted-secret-1",
    "sk-proj-abc123",
    "test-abc123-DEF456",
    "0123456789abcdef",
    "pässwörtli",
    "/aB3dE5/gH7jK9mN1pQ3",
    "a1-b2-c3-d4",
  ])
    expect({ value, why: ignoredSecretReason(value) }).toEqual({ value, why: undefined });
});
