import { readFileSync } from 'node:fs';

/**
 * Replaces the text between each pair of markers, `<!-- derived: name -->` and `<!-- /derived -->`, with the part of
 * that name. Throws if a part has no marker, or a marker no part.
 */
export const withParts = (file, parts) => {
  const missing = new Set(Object.keys(parts));
  const text = readFileSync(file, 'utf8').replace(
    /^(<!-- derived: (\S+) -->\n)[\s\S]*?^(<!-- \/derived -->)$/gm, (_, start, name, end) => {
      if (!missing.delete(name)) throw new Error(`${file}: unknown or repeated marker ${name}`);
      return `${start}\n${parts[name].trim()}\n\n${end}`;
    });
  if (missing.size > 0) throw new Error(`${file} has no marker for ${[...missing].join(', ')}`);
  return text;
};
