/** The values of an option that can be repeated, in their order: an argument parser for commander. */
export const repeatable = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];
