/** An argument parser for commander. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
