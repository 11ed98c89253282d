import { expect, test } from "bun:test";
import { vendorName } from "./endpoint-provider.ts";

test("vendorName recognizes a vendor by its host, also with another vendor's protocol", () => {
  const named = [
    "https://api.openai.com/v1",
    "https://acme.openai.azure.com/openai/v1",
    "https://acme.services.ai.azure.com/models",
    "https://api.anthropic.com/v1",
    "https://generativelanguage.googleapis.com/v1beta/openai",
    "https://europe-west1-aiplatform.googleapis.com/v1",
    "https://bedrock-runtime.us-east-1.amazonaws.com/openai/v1",
    "https://api.deepseek.com",
    "https://api.groq.com/openai/v1",
    "https://api.mistral.ai/v1",
    "https://api.x.ai/v1",
    "https://api.perplexity.ai",
    "https://api.cohere.ai/compatibility/v1",
    "https://us-south.ml.cloud.ibm.com/ml/v1",
  ].map((url) => vendorName(url, "openai"));

  expect(named).toEqual([
    "openai",
    "azure.ai.openai",
    "azure.ai.inference",
    "anthropic",
    "gcp.gemini",
    "gcp.vertex_ai",
    "aws.bedrock",
    "deepseek",
    "groq",
    "mistral_ai",
    "x_ai",
    "perplexity",
    "cohere",
    "ibm.watsonx.ai",
  ]);
});

test("vendorName of an unknown host returns the protocol's vendor, if any", () => {
  for (const url of ["http://127.0.0.1:11434/v1", "https://api.groq.com.evil.example/v1", "no url", undefined]) {
    expect(vendorName(url, "anthropic")).toBe("anthropic");
    expect(vendorName(url, undefined)).toBeUndefined();
  }
});
