/** The least contrast of normal text (WCAG 2, success criterion 1.4.3). */
export const leastContrast = 4.5;

/** From 1 to 21; null unless both are `#RGB` or `#RRGGBB`. */
export const contrastOf = (one: string, other: string): number | null => {
  const [first, second] = [luminanceOf(one), luminanceOf(other)];
  if (first === null || second === null) return null;
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05);
};

export const isSameColor = (one: string, other: string): boolean => fullColor(one) === fullColor(other);

const luminanceOf = (color: string): number | null => {
  const [, red, green, blue] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(fullColor(color)) ?? [];
  return red === undefined ? null : 0.2126 * linear(red) + 0.7152 * linear(green!) + 0.0722 * linear(blue!);
};

/** Decodes one channel of sRGB. */
const linear = (hex: string): number => {
  const value = parseInt(hex, 16) / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};

const fullColor = (color: string): string =>
  color.toLowerCase().replace(/^#([0-9a-f])([0-9a-f])([0-9a-f])$/, '#$1$1$2$2$3$3');
