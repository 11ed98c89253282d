export const elementIds = {
  system: (index: number): string => `told-system-${index}`,
  range: (index: number, range: number): string => `told-system-${index}-${range}`,
  tool: (index: number): string => `told-tool-${index}`,
  message: (index: number): string => `told-message-${index}`,
} as const;
